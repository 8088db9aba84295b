import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { contextRepository } from '../../src/features/agent/workspace/context-repository.ts'
import { openMirror } from '../../src/integrations/git/mirrors/open-mirror.ts'
import { remoteFromFolder } from '../../src/integrations/git/remote.ts'
import { plainGit, temporaryGit } from '../worlds/git/temporary-git.ts'

it('reads a repository at the commit that the turn has read before, without fetching it again', async () => {
  const { git, folder } = await temporaryGit()
  const origin = join(folder, 'code')
  await mkdir(origin)
  plainGit(origin, ['init', '--quiet', '--initial-branch=trunk'])
  const commit = async (text: string) => {
    await writeFile(join(origin, 'a.ts'), text)
    plainGit(origin, ['add', '--all'])
    plainGit(origin, ['commit', '--quiet', '-m', text])
    return plainGit(origin, ['rev-parse', 'HEAD'])
  }
  const first = await commit('one')
  const repository = await openMirror(git, join(folder, 'mirror.git'))
  const remote = await remoteFromFolder(origin)
  const settings = { name: 'code', ref: undefined, open: async () => ({ repository, remote }) }
  const signal = AbortSignal.timeout(60_000)
  const read = async (pinned?: string) => {
    const tree = await contextRepository(settings, () => pinned).open(signal)
    return [tree.commit, Buffer.from((await tree.workspace.read('a.ts')) ?? '').toString()]
  }
  expect(await read()).toEqual([first, 'one'])
  const second = await commit('two')
  expect(await read(first)).toEqual([first, 'one'])
  expect(await read()).toEqual([second, 'two'])
  expect(await read('0'.repeat(40))).toEqual([second, 'two'])
})
