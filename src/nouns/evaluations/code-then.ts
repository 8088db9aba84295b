import type { PastChange } from '../../features/impact/past-changes.ts'
import type { Repository } from '../../integrations/git/git.ts'
import { runGit } from '../../integrations/git/process/run-git.ts'
import { commitBefore, resolveAbbreviated } from '../../integrations/git/trees/commit-history.ts'
import { requireCommit } from '../../integrations/git/working-copy.ts'

/** Code in another repository. */
export interface CodeThen {
  repository: Repository
  /**
   * Where the code ends for a change of the docs: as it was then. `about` is the change of the code that the message names by the
   * address of a commit or pull request, or as `owner/name#12`.
   */
  endFor(change: PastChange, message: string): Promise<{ end: string; about?: string } | undefined>
}

export async function openCode(repository: Repository): Promise<CodeThen> {
  const head = await requireCommit(repository, 'HEAD')
  return {
    repository,
    async endFor({ date }, message) {
      const about = await namedChange(repository, head, message)
      const then = await commitBefore(repository, head, date.toISOString().replace(/\.\d+/, ''))
      if (about === undefined) return then === undefined ? undefined : { end: then }
      // Docs are often merged before the code that they are about.
      const isThere = then !== undefined && (await isWithin(repository, about, then))
      return { end: isThere ? then : about, about }
    },
  }
}

async function namedChange(
  repository: Repository,
  head: string,
  message: string,
): Promise<string | undefined> {
  const [, id] = /\/commits?\/([0-9a-f]{7,64})\b/.exec(message) ?? []
  const commit = id === undefined ? undefined : await resolveAbbreviated(repository, id)
  if (commit !== undefined && (await isWithin(repository, commit, head))) return commit
  const [, number] = /(?:\/pull\/|\/merge_requests\/|[\w.-]\/[\w.-]{1,100}#)(\d{1,9})\b/.exec(message) ?? []
  return number === undefined ? undefined : pullRequestIn(repository, head, number)
}

/** What a branch has of a pull request: the squashed commit, or the merge. */
async function pullRequestIn(
  repository: Repository,
  head: string,
  number: string,
): Promise<string | undefined> {
  const { stdout } = await runGit(repository.git, {
    args: [
      'log',
      '--first-parent',
      '--no-show-signature',
      '--extended-regexp',
      `--grep=^.* \\(#${number}\\)$|^Merge pull request #${number} |^See merge request .*!${number}$`,
      '--format=%H',
      '-n',
      '1',
      head,
    ],
    folder: repository.folder,
    deadline: 60_000,
  })
  return stdout.toString().trim() || undefined
}

async function isWithin({ git, folder }: Repository, commit: string, end: string): Promise<boolean> {
  const args = ['merge-base', '--is-ancestor', commit, end]
  return (await runGit(git, { args, folder, answers: [1, 128] })).code === 0
}
