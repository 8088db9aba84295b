import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { plainGit, temporaryFolder } from '../../../../tests/worlds/git/temporary-git.ts'
import { remoteFromFolder, remoteFromUrl } from '../remote.ts'
import { findHooks } from './find-hooks.ts'

async function writeHook(folder: string, name: string, mode = 0o755): Promise<void> {
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, name), '#!/bin/sh\n')
  await chmod(join(folder, name), mode)
}

test('the hooks of a folder are those that git would run', async () => {
  const folder = await temporaryFolder()
  const [checkout, bare] = [join(folder, 'checkout'), join(folder, 'bare.git')]
  plainGit(folder, ['init', '-q', checkout])
  plainGit(folder, ['init', '-q', '--bare', bare])
  expect(await findHooks(await remoteFromFolder(checkout))).toEqual([])
  await writeHook(join(checkout, 'hooks'), 'update')
  expect(await findHooks(await remoteFromFolder(checkout))).toEqual([])
  expect(await findHooks(remoteFromUrl('https://git.example.com/docs.git'))).toEqual([])

  await writeHook(join(checkout, '.git', 'hooks'), 'pre-commit')
  await writeHook(join(checkout, '.git', 'hooks'), 'post-receive', 0o644)
  await writeHook(join(checkout, '.git', 'hooks'), 'update.sample')
  expect(await findHooks(await remoteFromFolder(checkout))).toEqual(['pre-commit'])
  await writeHook(join(bare, 'hooks'), 'update')
  await writeHook(join(bare, 'hooks'), 'post-receive')
  expect(await findHooks(await remoteFromFolder(bare))).toEqual(['post-receive', 'update'])

  plainGit(checkout, ['config', 'core.hooksPath', '.husky'])
  await writeHook(join(checkout, '.husky'), 'commit-msg')
  expect(await findHooks(await remoteFromFolder(checkout))).toEqual(['commit-msg'])
})
