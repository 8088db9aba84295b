import { checkRemote } from '../../../../integrations/git/remotes/check-remote.ts'
import { fetchMirror } from '../../../../integrations/git/mirrors/fetch-mirror.ts'
import { fetchPullRequest } from '../../../../integrations/git/mirrors/fetch-pull-request.ts'
import type { Repository } from '../../../../integrations/git/git.ts'
import { resolveReference } from '../../../../integrations/git/resolve-reference.ts'
import { mergeBase } from '../../../../integrations/git/trees/ancestry.ts'
import { logCommits } from '../../../../integrations/git/trees/commit-history.ts'
import { mergeOf } from '../../../../integrations/git/trees/history-of-changes.ts'
import { AppError } from '../../../../lib/errors.ts'
import type { AboutChangeColumn } from '../../../../store/columns.ts'
import { describeAboutChange } from '../../about-change.ts'
import { TurnFailure } from '../../turns/turn-failure.ts'
import type { TurnRun } from '../../turns/turn-run.ts'
import { gitHistory } from '../../workspace/git-history.ts'

/** A change in the repository that has it. */
export interface FoundChange {
  repository: Repository
  from: string
  to: string
  message: string
}

const fetchDeadline = 300_000
const mostSubjects = 50

/** What is needed to find a change of a project. */
export type ChangeFinder = Pick<TurnRun, 'project' | 'forge' | 'signal'>

/**
 * Finds a change of code.
 * @param head the commit of the documentation, whose repository is fetched already
 * @throws TurnFailure `change_not_found`, and passing errors of the host
 */
export async function findChange(
  run: ChangeFinder,
  about: AboutChangeColumn,
  head: string,
): Promise<FoundChange> {
  try {
    const place = await openPlace(run, about, head)
    if (about.pullRequest !== undefined)
      return await ofPullRequest(run, place, about.pullRequest, about.commit)
    if (about.range !== undefined) return await ofRange(run, place, about.range)
    const history = gitHistory(place.repository, place.head)
    const { id, parent, message } = await history.show(about.commit ?? '', '')
    return { repository: place.repository, from: parent, to: id, message }
  } catch (error) {
    if (!(error instanceof AppError) || !['not_found', 'invalid', 'too_large'].includes(error.code))
      throw error
    const message = `The change that this job is about, ${describeAboutChange(about)}, cannot be read: ${error.message}`
    throw new TurnFailure('change_not_found', message, { cause: error })
  }
}

type Place = Awaited<ReturnType<typeof openPlace>>

async function openPlace(
  { project, signal }: ChangeFinder,
  { repository: name }: AboutChangeColumn,
  head: string,
) {
  if (name === undefined) return { repository: project.repository, remote: project.remote, head, isOwn: true }
  const context = project.settings.contextRepositories.find((one) => one.name === name)
  if (context === undefined)
    throw new AppError(
      'not_found',
      `the project no longer has the context repository ${JSON.stringify(name)}`,
    )
  const { repository, remote } = await context.open()
  await fetchMirror(repository, remote, { signal, deadline: fetchDeadline })
  const branch = context.ref ?? (await checkRemote(repository.git, remote, { signal })).branch
  const commit = await resolveReference(repository, `refs/heads/${branch}`)
  if (commit === undefined) throw new AppError('not_found', `there is no branch ${JSON.stringify(branch)}`)
  return { repository, remote, head: commit, isOwn: false }
}

async function ofRange(
  { signal }: ChangeFinder,
  { repository, head }: Place,
  range: string,
): Promise<FoundChange> {
  const [first = '', last = ''] = range.split(/\.{2,3}/)
  const history = gitHistory(repository, head)
  const [{ id: start }, { id: to }] = await Promise.all([history.show(first, ''), history.show(last, '')])
  const from = (await mergeBase(repository, start, to)) ?? start
  return { repository, from, to, message: await subjects(repository, from, to, signal) }
}

async function ofPullRequest(
  { forge, signal }: ChangeFinder,
  { repository, remote, head, isOwn }: Place,
  number: number,
  known: string | undefined,
): Promise<FoundChange> {
  const local = isOwn && remote.kind === 'folder' ? await forge.read(number) : undefined
  const own =
    local === undefined
      ? await fetchPullRequest(repository, remote, number, { signal, deadline: fetchDeadline })
      : await resolveReference(repository, `refs/heads/${local.head}`)
  // A host that shows none to git may have its branch beside the others.
  const to = own ?? (known === undefined ? undefined : await resolveReference(repository, known))
  if (to === undefined)
    throw new AppError('not_found', 'git cannot see it there: name its commits as a range, from..to')
  const base = await mergeBase(repository, to, head)
  if (base === undefined) throw new AppError('not_found', 'it has nothing in common with the branch')
  if (base !== to)
    return { repository, from: base, to, message: await subjects(repository, base, to, signal) }
  // It was merged as it is: the merge says what it brought.
  const merge = await mergeOf(repository, to, head)
  if (merge === undefined)
    throw new AppError(
      'not_found',
      'it was merged without a merge commit: name its commits as a range, from..to',
    )
  const message = await subjects(repository, merge.parent, to, signal)
  return { repository, from: merge.parent, to: merge.id, message }
}

async function subjects(
  repository: Repository,
  from: string,
  to: string,
  signal: AbortSignal,
): Promise<string> {
  const commits = await logCommits(repository, { from, to, limit: mostSubjects, signal })
  return commits.map(({ id, subject }) => `${id.slice(0, 9)} ${subject}`).join('\n')
}
