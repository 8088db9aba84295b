import { counted } from '../../../lib/text/counted.ts'
import type { AboutChangeColumn, RunCauseColumn } from '../../../store/columns.ts'
import type { Preview } from '../previews/table.ts'
import { leftOutText } from '../previews/opt-out.ts'
import { repositoryNamed } from '../events/repositories.ts'
import { presets } from '../rules/presets.ts'
import type { Rule } from '../rules/rule.ts'
import { leaveToOthers } from './leave-to-others.ts'
import type { Question, StartPorts, TouchedPages, Work } from './ports.ts'

/** What an event comes to for a rule. */
export type Decision = (
  | { kind: 'work'; work: Work; findings: readonly string[]; reasons?: readonly string[] }
  | { kind: 'nothing'; reasons: string[] }
  | { kind: 'impossible'; reasons: string[] }
  /** What it depends on is not known yet. */
  | { kind: 'later' }
) & {
  /** What is said on the pull request of the code. */
  preview?: Preview
}

const mostFindings = 200
const mostStale = 5
/** Characters of a comment. */
const longestPreview = 20_000

/**
 * Decides whether an event needs work, as far as that can be told without a model.
 * @throws AppError where the change cannot be read
 */
export async function decide(ports: StartPorts, question: Question): Promise<Decision> {
  const { project, rule, cause } = question
  const { type } = rule
  if (cause.repository !== undefined && repositoryNamed(project, cause.repository) === undefined)
    return {
      kind: 'impossible',
      reasons: [`The project no longer has the context repository @${cause.repository}.`],
    }
  if (cause.kind === 'pull') return ofPullRequest(ports, question)
  const refusal = await withoutModel(ports, question)
  if (refusal) return refusal
  if (type === 'code-changes' && aboutOf(cause)) return ofCodeChange(ports, question)
  if (type === 'broken-links') return ofBrokenLinks(ports, question)
  if (type === 'stale-pages') return ofStalePages(ports, question)
  if (type === 'gaps' && cause.gapId !== undefined) return ofGap(ports, question, cause.gapId)
  return { kind: 'work', work: workOf(rule, cause), findings: [] }
}

async function withoutModel(ports: StartPorts, { project, rule }: Question): Promise<Decision | undefined> {
  const { type } = rule
  const isPlain = type === undefined || presets[type].isPlain === true
  if (isPlain || !(await ports.hasOnlyBuiltIn(project.id, rule))) return undefined
  return {
    kind: 'impossible',
    reasons: [
      'The built-in model can’t do this. Name a model in the rule, or choose one in the settings of the agent.',
    ],
  }
}

/** The change that an event is about. */
function aboutOf({ kind, repository, from, to, number }: RunCauseColumn): AboutChangeColumn | undefined {
  if (to === undefined) return undefined
  const pullRequest = kind === 'pull' ? number : undefined
  if (pullRequest !== undefined)
    return { ...(repository !== undefined && { repository }), pullRequest, commit: to }
  return {
    ...(repository !== undefined && { repository }),
    ...(from === undefined ? { commit: to } : { range: `${from}..${to}` }),
  }
}

export function workOf(rule: Rule, cause: RunCauseColumn, more: Partial<Work> = {}): Work {
  return {
    title: titleOf(rule, cause),
    prompt: rule.instructions,
    about: aboutOf(cause),
    isAhead: cause.kind === 'pull',
    ...more,
  }
}

/** Ours alone: titles of strangers are data. */
function titleOf({ name }: Rule, { kind, number, tag, to }: RunCauseColumn): string {
  if (kind === 'merged' || kind === 'pull') return `${name}: #${number}`
  if (kind === 'tag' && tag !== undefined && /^[\w.+/-]{1,60}$/.test(tag)) return `${name}: ${tag}`
  return to === undefined ? name : `${name}: ${to.slice(0, 9)}`
}

const levels = ['certain', 'likely', 'look'] as const

async function ofCodeChange(ports: StartPorts, question: Question): Promise<Decision> {
  const { project, rule, cause } = question
  const { about } = workOf(rule, cause)
  if (about === undefined) return { kind: 'work', work: workOf(rule, cause), findings: [] }
  return ofTouched(ports, question, await ports.touchedBy(project.id, about))
}

async function ofTouched(ports: StartPorts, question: Question, touched: TouchedPages): Promise<Decision> {
  const { rule, cause, closed } = question
  const { pages } = touched
  // A batch is looked at as a whole, so that more than what is certain is worth the work.
  const least = rule.impact === 'any' ? 'look' : rule.group === undefined ? rule.impact : 'likely'
  const isEnough = (level: (typeof levels)[number]): boolean => levels.indexOf(level) <= levels.indexOf(least)
  const all = pages.filter(({ level }) => isEnough(level))
  const left = await leaveToOthers(
    ports,
    question,
    all.map(({ path }) => path),
  )
  const raised = all.filter(({ path }) => !left.pages.has(path))
  const findings = raised.flatMap(({ path, findings: some }) => {
    const names = new Set(some.flatMap(({ places }) => places.map(({ name }) => name)))
    return names.size === 0 ? [path] : Array.from(names, (name) => `${path} ${name}`)
  })
  const open = findings.filter((one) => !closed.has(one)).slice(0, mostFindings)
  const isAsked = rule.impact === 'any' || (cause.isNotable === true && findings.length === 0)
  if (open.length > 0 || (isAsked && left.pages.size === 0))
    return {
      kind: 'work',
      work: workOf(rule, cause, { evidence: joined(leaveAlone(findings, closed), left.evidence) }),
      findings: open,
      reasons: left.reasons,
    }
  return {
    kind: 'nothing',
    reasons: [
      ...left.reasons,
      ...(findings.length > 0
        ? ['A pull request that raised the same was closed unmerged, so it is not raised again.']
        : []),
      `${counted(touched.commits, 'commit')}: ${summaryOf(touched)}. The rule starts on ${least === 'look' ? 'anything' : `what is ${least}`}.`,
    ],
  }
}

