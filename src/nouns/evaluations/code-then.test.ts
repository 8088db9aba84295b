import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { git as plainGit } from '../../../tests/repository.ts'
import { createGit } from '../../integrations/git/git.ts'
import { emptyTree } from '../../integrations/git/trees/commit-history.ts'
import { commitTree } from '../../integrations/git/trees/commit-tree.ts'
import { openCode, type CodeThen } from './code-then.ts'

let code: CodeThen
const ids: string[] = []

beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'docwright-code-'))
  await plainGit(folder, 'init', '--quiet', '--bare', '-b', 'main')
  const git = await createGit({ dataFolder: join(folder, 'data'), environment: process.env })
  const repository = { git, folder }
  const tree = emptyTree('')
  const messages = [
    'Begin',
    'Add retries (#12)',
    'Merge pull request #13 from x/y\n\nWait',
    'Undo (#12) again (#14)',
  ]
  for (const [at, message] of messages.entries())
    ids.push(
      await commitTree(repository, tree, {
        parents: ids.slice(-1),
        message,
        author: { name: 'Test', email: 'test@example.com' },
        date: day(at + 1),
      }),
    )
  await plainGit(folder, 'update-ref', 'refs/heads/main', ids.at(-1) ?? '')
  code = await openCode(repository)
})

const day = (n: number): Date => new Date(Date.UTC(2026, 0, n, 12))
const end = (message: string, n = 3) =>
  code.endFor(
    { commit: '', parent: '', date: new Date(day(n).getTime() + 60_000), kind: 'docs', pages: [] },
    message,
  )

it('ends where the code was when the docs changed', async () => {
  expect(await end('Say more')).toEqual({ end: ids[2] })
  expect(await end('Say more (#14)')).toEqual({ end: ids[2] })
  expect(await code.endFor({ commit: '', parent: '', date: new Date(0), kind: 'docs', pages: [] }, 'x')).toBe(
    undefined,
  )
})

it('finds the change that a message names, also one that came later', async () => {
  expect(await end('Retries, see acme/app#12')).toEqual({ end: ids[2], about: ids[1] })
  expect(await end('See https://github.com/acme/app/pull/13.')).toEqual({ end: ids[2], about: ids[2] })
  expect(await end('For acme/app#14')).toEqual({ end: ids[3], about: ids[3] })
  expect(await end(`https://github.com/acme/app/commit/${ids[0]?.slice(0, 9)}`)).toEqual({
    end: ids[2],
    about: ids[0],
  })
  expect(await end('For acme/other#99, and https://github.com/acme/app/commit/abcdef0')).toEqual({
    end: ids[2],
  })
})
