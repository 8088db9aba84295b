import { short, type Outcome } from './outcome.ts'
import { counted } from '../../lib/text/counted.ts'

export interface Finish {
  title: string
  summary: string
  noChange?: boolean
  /** None of the requests was understood. */
  notUnderstood?: boolean
}

const longestTitle = 70
const mostLines = 100
const longestSummary = 60_000

/**
 * Composes the input of `finish`: a title for the pull request, and a summary of what was done and what was left
 * and why.
 */
export function composeFinish(outcomes: readonly Outcome[]): Finish {
  const done = outcomes.filter((outcome) => outcome.changed.length > 0)
  const sections = outcomes.map((outcome) => section(outcome, outcomes.length > 1))
  const summary = sections.join('\n\n').slice(0, longestSummary)
  if (done.length > 0) return { title: titleOf(done), summary }
  const notUnderstood = outcomes.length > 0 && outcomes.every((outcome) => outcome.notUnderstood)
  return {
    title: titleOf(outcomes),
    summary,
    noChange: true,
    ...(notUnderstood && { notUnderstood }),
  }
}

interface Aftermath {
  repaired: readonly string[]
  failed: readonly string[]
  /** Violations of the policy whose file is again as it was. */
  reverted: readonly string[]
  /** Problems without an unambiguous fix. */
  rest: readonly { path: string; line: number; message: string }[]
}

/**
 * Composes the input of the second `finish` after the first was refused: what was fixed since, and what a person
 * has to check.
 */
export function composeSecondFinish(
  { title, summary, noChange }: Finish,
  refused: { message: string; changed?: string[] | undefined; violations: readonly string[] },
  { repaired, failed, rest, reverted }: Aftermath,
): Finish {
  const parts = [summary]
  if (repaired.length > 0) parts.push(`Repaired after the checks:\n\n${list(repaired)}`)
  if (reverted.length > 0)
    parts.push(
      `Of the files above, not changed after all, because the policy does not allow it:\n\n${list(reverted.map(asText))}`,
    )
  const open = [
    ...refused.violations.filter((violation) => !reverted.includes(violation)).map(asText),
    ...rest.map((problem) => `\`${problem.path}:${problem.line}\`: ${asText(short(problem.message, 300))}`),
    ...failed,
  ]
  if (open.length > 0) parts.push(`The checks say:\n\n${list(open)}`)
  else if (repaired.length + reverted.length === 0 && refused.message !== '')
    parts.push(`The checks say: ${asText(short(refused.message, 500))}`)
  // A request that then failed has changed something after all.
  const kept = noChange === true && refused.changed === undefined
  return { title, summary: parts.join('\n\n').slice(0, longestSummary), ...(kept ? { noChange } : {}) }
}

/** Composes the input of the second `finish` where all changes were taken back. */
export function composeUndone({ title }: Finish, reverted: readonly string[]): Finish {
  const summary = `Nothing was changed, because the policy does not allow it:\n\n${list(reverted.map(asText))}`
  return { title, summary: summary.slice(0, longestSummary), noChange: true }
}

function titleOf(done: readonly Outcome[]): string {
  const [first = '', ...others] = done.map((outcome) => outcome.title)
  if (others.length === 0) return fit(first)
  const [second = ''] = others
  const both = `${first} and ${second.charAt(0).toLowerCase()}${second.slice(1)}`
  if (others.length === 1 && both.length < longestTitle) return both
  const more = ` and ${counted(others.length, 'more change')}`
  return `${short(first, longestTitle - 1 - more.length)}${more}`
}

/** Shortens quoted texts before other words of the title. */
function fit(title: string): string {
  if (title.length < longestTitle) return title
  const quoted = title.match(/"[^"]*"/g)?.length ?? 0
  const spare = longestTitle - 1 - title.replace(/"[^"]*"/g, '""').length
  const each = Math.max(8, Math.floor(spare / Math.max(1, quoted)))
  const shorter = title.replace(/"([^"]*)"/g, (_, text: string) => `"${short(text, each)}"`)
  return short(shorter, longestTitle - 1)
}

function section(outcome: Outcome, several: boolean): string {
  const parts = several ? [`**${outcome.title}**`, outcome.what] : [outcome.what]
  if (outcome.changed.length > 0) parts.push(list(outcome.changed))
  if (outcome.left.length > 0) parts.push(`Left as it was:\n\n${list(outcome.left)}`)
  return parts.join('\n\n')
}

/** What checks say is text: a tag or a link that they quote is shown and does nothing. */
function asText(message: string): string {
  return message.replace(/[\\<&[\]*`]/g, '\\$&')
}

function list(lines: readonly string[]): string {
  const items = lines.slice(0, mostLines).map((line) => `- ${line.replace(/(?<!\s)[^\S\n]*\n\s*/g, ' ')}`)
  if (lines.length > mostLines) items.push(`- and ${lines.length - mostLines} more`)
  return items.join('\n')
}
