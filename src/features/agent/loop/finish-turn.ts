import { z } from 'zod'
import type { CheckColumn, FailureColumn, ViolationColumn } from '../../../store/columns.ts'
import { choicesInput, choicesText, readChoices } from '../choices.ts'
import { judgeEvidence } from './judge-evidence.ts'
import { leaveOut, withoutFiles } from './leave-out.ts'
import { notPublished } from '../turns/turn-failure.ts'
import { attentionEvent, plainText as plain, plainViolation } from '../turns/end-turn.ts'
import type { NewEvent } from '../events.ts'
import { isLanguageModel } from '../model/reminders.ts'
import type { SentBack, Step, TurnEnd } from '../turns/steps.ts'
import type { TurnRun, TurnTools } from '../turns/turn-run.ts'
import { counted } from '../../../lib/text/counted.ts'
import { describeViolation, isHeld } from '../workspace/toolbox.ts'
import { titleWithout } from './title-without.ts'
import { conflictFailure, unresolvedConflicts } from '../workspace/merge-conflicts.ts'
import type { Toolbox } from '../workspace/toolbox.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { isRecord } from '../../../lib/is-record.ts'
import { titleOf } from '../title.ts'

const finishInput = z.object({
  title: z.string().max(1000).optional(),
  summary: z.string().min(1).max(100_000),
  description: z.string().max(100_000).optional(),
  noChange: z.boolean().optional(),
  notUnderstood: z.boolean().optional(),
  pages: z
    .array(
      z.object({
        path: z.string().max(1000),
        reason: z.string().max(5000).default(''),
        sources: z.array(z.string().max(1000)).max(50).optional(),
      }),
    )
    .max(2000)
    .optional(),
})

const mostListed = 50
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

/** Handles a call of `finish` after the `earlier` steps of the turn. */
export async function finishTurn(
  run: TurnRun,
  tools: TurnTools,
  input: unknown,
  earlier: readonly Step[],
): Promise<Verdict> {
  const parsed = finishInput.safeParse(input)
  if (!parsed.success) {
    const message = 'finish takes a summary, a title and, where nothing was changed, noChange: true'
    return { output: { error: { code: 'invalid_input', message } }, events: [] }
  }
  const { title, summary, description, noChange = false, notUnderstood } = parsed.data
  const pages = (parsed.data.pages ?? []).map((page) => ({ ...page, sources: page.sources ?? [] }))
  const end = {
    title: title ?? titleOf(summary.split(/\.\s/, 1)[0] ?? '').replace(/\.$/, ''),
    summary,
    description,
    noChange,
    notUnderstood,
    pages,
  }
  return checkEnd(run, tools, end, earlier)
}

const askInput = z.object({
  question: z.string().trim().min(1).max(10_000),
  // Choices in another form are left out: the question is what counts.
  choices: choicesInput.catch([]).default([]),
})

/** Handles a call of `ask_person`, which ends the turn. */
export function askPerson(input: unknown): Verdict {
  const parsed = askInput.safeParse(input)
  if (!parsed.success) {
    const message = 'ask_person takes a question of at most 10,000 characters'
    return { output: { error: { code: 'invalid_input', message } }, events: [] }
  }
  const choices = readChoices(parsed.data.choices.map(plain))
  const question = plain(parsed.data.question)
  const end = {
    title: undefined,
    summary: choices.length === 0 ? question : `${question}\n${choicesText(choices)}`,
    noChange: true,
    pages: [],
    asks: true,
    ...(choices.length > 0 && { choices }),
  }
  return { output: { ok: true }, end, events: [] }
}

/**
 * Decides whether a turn may end like this. `noChange` despite changes of its own and an end without a change are returned
 * to the model once, policy violations while their number shrinks, problems of the docs three times. Problems that are left then are
 * published as a draft or fail the turn, as the project chooses. What its texts say without a
 * proof is returned with either, or else once alone.
 */
export async function checkEnd(
  run: TurnRun,
  tools: TurnTools,
  given: TurnEnd,
  earlier: readonly Step[],
): Promise<Verdict> {
  const evidence = await judgeEvidence(run, tools, withoutSecretsIn(given), earlier)
  const verdict = await checkChanges(run, tools, evidence.end, earlier)
  if (evidence.told === undefined) return verdict
  if (verdict.sentBack !== undefined && isRecord(verdict.output))
    return { ...verdict, output: { ...verdict.output, ...evidence.told } }
  if (verdict.end === undefined || verdict.end.noChange || verdict.end.nothingDone !== undefined)
    return verdict
  return { output: { ok: false, message: unproven, ...evidence.told }, sentBack: 'evidence', events: [] }
}