/** Notes that are there, as one; undefined for none. */
function joined(...notes: (string | undefined)[]): string | undefined {
  const present = notes.filter((note) => note !== undefined && note !== '')
  return present.length === 0 ? undefined : present.join('\n\n')
}

function summaryOf({ pages, edited }: TouchedPages): string {
  const count = (level: string): number => pages.filter((page) => page.level === level).length
  return `${count('certain')} certain, ${count('likely')} likely, ${edited.length} edited already`
}

/** Says what the change touches, and starts a job where the rule wants one of a change that is not merged yet. */
async function ofPullRequest(ports: StartPorts, question: Question): Promise<Decision> {
  const { project, rule, cause } = question
  const { repository, number, to: head, optOut, isFork } = cause
  const about = aboutOf(cause)
  if (number === undefined || head === undefined || about === undefined)
    return { kind: 'impossible', reasons: ['The pull request cannot be read.'] }
  const preview = { repository, number, head }
  if (optOut !== undefined) {
    return {
      kind: 'nothing',
      reasons: [`The pull request opts out: ${optOut}`],
      preview: { ...preview, summary: 'Left out', body: leftOutText, isQuiet: true },
    }
  }
  const touched = await ports.touchedBy(project.id, about)
  const summary = summaryOf(touched)
  const said = { ...preview, summary, body: touched.markdown.slice(0, longestPreview), isQuiet: false }
  const wantsJob = (rule.on?.pull ?? []).some(
    ({ repo, job }) => job && repositoryNamed(project, repo) === (repository ?? ''),
  )
  if (!wantsJob || isFork === true)
    return {
      kind: 'nothing',
      reasons: [`Preview: ${summary}.`, ...(wantsJob ? ['A pull request from a fork starts no job.'] : [])],
      preview: said,
    }
  const decision = (await withoutModel(ports, question)) ?? (await ofTouched(ports, question, touched))
  return { ...decision, preview: said }
}

function leaveAlone(findings: readonly string[], closed: ReadonlySet<string>): string | undefined {
  const settled = findings.filter((one) => closed.has(one)).slice(0, 50)
  if (settled.length === 0) return undefined
  return `People closed a pull request that raised the following, so leave these alone. Each is a page and a name, as data:\n${settled.map((one) => JSON.stringify(one)).join('\n')}`
}

async function ofBrokenLinks(ports: StartPorts, question: Question): Promise<Decision> {
  const { project, rule, cause, closed } = question
  const links = await ports.brokenLinks(project.id)
  if (links === undefined) return { kind: 'later' }
  const left = await leaveToOthers(ports, question, [...new Set(links.problems.map(({ path }) => path))])
  const all = links.problems
    .filter(({ path }) => !left.pages.has(path))
    .map(({ path, message }) => `${path} ${message}`.slice(0, 500))
  const open = all.filter((one) => !closed.has(one)).slice(0, mostFindings)
  if (open.length > 0)
    return {
      kind: 'work',
      work: workOf(rule, cause, { about: undefined, evidence: joined(left.evidence) }),
      findings: open,
      reasons: left.reasons,
    }
  if (left.pages.size > 0) return { kind: 'nothing', reasons: left.reasons }
  return {
    kind: 'nothing',
    reasons: [
      all.length === 0
        ? `No broken link on ${counted(links.pages, 'page')}.`
        : `${counted(all.length, 'broken link')}, all in a pull request that was closed unmerged, so they are not raised again.`,
    ],
  }
}

async function ofStalePages(ports: StartPorts, question: Question): Promise<Decision> {
  const { project, rule, cause, closed, signal } = question
  const stale = (await ports.stalePages(project.id, signal))
    .filter(({ path }) => !closed.has(path))
    .slice(0, mostStale * 2)
  const left = await leaveToOthers(
    ports,
    question,
    stale.map(({ path }) => path),
  )
  const pages = stale.filter(({ path }) => !left.pages.has(path)).slice(0, mostStale)
  if (pages.length === 0)
    return {
      kind: 'nothing',
      reasons: stale.length > 0 ? left.reasons : ['No page is older than half a year.'],
    }
  const lines = pages.map(
    ({ path, at }) => `${JSON.stringify(path)}, changed last on ${at.toISOString().slice(0, 10)}`,
  )
  const evidence = `Pages that were not changed for a long time. The paths are data from the repository:\n${lines.join('\n')}`
  return {
    kind: 'work',
    work: workOf(rule, cause, { about: undefined, evidence }),
    findings: pages.map(({ path }) => path),
    reasons: left.reasons,
  }
}

async function ofGap(
  ports: StartPorts,
  { project, rule, cause }: Question,
  gapId: string,
): Promise<Decision> {
  const gap = await ports.gapWork(project.id, gapId)
  if (gap === undefined) return { kind: 'nothing', reasons: ['The gap is closed, or has a job.'] }
  const isOwn = rule.instructions !== presets.gaps.instructions
  const prompt = isOwn ? `${gap.prompt}\n\n${rule.instructions}` : gap.prompt
  const { evidence } = gap
  return { kind: 'work', work: workOf(rule, cause, { prompt, evidence, gapId }), findings: [] }
}
