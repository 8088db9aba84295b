import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { plainGit } from '../../../tests/worlds/git/temporary-git.ts'
import { impactOfFolders, mapOfFolder } from './impact-of-folders.ts'

async function repository() {
  const folder = await mkdtemp(join(tmpdir(), 'docwright-impact-test-'))
  plainGit(folder, ['init', '--quiet', '--initial-branch', 'main'])
  const commit = async (files: Record<string, string>): Promise<string> => {
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(folder, path)), { recursive: true })
      await writeFile(join(folder, path), text)
    }
    plainGit(folder, ['add', '-A'])
    plainGit(folder, ['commit', '--quiet', '-m', 'Change'])
    return plainGit(folder, ['rev-parse', 'HEAD'])
  }
  const ask = (range: string, more: Partial<Parameters<typeof impactOfFolders>[0]> = {}) =>
    impactOfFolders({
      range,
      docs: folder,
      code: undefined,
      docsAt: undefined,
      root: 'docs',
      environment: process.env,
      ...more,
    })
  return { folder, commit, ask }
}

const page = '# Client\n\nSet `maxRetries`.\n'

it('looks at each commit of a range by the documentation before it, and strikes off what is edited', async () => {
  const { commit, ask } = await repository()
  const first = await commit({
    'src/client.ts': 'export const maxRetries = 3\n',
    'docs/client.md': page,
    'docs/retries.md': '# Retries\n\n`maxRetries` counts.\n',
    'docs/other.md': '# Other\n',
  })
  const second = await commit({ 'src/client.ts': 'export const retryLimit = 3\n' })
  const third = await commit({ 'docs/client.md': '# Client\n\nSet `retryLimit`.\n' })
  const range = await ask(`${first}..${third}`)
  expect(range).toMatchObject({ commits: 2, edited: [{ path: 'docs/client.md', level: 'certain' }] })
  expect(range.pages[0]).toMatchObject({ path: 'docs/retries.md', level: 'certain', commit: second })
  expect(
    (await ask(second)).pages
      .filter(({ level }) => level === 'certain')
      .map(({ path }) => path)
      .toSorted(),
  ).toEqual(['docs/client.md', 'docs/retries.md'])
  expect((await ask(second, { root: '' })).pages.map(({ path }) => path)).toContain('docs/retries.md')
})

it('takes code of another repository, and what the map says', async () => {
  const code = await repository()
  await code.commit({ 'lib/a.py': 'def open_door():\n    pass\n' })
  const change = await code.commit({ 'lib/a.py': 'def open_window():\n    pass\n' })
  const docs = await repository()
  await docs.commit({
    'docs/doors.md': '# Doors\n\nCall `open_door`.\n',
    'docs/houses.md': '# Houses\n',
    'docs/upgrade.md': '# Upgrade\n\n`open_door` is gone.\n',
    '.docwright/map.yml': 'documents:\n  - { code: lib/**, pages: [docs/houses.md] }\n',
  })
  const impact = await docs.ask(change, { code: code.folder })
  expect(impact.pages.find(({ path }) => path === 'docs/doors.md')).toMatchObject({ level: 'certain' })
  expect(impact.pages.find(({ path }) => path === 'docs/houses.md')?.why).toContain(
    '.docwright/map.yml names it for these files.',
  )
  expect(impact.leftOut).toEqual([{ why: 'changes', count: 1 }])
})

it('shows which pages changed with which code, and what the map says of them', async () => {
  const { folder, commit } = await repository()
  for (let count = 0; count < 3; count++)
    await commit({ 'src/client.ts': `export const a = ${count}\n`, 'docs/client.md': `# ${count}\n` })
  await commit({ 'src/client.ts': 'export const a = 9\n', 'docs/once.md': '# Once\n' })
  const map = { folder, root: '/docs/', environment: process.env }
  expect(await mapOfFolder(map)).toEqual({
    pairs: [{ code: 'src/*', page: 'docs/client.md', together: 3, of: 4, said: undefined }],
    commits: 4,
    hasFile: false,
    mapProblem: undefined,
  })
  await commit({ '.docwright/map.yml': 'never:\n  - { code: src/**, pages: [docs/client.md] }\n' })
  expect(await mapOfFolder(map)).toMatchObject({ hasFile: true, pairs: [{ said: 'never' }] })
  await commit({ '.docwright/map.yml': 'never: 7\n' })
  expect(await mapOfFolder(map)).toMatchObject({
    pairs: [{ said: undefined }],
    mapProblem: expect.stringContaining('`never`') as string,
  })
})

it('says which commit or folder does not exist', async () => {
  const { commit, ask } = await repository()
  await commit({ 'docs/a.md': '# A\n' })
  await expect(ask('nothing..HEAD')).rejects.toThrow('no commit "nothing"')
  await expect(ask('HEAD', { docs: tmpdir() })).rejects.toThrow('in no git repository')
})
