import { z } from 'zod'
import type { CheckColumn, FailureColumn, ViolationColumn } from '../../../store/tables.ts'
import { withoutSecrets } from '../policy/find-secrets.ts'
import { withoutHidden } from '../../../lib/plain-text.ts'
import { leaveOut, withoutFiles } from './leave-out.ts'
import { notPublished } from '../turns/turn-failure.ts'
import { attentionEvent } from '../turns/end-turn.ts'
import type { NewEvent } from '../events.ts'
import { isLanguageModel } from '../model/reminders.ts'
import type { SentBack, TurnEnd } from '../turns/steps.ts'
import type { TurnRun, TurnTools } from '../turns/turn-run.ts'
import { describeViolation } from '../workspace/toolbox.ts'

const finishInput = z.object({
  title: z.string().max(1000),
  summary: z.string().min(1).max(100_000),
  noChange: z.boolean().optional(),
  pages: z
    .array(
      z.object({
        path: z.string().max(1000),
        reason: z.string().max(5000),
        sources: z.array(z.string().max(1000)).max(50).optional(),
      }),
    )
    .max(2000)
    .optional(),
})

const shown = 50
/** How often problems of the docs are returned to the model. */
const mostRounds = 3
const mostKept = 200

export interface Verdict {
  /** Returned to the model. */
  output: unknown
  end?: TurnEnd
  failure?: FailureColumn
  sentBack?: SentBack
  events: NewEvent[]
}

/** Handles a call of `finish`. `before` holds the reasons why the turn was sent back so far. */
export async function finishTurn(
  run: TurnRun,
  tools: TurnTools,
  input: unknown,
  before: readonly SentBack[],
): Promise<Verdict> {
  const parsed = finishInput.safeParse(input)
  if (!parsed.success) {
    const message = 'finish takes a title, a summary and, where nothing was changed, noChange: true'
    return { output: { error: { code: 'invalid_input', message } }, events: [] }
  }
  const { title, summary, noChange = false } = parsed.data
  const pages = (parsed.data.pages ?? []).map((page) => ({ ...page, sources: page.sources ?? [] }))
  return checkEnd(run, tools, { title, summary, noChange, pages }, before)
}

/**
 * Decides whether a turn may end like this. `noChange` despite changes and policy violations are returned to the
 * model once, problems of the docs three times. Problems that are left then are published as a draft or fail the
 * turn, as the project chooses.
 */
export async function checkEnd(
  run: TurnRun,
  { workspace, toolbox }: TurnTools,
  given: TurnEnd,
  before: readonly SentBack[],
): Promise<Verdict> {
  const end = withoutSecretsIn(given)
  const changed = workspace.changes().map((change) => change.path)
  // The built-in model fixes what it can on its first try.
  const isLast = !isLanguageModel(run.job.model) && before.length > 0
  if (changed.length === 0) return { output: { ok: true }, end, events: [] }
  if (end.noChange) {
    if (isLast || before.includes('no_change')) return { output: { ok: true }, end, events: [] }
    const message =
      'You called finish with noChange but have changed files: undo them, or finish without noChange'
    return {
      output: { ok: false, message, changed: changed.slice(0, shown) },
      sentBack: 'no_change',
      events: [],
    }
  }
  const violations = await toolbox.violations(run.signal)
  if (violations.length > 0) {
    const output = {
      ok: false,
      message: unfit,
      violations: violations.slice(0, shown).map(describeViolation),
      problems: [],
    }
    if (!isLast && !before.includes('policy')) return { output, sentBack: 'policy', events: [] }
    return withoutRefused(run, { workspace, toolbox }, end, violations, output)
  }
  const found = await toolbox.newProblems(run.signal)
  return checkProblems(run, end, found, {
    round: before.filter((why) => why === 'checks').length + 1,
    isLast,
  })
}

/**
 * Ends a turn whose model could not mend what the policy refuses: as a draft without those files where the rest stands
 * on its own, else as failed.
 */
