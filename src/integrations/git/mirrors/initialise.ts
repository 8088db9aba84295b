import type { Git } from '../git.ts'
import { runGit } from '../process/run-git.ts'

/** How a repository names its objects. */
export type ObjectFormat = 'sha1' | 'sha256'

/** Makes an empty repository in formats that do not depend on git's own defaults, which newer versions change. */
export async function initialise(
  git: Git,
  folder: string,
  { branch = 'main', format = 'sha1' }: { branch?: string; format?: ObjectFormat } = {},
): Promise<void> {
  await runGit(git, {
    args: [
      'init',
      '--quiet',
      '--bare',
      '--template=',
      `--object-format=${format}`,
      `--initial-branch=${branch}`,
      '--',
      folder,
    ],
    // Some of our own code reads references as files. Older versions know nothing else.
    environment: { GIT_DEFAULT_REF_FORMAT: 'files' },
  })
}
