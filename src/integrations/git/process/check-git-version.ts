import { AppError } from '../../../lib/errors.ts'
import type { Git } from '../git.ts'
import { runGit } from './run-git.ts'

/** The version of the git on the PATH. @throws AppError `unavailable`, one line, when it is missing or older than 2.38. */
export async function checkGitVersion(git: Git): Promise<string> {
  const { stdout } = await runGit(git, { args: ['--version'], maxBytes: 1024, deadline: 10_000 })
  const text = stdout.toString().trim()
  const match = /^git version (\d{1,4})\.(\d{1,4})/.exec(text)
  const [major, minor] = [Number(match?.[1] ?? 0), Number(match?.[2] ?? 0)]
  if (major < 2 || (major === 2 && minor < 38)) {
    throw new AppError('unavailable', `git is too old (${text}): install git 2.38 or later`)
  }
  return text.replace('git version ', '')
}
