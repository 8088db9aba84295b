import { execFileSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { gitBaseTree } from '../../src/features/agent/workspace/git-base-tree.ts'
import { openBlobReader } from '../../src/integrations/git/trees/blob-reader.ts'
import { createGit } from '../../src/integrations/git/git.ts'
import { createRepository } from '../../src/integrations/git/mirrors/create-repository.ts'
import { resolveReference } from '../../src/integrations/git/resolve-reference.ts'
import { writeTree } from '../../src/integrations/git/trees/write-tree.ts'
import { openBase } from './open-tree.ts'

it('works on a real repository: the diff that git sees holds no line more than needed', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'agent-'))
  try {
    const git = await createGit({ dataFolder: folder, environment: process.env })
    const files = Object.entries({
      'docs/index.md': '\uFEFF# Home\r\n\r\n[a](guides/größe.md#x)\r\n[odd](odd%0Aname.md)',
      'docs/guides/größe.md': `# X\n\n${'A line that stays.\n'.repeat(20)}\n[home](../index.md)\n`,
      'docs/odd\nname.md': '[g](guides/größe.md)\n',
      'mkdocs.yml': 'nav:\n  - index.md # home\n  - guides/größe.md\nx: !ENV [A]\n',
    })
    const { repository } = await createRepository(git, join(folder, 'repository.git'), {
      branch: 'main',
      message: 'Start',
      author: { name: 'A', email: 'a@example.com' },
      date: new Date(0),
      files: files.map(([path, text]) => ({ path, content: Buffer.from(text) })),
    })
    const commit = await resolveReference(repository, 'refs/heads/main')
    if (commit === undefined) throw new Error('The repository has no commit')
    await using reader = await openBlobReader(repository)
    const { call, workspace } = await openBase(
      gitBaseTree(repository, commit, reader, AbortSignal.timeout(60_000)),
    )

    expect(await call('check', {})).toMatchObject({ problems: [], total: 0 })
    expect(await call('move_page', { from: 'docs/guides/größe.md', to: 'docs/groesse.md' })).toMatchObject({
      changed: ['docs/index.md', 'docs/odd\nname.md', 'mkdocs.yml'],
    })
    expect(await call('check', {})).toMatchObject({ problems: [], total: 0 })
    expect(await call('grep', { pattern: 'gro+esse\\.md', regex: true })).toMatchObject({ total: 3 })
    expect(await call('grep', { pattern: '(((((a*)*)*)*)*)*b', regex: true })).toBeTypeOf('object')
    expect(await call('grep', { pattern: '(', regex: true })).toMatchObject({ error: { code: 'invalid' } })

    const tree = await writeTree(repository, { base: commit, changes: workspace.changes() })
    const diff = execFileSync('git', ['-c', 'core.quotePath=false', 'diff', '-M', '-U0', commit, tree], {
      cwd: repository.folder,
    })
    const lines = diff
      .toString()
      .split('\n')
      .filter((line) => /^[-+](?![-+]{2})/.test(line))
    expect(lines).toEqual([
      '-[home](../index.md)',
      '+[home](index.md)',
      '-[a](guides/größe.md#x)\r',
      '+[a](groesse.md#x)\r',
      '-[g](guides/größe.md)',
      '+[g](groesse.md)',
      '-  - guides/größe.md',
      '+  - groesse.md',
    ])
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
