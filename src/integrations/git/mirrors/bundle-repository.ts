import { mkdir, mkdtemp, open, rename, rm } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { AppError } from '../../../lib/errors.ts'
import type { Git } from '../git.ts'
import { runGit } from '../process/run-git.ts'
import { initialise, type ObjectFormat } from './initialise.ts'

/** Half an hour: these are whole repositories. */
const deadline = 1_800_000

/**
 * Writes a bare repository with all its references into one file, while others may use it.
 * @returns what HEAD refers to; undefined for a repository without commits, of which no file is made
 */
export async function bundleRepository(git: Git, folder: string, file: string): Promise<string | undefined> {
  const { stdout } = await runGit(git, { args: ['for-each-ref', '--count=1'], folder })
  if (stdout.length === 0) return undefined
  const head = await runGit(git, { args: ['symbolic-ref', 'HEAD'], folder })
  await runGit(git, { args: ['bundle', 'create', '--quiet', file, '--all'], folder, deadline })
  return head.stdout.toString().trim()
}

/** The opposite. The repository is moved into place when it is whole. @throws AppError `conflict` when there is one */
export async function unbundleRepository(
  git: Git,
  folder: string,
  file: string,
  head: string,
): Promise<void> {
  const branch = /^refs\/heads\/(.+)$/.exec(head)?.[1] ?? 'main'
  await mkdir(dirname(folder), { recursive: true })
  const draft = await mkdtemp(`${resolve(folder)}.draft-`)
  try {
    await initialise(git, draft, { branch, format: await formatOf(file) })
    const { stdout } = await runGit(git, { args: ['bundle', 'unbundle', file], folder: draft, deadline })
    const references = stdout
      .toString()
      .split('\n')
      .flatMap((line) => {
        const [, object = '', name = ''] = /^([\da-f]{40,64}) (refs\/.+)$/.exec(line) ?? []
        return name === '' ? [] : [`create ${name}\0${object}\0`]
      })
    await runGit(git, { args: ['update-ref', '--stdin', '-z'], folder: draft, input: references.join('') })
    await rename(draft, folder)
  } catch (cause) {
    const isThere =
      cause instanceof Error && 'code' in cause && ['ENOTEMPTY', 'EEXIST'].includes(String(cause.code))
    throw isThere ? new AppError('conflict', `There is a repository in ${folder} already`, { cause }) : cause
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
}

async function formatOf(bundle: string): Promise<ObjectFormat> {
  await using file = await open(bundle)
  const { buffer, bytesRead } = await file.read(Buffer.alloc(1000), 0, 1000, 0)
  return /^@object-format=sha256$/m.test(buffer.toString('latin1', 0, bytesRead)) ? 'sha256' : 'sha1'
}