async function checkChanges(
  run: TurnRun,
  tools: TurnTools,
  end: TurnEnd,
  earlier: readonly Step[],
): Promise<Verdict> {
  const { workspace, toolbox } = tools
  const before = earlier.flatMap(({ results }) => results?.sentBack ?? [])
  const changed = workspace.changes().map((change) => change.path)
  // The built-in model fixes what it can on its first try.
  const isLast = !isLanguageModel(run.job.model) && before.length > 0
  if (changed.length === 0) return endWithoutChange(run, tools, end, earlier)
  if (end.noChange) {
    // Work that was taken over may stay as it is: the person has only asked something.
    if (isLast || before.includes('no_change') || !hasChanged(workspace, earlier))
      return endWithoutChange(run, tools, end, earlier)
    const message =
      'You called finish with noChange but have changed files: undo them, or finish without noChange'
    return {
      output: { ok: false, message, changed: changed.slice(0, mostListed) },
      sentBack: 'no_change',
      events: [],
    }
  }
  const allViolations = await toolbox.violations(run.signal)
  const violations = allViolations.filter(isHeld)
  if (violations.length > 0) {
    const output = {
      ok: false,
      message: unfit,
      violations: violations.slice(0, mostListed).map(describeViolation),
      total: violations.length,
      problems: [],
    }
    if (!isLast && mayShrink(violations.length, earlier)) return { output, sentBack: 'policy', events: [] }
    return withoutRefused(run, tools, end, violations, output)
  }
  const problems = await toolbox.newProblems(run.signal)
  const verdict = checkProblems(run, end, problems, {
    round: before.filter((why) => why === 'checks').length + 1,
    isLast,
  })
  if (verdict.end === undefined || allViolations.length === 0) return verdict
  const places = allViolations.slice(0, 3).map(describeViolation).join('; ')
  const attention = `The pull request is a draft, because a person has to look at ${counted(allViolations.length, 'place')}: ${places}`
  return { ...verdict, events: [...verdict.events, attentionEvent('policy', plain(attention))] }
}

/** Whether the model gets violations back: at first, and while there are fewer of them each time. */
function mayShrink(count: number, earlier: readonly Step[]): boolean {
  const rounds = earlier.filter(({ results }) => results?.sentBack === 'policy')
  const outputs = rounds.at(-1)?.results?.outputs ?? []
  const last = outputs.findLast(({ name }) => name === 'finish')?.output
  const before = isRecord(last) && typeof last['total'] === 'number' ? last['total'] : 0
  return rounds.length === 0 || (rounds.length < mostRounds && count < before)
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
  const kept = rest.workspace.changes().map(({ path }) => path)
  const why = leftOut.violations.slice(0, 3).map(describeViolation).join('; ')
  const attention = `Part of the changes was left out, because the policy refuses it: ${why}. ${whereListed(run)}`
  return {
    output: { ok: true },
    end: withoutSecretsIn({
      ...end,
      title: titleWithout(end.title, leftOut.paths, kept),
      draft: true,
      leftOut,
    }),
    events: [attentionEvent('policy', attention)],
  }
}

/**
 * Judges the end of a turn that publishes no change of its own. Only a reason for that, or the merge of the base,
 * is an end at once; everything else is returned to the model once.
 */
