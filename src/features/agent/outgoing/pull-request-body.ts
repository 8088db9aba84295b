import type { ChangeColumn, CheckColumn, PageColumn, RelatedColumn } from '../../../store/columns.ts'
import { withoutSecrets } from '../policy/find-secrets.ts'
import { codeSpan as code, type Printer } from './print.ts'

const maxLength = 60_000
const maxTail = 30_000
const listed = 100
/** The most problems listed at the top of a draft. */
const mostListed = 30

export interface RequestBody {
  /** The turns of this pull request, in order. A turn without a summary has changed nothing worth reporting. */
  turns: readonly { n: number; prompt: string; summary: string | null }[]
  changes: readonly ChangeColumn[]
  /** The reason for each path; the newest turn's reason counts. */
  pages: readonly PageColumn[]
  checks: readonly CheckColumn[]
  /** The changes are published although problems are left. */
  draft: boolean
  /** A person decided to publish what a turn that ended early has left. */
  decided?: { turn: number; reason: string } | undefined
  /** The pull request is open already, and was not made a draft because of problems. */
  ready?: boolean
  newHosts: readonly string[]
  /** Files whose conflicts with the base were resolved. */
  conflicts: readonly string[]
  related: readonly RelatedColumn[]
  model: string
  /** The page of the job, and the API path for messages to it. */
  link: string
  messagePath: string
  /** The gap that the job was made for, and its API path. */
  gap?: { id: string; path: string } | undefined
}

/**
 * The description for maintainers as Markdown: what was changed and why, which pages, how it was checked, and how
 * to continue.
 * @param print prints texts of the model, the client and the repository
 */
export function pullRequestBody(input: RequestBody, print: Printer): string {
  const reported = input.turns.filter((turn) => turn.summary !== null)
  const tail = cutLines(
    [
      section('Changed pages', list(input.changes, changeLine(input.pages, print))),
      section(
        'Conflicts resolved',
        list(input.conflicts, (path) => `- ${code(path)}`),
      ),
      section('Checks', checks(input, print)),
      section(
        'New external hosts',
        list(input.newHosts, (host) => `- ${code(host)}`),
      ),
      section(
        'Other open pull requests touch the same pages',
        list(input.related, (request) => relatedLine(request, print)),
      ),
      section('Asked for', reported.map((turn) => quote(turn.prompt, reported.length, print)).join('\n\n')),
    ]
      .filter((part) => part !== undefined)
      .join('\n\n'),
    maxTail,
  )
  const origin =
    input.gap === undefined
      ? ''
      : `Readers asked about this: see the gap ${code(input.gap.id)} among those of the project in Docwright, or \`GET ${input.gap.path}\`. After the merge their questions are asked again.\n\n`
  const foot = `---\n${origin}Made by Docwright (${code(input.model)}). To ask for more, send a message to [the job](${input.link}), or \`POST ${input.messagePath}\`; comments here are read with it. To stop, close this pull request.`
  const head = [draftNote(input, print), deletedNote(input)].filter((note) => note !== undefined).join('\n\n')
  const room = maxLength - tail.length - foot.length - head.length - 20 * reported.length - 100
  const summaries = reported.map((turn, index) => {
    const text = print.block(
      turn.summary ?? '',
      Math.floor(index === 0 ? room / 2 : room / 2 / (reported.length - 1)),
    )
    return index === 0 ? text : `### Follow-up\n\n${text}`
  })
  return [head, ...summaries, tail, foot].filter((part) => part !== '').join('\n\n')
}

function section(title: string, text: string): string | undefined {
  return text === '' ? undefined : `## ${title}\n\n${text}`
}