async function withoutRefused(
  run: TurnRun,
  tools: TurnTools,
  end: TurnEnd,
  violations: readonly ViolationColumn[],
  output: unknown,
): Promise<Verdict> {
  const { code, message, files } = notPublished(violations)
  const failed: Verdict = { output, failure: { code, message, files }, events: [] }
  if (run.project.settings.onProblems === 'fail') return failed
  const leftOut = await leaveOut(run, tools, violations)
  if (leftOut === undefined) return failed
  using rest = await withoutFiles(run, tools, leftOut.paths)
  const problems = await rest.toolbox.newProblems(run.signal)
  if (problems.some(({ severity }) => severity === 'error')) return failed
  const why = leftOut.violations.slice(0, 3).map(describeViolation).join('; ')
  const attention = `Part of the changes was left out, because the policy refuses it: ${why}. ${whereListed(run)}`
  return {
    output: { ok: true },
    end: withoutSecretsIn({ ...end, draft: true, leftOut }),
    events: [attentionEvent('policy', attention)],
  }
}

/**
 * Removes hidden characters and secrets from all texts of the turn's end, which are shown in the job, webhooks, the
 * pull request and the commit.
 */
export function withoutSecretsIn(end: TurnEnd): TurnEnd {
  return {
    ...end,
    title: end.title === undefined ? undefined : plain(end.title),
    summary: plain(end.summary),
    pages: end.pages.map((page) => ({
      path: plain(page.path),
      reason: plain(page.reason),
      sources: page.sources.map(plain),
    })),
    ...(end.leftOut && {
      leftOut: {
        ...end.leftOut,
        violations: end.leftOut.violations.map((one) => ({ ...one, message: plain(one.message) })),
      },
    }),
    ...(end.decided && { decided: { ...end.decided, reason: plain(end.decided.reason) } }),
  }
}

// Hidden characters are removed first, because they could split a secret.
function plain(text: string): string {
  return withoutSecrets(withoutHidden(text))
}

const unfit = 'Your changes are not ready to be published: fix what is listed, then call finish again'

function checkProblems(
  run: TurnRun,
  end: TurnEnd,
  found: readonly CheckColumn[],
  { round, isLast }: { round: number; isLast: boolean },
): Verdict {
  const problems = found.filter(({ severity }) => severity === 'error')
  const warnings = found.filter(({ severity }) => severity === 'warning')
  const checks: NewEvent = {
    type: 'checks',
    data: { round, errors: problems.length, warnings: warnings.length, first: found.slice(0, 20) },
  }
  if (problems.length === 0) return { output: { ok: true }, end, events: [checks] }
  const output = {
    ok: false,
    message: unfit,
    problems: problems.slice(0, shown),
    // Warnings are reported only once, because they need not be fixed.
    ...(round === 1 && warnings.length > 0 && { warnings: warnings.slice(0, shown) }),
  }
  if (!isLast && round <= mostRounds) return { output, sentBack: 'checks', events: [checks] }
  const message = `The changes still have ${countOf(problems)}: ${problems.slice(0, 3).map(describe).join('; ')}`
  if (run.project.settings.onProblems === 'fail') {
    const failure = {
      code: 'checks',
      message: `${message}. They are kept: send a message to go on`,
      files: problems
        .slice(0, mostKept)
        .map(({ path, line, message: what }) => ({ path, line, message: what })),
    }
    return { output, failure, events: [checks] }
  }
  return {
    output: { ok: true },
    end: { ...end, draft: true, problems: problems.slice(0, mostKept) },
    events: [checks, attentionEvent('problems', `${message}. ${whereListed(run)}`)],
  }
}

// A pull request that is ready for review stays ready, because people may have begun to read it.
function whereListed({ job }: TurnRun): string {
  return job.pull_request?.state === 'open' && !job.draft_for_checks
    ? 'They are listed in the pull request'
    : 'The pull request is a draft'
}

function countOf(problems: readonly CheckColumn[]): string {
  return problems.length === 1 ? 'a problem' : `${problems.length} problems`
}

function describe({ path, line, message }: CheckColumn): string {
  return `${path}${line === null ? '' : `:${line}`}: ${message}`
}
