import { explainAbilities } from './explain-abilities.ts'
import { count, short, type Outcome } from './outcome.ts'

export interface Finish {
  title: string
  summary: string
  noChange?: boolean
}

const longestTitle = 70
const mostLines = 100
const longestSummary = 60_000

/** The end of a turn: a title for the pull request and what was done, left and why. */
export function composeFinish(prompt: string, outcomes: readonly Outcome[]): Finish {
  const done = outcomes.filter((outcome) => outcome.changed.length > 0)
  const all = outcomes.length > 0 ? outcomes : [explainAbilities(prompt)]
  const summary = withoutRepeats(all)
    .map((outcome) => section(outcome, all.length > 1))
    .join('\n\n')
    .slice(0, longestSummary)
  if (done.length > 0) return { title: titleOf(done), summary }
  const [only] = all
  const title = all.length === 1 && only ? only.title : 'No change'
  return { title: short(title, longestTitle), summary, noChange: true }
}

interface Aftermath {
  repaired: readonly string[]
  failed: readonly string[]
  /** Problems without a certain repair. */
  rest: readonly { path: string; line: number; message: string }[]
}

/** The end once more, after the first was refused: what was repaired since, and what a person has to look at. */
export function composeAgain(
  { title, summary, noChange }: Finish,
  refused: { message: string; changed?: string[] | undefined; violations: readonly string[] },
  { repaired, failed, rest }: Aftermath,
): Finish {
  const parts = [summary]
  if (repaired.length > 0) parts.push(`Repaired after the checks:\n\n${list(repaired)}`)
  const open = [
    ...refused.violations,
    ...rest.map((problem) => `\`${problem.path}:${problem.line}\`: ${short(problem.message, 300)}`),
    ...failed,
  ]
  if (open.length > 0) parts.push(`The checks say:\n\n${list(open)}`)
  else if (repaired.length === 0 && refused.message !== '')
    parts.push(`The checks say: ${short(refused.message, 500)}`)
  // Something was changed after all, by a request that then failed.
  const kept = noChange === true && refused.changed === undefined
  return { title, summary: parts.join('\n\n').slice(0, longestSummary), ...(kept ? { noChange } : {}) }
}

function titleOf(done: readonly Outcome[]): string {
  const [first = '', ...others] = done.map((outcome) => outcome.title)
  if (others.length === 0) return fit(first)
  const more = ` and ${count(others.length, 'more change')}`
  const both = others.length === 1 ? `${first} and ${lowerFirst(others[0] ?? '')}` : ''
  if (both !== '' && both.length < longestTitle) return both
  return `${short(first, longestTitle - 1 - more.length)}${more}`
}

/** Quoted texts give way before the words of the title do. */
function fit(title: string): string {
  if (title.length < longestTitle) return title
  const quoted = title.match(/"[^"]*"/g)?.length ?? 0
  if (quoted === 0) return short(title, longestTitle - 1)
  const spare = longestTitle - 1 - title.replace(/"[^"]*"/g, '""').length
  const each = Math.max(8, Math.floor(spare / quoted))
  const shorter = title.replace(/"([^"]*)"/g, (_, text: string) => `"${short(text, each)}"`)
  return short(shorter, longestTitle - 1)
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1)
}

/** The list of abilities once is enough. */
function withoutRepeats(outcomes: readonly Outcome[]): Outcome[] {
  let explained = false
  return outcomes.map((outcome) => {
    if (!outcome.what.startsWith('The built-in model did not understand')) return outcome
    if (!explained) {
      explained = true
      return outcome
    }
    return { ...outcome, what: `${outcome.what.split('. It works')[0]}.` }
  })
}

function section(outcome: Outcome, several: boolean): string {
  const parts: string[] = []
  if (several && outcome.title !== 'No change') parts.push(`**${outcome.title}**`)
  parts.push(outcome.what)
  if (outcome.changed.length > 0) parts.push(list(outcome.changed))
  if (outcome.left.length > 0) parts.push(`Left as it was:\n\n${list(outcome.left)}`)
  return parts.join('\n\n')
}

function list(lines: readonly string[]): string {
  const shown = lines.slice(0, mostLines).map((line) => `- ${line.replace(/(?<!\s)[^\S\n]*\n\s*/g, ' ')}`)
  if (lines.length > mostLines) shown.push(`- and ${lines.length - mostLines} more`)
  return shown.join('\n')
}