async function endWithoutChange(
  run: TurnRun,
  { turn, workspace, toolbox }: TurnTools,
  end: TurnEnd,
  earlier: readonly Step[],
): Promise<Verdict> {
  const { base } = run.job
  const isMerged = turn.parents !== undefined
  // Changes that were made nevertheless are not published, so their markers do no harm.
  const conflicts = end.noChange && !isMerged ? [] : await unresolvedConflicts(workspace, turn.row.material)
  if (end.noChange && conflicts.length === 0 && !isMerged) return { output: { ok: true }, end, events: [] }
  const failed = failedCalls(toolbox, earlier, () => true)
  const isAgain = wasSentBack(earlier, 'unchanged')
  if (isLanguageModel(run.job.model) && !isAgain) {
    const merge = isMerged
      ? `${base} was merged in before this turn, but is not on the branch yet. If the person asked for no more than that, call finish without noChange, which publishes the merge`
      : 'Make the change that was asked for'
    const message =
      conflicts.length > 0
        ? `${unfit}. Conflicts of the merge of ${base} are not resolved, so nothing can be published`
        : end.noChange
          ? `Nothing is published with noChange. ${merge}; otherwise call finish with noChange again`
          : `No file differs from the start of this turn, so there is nothing to publish. ${merge}; or call finish with noChange: true and say in the summary why nothing was changed`
    const output = {
      ok: false,
      message,
      ...(conflicts.length > 0 && { conflicts: conflicts.slice(0, mostListed) }),
      ...(failed.length > 0 && { failed }),
    }
    return { output, sentBack: 'unchanged', events: [] }
  }
  const said = `The agent said: ${end.summary.slice(0, 1000).toWellFormed()}`
  if (conflicts.length > 0) {
    const { code, message } = conflictFailure(base, conflicts)
    return { output: { ok: true }, failure: { code, message: `${message}. ${said}` }, events: [] }
  }
  if (end.noChange) return { output: { ok: true }, end, events: [] }
  if (isMerged && !hasFailedEdits(toolbox, earlier)) {
    const title = `Merge ${base} into the branch`
    const summary = `\`${base}\` was merged in. No other file was changed.\n\n${end.summary}`
    return { output: { ok: true }, end: { ...end, title, summary, merges: true }, events: [] }
  }
  const reasons = failed.length === 0 ? '' : ` These calls had failed: ${failed.join('; ')}.`
  const nothingDone = `The agent finished without changing any files.${reasons} Send a message to try again, with more precise words if you can. ${said}`
  return { output: { ok: true }, end: { ...end, nothingDone }, events: [] }
}

/** Whether the turn itself has changed a file, beside those that it has taken over. */
export function hasChanged(workspace: Workspace, earlier: readonly Step[]): boolean {
  return workspace.isDirty || earlier.some(({ results }) => results?.changed === true)
}

export function wasSentBack(steps: readonly Step[], why: SentBack): boolean {
  return steps.some(({ results }) => results?.sentBack === why)
}

const mostFailed = 5

/** The newest calls of a turn that failed, each with its error. */
function failedCalls(
  toolbox: Toolbox,
  steps: readonly Step[],
  isWanted: (tool: string) => boolean,
): string[] {
  const failed = steps.flatMap(({ response, results }) =>
    (results?.outputs ?? []).flatMap(({ id, name, output }) => {
      const error = isRecord(output) ? output['error'] : undefined
      if (!isRecord(error) || name === 'finish' || !isWanted(name)) return []
      const call = response.calls.find((one) => one.id === id)
      const reason = typeof error['message'] === 'string' ? error['message'] : String(error['code'])
      return plain(`${toolbox.describe(name, call?.input)}: ${reason.slice(0, 200).toWellFormed()}`)
    }),
  )
  return [...new Set(failed)].slice(-mostFailed)
}

/** Whether a call failed that was meant to change a file. */
export function hasFailedEdits(toolbox: Toolbox, steps: readonly Step[]): boolean {
  return failedCalls(toolbox, steps, toolbox.changesFiles).length > 0
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
    ...(end.description !== undefined && { description: plain(end.description) }),
    pages: end.pages.map((page) => ({
      ...page,
      path: plain(page.path),
      reason: plain(page.reason),
      sources: page.sources.map(plain),
    })),
    ...(end.leftOut && {
      leftOut: {
        ...end.leftOut,
        violations: end.leftOut.violations.map(plainViolation),
      },
    }),
    ...(end.decided && { decided: { ...end.decided, reason: plain(end.decided.reason) } }),
  }
}

const unproven =
  'Nothing is wrong with the files, but what you say of them is not proven: correct what is listed, then call finish again'
const unfit = 'Your changes are not ready to be published: fix what is listed, then call finish again'

export function checkProblems(
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
    problems: problems.slice(0, mostListed),
    // Warnings are reported only once, because they need not be fixed.
    ...(round === 1 && warnings.length > 0 && { warnings: warnings.slice(0, mostListed) }),
  }
  if (!isLast && round <= mostRounds) return { output, sentBack: 'checks', events: [checks] }
  const message = `The changes still have ${countOf(problems)}: ${problems.slice(0, 3).map(describeViolation).join('; ')}`
  if (run.project.settings.onProblems === 'fail') {
    const failure = {
      code: 'checks',
      message: `${message}. Your changes are saved: send a follow-up to continue`,
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