// Why the request is a draft, for those who open it: a decision, files that were left out, problems that are left.
function draftNote({ draft, ready, decided, checks }: RequestBody, print: Printer): string | undefined {
  const errors = checks.filter(({ severity }) => severity === 'error')
  const leftOut = errors.filter(({ check }) => check === 'policy')
  const problems = errors.filter(({ check }) => check !== 'policy')
  const looked = checks.filter(({ check }) => check === 'look')
  if (!draft || (errors.length === 0 && looked.length === 0 && decided === undefined)) return undefined
  const parts: string[] = []
  const note = (text: string): string =>
    parts.length > 0 ? `> ${text}` : `> **${ready === true ? 'Not finished' : 'Draft'}:** ${text}`
  if (decided !== undefined) {
    const why = `The agent had not finished it: ${print.line(decided.reason, 500)}`
    parts.push(note(`A person decided to publish what turn ${decided.turn} had changed. ${why}`))
  }
  if (leftOut.length > 0) {
    const changes = leftOut.length === 1 ? 'One change was' : 'Some changes were'
    parts.push(note(`${changes} left out of this pull request.`), listOf(leftOut, print))
  }
  if (problems.length > 0) {
    const count = problems.length === 1 ? 'One problem is' : `${problems.length} problems are`
    parts.push(note(`${count} left that the agent could not fix.`), listOf(problems, print))
  }
  if (looked.length > 0) {
    const count = looked.length === 1 ? 'One place is' : `${looked.length} places are`
    parts.push(note(`${count} to be looked at before it is merged.`), listOf(looked, print))
  }
  return parts.join('\n\n')
}

function listOf(errors: readonly CheckColumn[], print: Printer): string {
  const more = errors.length > mostListed ? `\n- and ${errors.length - mostListed} more` : ''
  return `${list(errors.slice(0, mostListed), checkLine(print))}${more}`
}

/** What a reviewer must not overlook. */
function deletedNote({ changes }: RequestBody): string | undefined {
  const deleted = changes.filter(({ status }) => status === 'deleted').map(({ path }) => path)
  if (deleted.length === 0) return undefined
  const count = deleted.length === 1 ? 'One file' : `${deleted.length} files`
  return `> **Deleted:** ${count}.\n\n${list(deleted, (path) => `- ${code(path)}`)}`
}

function checks({ checks: found, draft }: RequestBody, print: Printer): string {
  if (found.length === 0) return 'No new problems were found.'
  // What was left out stands at the top alone.
  const errors = found.filter(({ severity, check }) => severity === 'error' && check !== 'policy')
  const warnings = found.filter(({ severity, check }) => severity !== 'error' && check !== 'look')
  const parts = [
    errors.length === 0
      ? 'No new problems were found.'
      : draft && errors.length <= mostListed
        ? 'The problems listed at the top are left.'
        : list(errors, checkLine(print)),
  ]
  if (warnings.length > 0) parts.push(`Warnings:\n\n${list(warnings.slice(0, 30), checkLine(print))}`)
  return parts.join('\n\n')
}

function list<T>(items: readonly T[], line: (item: T) => string): string {
  const lines = items.slice(0, listed).map(line)
  if (items.length > listed) lines.push(`- and ${items.length - listed} more`)
  return lines.join('\n')
}

function changeLine(pages: readonly PageColumn[], print: Printer): (change: ChangeColumn) => string {
  const reasons = new Map(pages.map((page) => [page.path, page]))
  return (change) => {
    const from = change.oldPath === null ? '' : ` (from ${code(change.oldPath)})`
    const counted = `${change.status}, +${change.additions} −${change.deletions}`
    const page = reasons.get(change.path)
    const why = page === undefined || page.reason === '' ? '' : `: ${print.line(page.reason, 300)}`
    const sources = (page?.sources ?? []).map((source) => (source === 'the prompt' ? source : code(source)))
    const rests = sources.length === 0 ? '' : ` Source: ${sources.join(', ')}.`
    return `- ${code(change.path)}${from} (${counted})${why}${rests !== '' && !/[.!?…]$/.test(why) ? '.' : ''}${rests}`
  }
}

function checkLine(print: Printer): (check: CheckColumn) => string {
  return (check) => {
    const place = check.line === null ? check.path : `${check.path}:${check.line}`
    return `- ${code(place)} ${print.line(check.check, 50)}: ${print.line(check.message, 300)}`
  }
}

function relatedLine({ number, link, title, pages }: RelatedColumn, print: Printer): string {
  const name = `#${number} ${print.line(title.replaceAll(/[[\]]/g, ''), 100)}`
  const reference = link === null || /[()\s<>]/.test(link) ? name : `[${name}](${link})`
  return `- ${reference}: ${pages.slice(0, 5).map(code).join(', ')}`
}

function quote(text: string, turns: number, print: Printer): string {
  return print
    .block(withoutSecrets(text), Math.max(200, Math.floor(9000 / Math.max(3, turns))))
    .split('\n')
    .map((line) => `> ${line}`)
    .join('\n')
}

function cutLines(text: string, length: number): string {
  if (text.length <= length) return text
  return `${text.slice(0, text.lastIndexOf('\n', length)).toWellFormed()}\n\n…`
}
