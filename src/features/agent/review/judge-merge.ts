import { listCommits } from '../../../integrations/git/trees/list-commits.ts'
import { mostBehind } from '../../../integrations/forges/local/merge-pull-request.ts'
import { mergeTrees } from '../../../integrations/git/trees/merge-trees.ts'
import type { Repository } from '../../../integrations/git/git.ts'
import { resolveBranches } from '../../../integrations/git/resolve-reference.ts'
import { AppError } from '../../../lib/errors.ts'
import type { Job } from '../jobs.ts'
import type { ReviewedComment } from './read-review.ts'

/** Something that speaks against merging, or that is good to know before. */
export interface MergeReason {
  code:
    | 'conflicts'
    | 'not_possible'
    | 'draft'
    | 'problems'
    | 'claims'
    | 'warnings'
    | 'comments_not_sent'
    | 'comments_open'
    | 'at_work'
    | 'question'
    | 'not_published'
    | 'base_moved'
  /** `blocker`: git or the repository refuses. `doubt`: a person should not merge yet. */
  weight: 'blocker' | 'doubt' | 'note'
  /** A sentence. */
  message: string
}

/** Whether a pull request can be merged, and whether it should be. */
export interface MergeJudgement {
  verdict: 'ready' | 'not_yet' | 'blocked' | 'merged' | 'closed'
  reasons: MergeReason[]
}

/** A pull request with what git says about merging it. */
export interface JudgedRequest {
  state: 'open' | 'merged' | 'closed'
  draft: boolean
  base: string
  conflicts: readonly string[]
  /** What is in the way, and what to do about it, as far as it is known. */
  obstacle: string | undefined
  /** Commits of the base that it does not have; at most `mostBehind`. */
  behind: number
}

const mostNamed = 5

export function judgeMerge(
  request: JudgedRequest,
  job: Pick<Job, 'status' | 'checks' | 'kept' | 'question'> | undefined,
  comments: readonly Pick<ReviewedComment, 'state'>[],
): MergeJudgement {
  if (request.state !== 'open') return { verdict: request.state, reasons: [] }
  const reasons = [...gitReasons(request), ...jobReasons(request, job), ...commentReasons(comments)]
  const weights = new Set(reasons.map(({ weight }) => weight))
  const verdict = weights.has('blocker') ? 'blocked' : weights.has('doubt') ? 'not_yet' : 'ready'
  return { verdict, reasons: reasons.toSorted((a, b) => order[a.weight] - order[b.weight]) }
}

const order = { blocker: 0, doubt: 1, note: 2 }

function gitReasons({ base, conflicts, obstacle, behind }: JudgedRequest): MergeReason[] {
  if (conflicts.length > 0)
    return [
      {
        code: 'conflicts',
        weight: 'blocker',
        message:
          obstacle === undefined
            ? `It conflicts with ${base}: both changed ${listed(conflicts)}.`
            : `${obstacle}.`,
      },
    ]
  if (obstacle !== undefined) return [{ code: 'not_possible', weight: 'blocker', message: `${obstacle}.` }]
  if (behind === 0) return []
  const commits =
    behind === 1 ? 'one commit' : `${behind >= mostBehind ? `${mostBehind} or more` : behind} commits`
  return [
    {
      code: 'base_moved',
      weight: 'note',
      message: `${base} has moved on by ${commits} since, without a conflict.`,
    },
  ]
}

function jobReasons(
  { draft }: JudgedRequest,
  job: Pick<Job, 'status' | 'checks' | 'kept' | 'question'> | undefined,
): MergeReason[] {
  const all = (job?.checks ?? []).filter(({ severity }) => severity === 'error')
  const leftOut = [...new Set(all.filter(({ check }) => check === 'policy').map(({ path }) => path))]
  const errors = all.filter(({ check }) => check !== 'policy').length
  const problems = [
    ...(leftOut.length > 0 ? [`It was published without ${listed(leftOut)}: the job keeps that.`] : []),
    ...(errors > 0
      ? [errors === 1 ? 'The checks found a problem.' : `The checks found ${errors} problems.`]
      : []),
  ]
  const claims = (job?.checks ?? []).filter(({ check }) => check === 'claim').length
  const doubts: [MergeReason['code'], boolean, string][] = [
    ['at_work', job?.status === 'active', 'The job is still running.'],
    ['question', job?.question !== undefined, 'The agent has a question that isn’t answered yet.'],
    ['problems', problems.length > 0, problems.join(' ')],
    ['claims', claims > 0, 'The description says what the changes do not show: it is listed under Checks.'],
    [
      'draft',
      draft,
      problems.length > 0
        ? 'It is a draft because of that.'
        : 'It is a draft: someone should look at it before it is merged.',
    ],
    [
      'not_published',
      job?.kept !== undefined && leftOut.length === 0,
      'The job keeps changes that it has not published: they are not in it.',
    ],
  ]
  const warnings = warningsOf(job?.checks ?? []).length
  const note: MergeReason = {
    code: 'warnings',
    weight: 'note',
    message: warnings === 1 ? 'The checks have a warning.' : `The checks have ${warnings} warnings.`,
  }
  return [
    ...doubts.flatMap(([code, holds, message]): MergeReason[] =>
      holds ? [{ code, weight: 'doubt', message }] : [],
    ),
    ...(warnings > 0 ? [note] : []),
  ]
}

/** What the checks found that is no error, and no place or sentence that is named by itself. */
export function warningsOf<Check extends { check: string; severity: string }>(
  checks: readonly Check[],
): Check[] {
  return checks.filter(
    ({ check, severity }) => severity === 'warning' && check !== 'look' && check !== 'claim',
  )
}

function commentReasons(comments: readonly Pick<ReviewedComment, 'state'>[]): MergeReason[] {
  const count = (...states: ReviewedComment['state'][]): number =>
    comments.filter(({ state }) => states.includes(state)).length
  const [unsent, open] = [count('draft'), count('unchanged', 'failed')]
  return [
    ...(unsent === 0
      ? []
      : [
          {
            code: 'comments_not_sent' as const,
            weight: 'doubt' as const,
            message: `${unsent === 1 ? 'One comment was' : `${unsent} comments were`} not sent to the agent yet.`,
          },
        ]),
    ...(open === 0
      ? []
      : [
          {
            code: 'comments_open' as const,
            weight: 'doubt' as const,
            message: `${open === 1 ? 'One comment is' : `${open} comments are`} not resolved: the lines are as they were.`,
          },
        ]),
  ]
}

function listed(paths: readonly string[]): string {
  const named = paths.slice(0, mostNamed).map((path) => path.slice(0, 200))
  const rest = paths.length - named.length
  return rest === 0 ? named.join(', ') : `${named.join(', ')} and ${rest} more`
}

/** What merging a branch would do, as far as the mirror knows; for requests that only their host merges. */
export async function tryMerge(
  repository: Repository,
  names: { base: string; head: string },
): Promise<Pick<JudgedRequest, 'conflicts' | 'obstacle' | 'behind'>> {
  const [base, head] = await resolveBranches(repository, [names.base, names.head])
  if (base === undefined || head === undefined)
    return {
      conflicts: [],
      behind: 0,
      obstacle: `The branch ${JSON.stringify(head === undefined ? names.head : names.base)} no longer exists from the repository`,
    }
  try {
    const merge = await mergeTrees(repository, base, head)
    const { length: behind } = await listCommits(repository, { from: head, to: base, limit: mostBehind })
    return { conflicts: merge.clean ? [] : merge.conflicts, obstacle: undefined, behind }
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'conflict') throw error
    return { conflicts: [], obstacle: error.message, behind: 0 }
  }
}
