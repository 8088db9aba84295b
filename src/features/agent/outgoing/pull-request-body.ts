import type { ChangeColumn, CheckColumn, PageColumn, RelatedColumn } from '../../../store/columns.ts'
import { describeChecks } from '../describe-checks.ts'
import { joinReasons } from '../page-reasons.ts'
import { withoutSecrets } from '../policy/find-secrets.ts'
import { codeSpan as code, type Headings, type Printer } from './print.ts'

const maxLength = 60_000
const maxTail = 30_000
const listed = 100
/** The most problems listed at the top of a draft. */
const mostListed = 30

/** What was asked for in one turn. */
export interface AskedPrompt {
  prompt: string
  /** What the agent asked in return, which the next prompt answers. */
  question?: string | undefined
  /** Why the turn came to nothing. */
  failed?: string | undefined
}

/** A change of code, and what it touches of the pages. */
export interface DocumentedChange {
  /** `@name` of a context repository; null for the repository of the docs. */
  repository: string | null
  from: string
  to: string
  /** The page of its last commit at the host. */
  link?: string | undefined
  pages: readonly { path: string; level: string }[]
}

export interface RequestBody {
  /** What the whole pull request changes and why. */
  summary: string
  /** Headings of the repository's form, which keep their level: depths by texts. */
  headings?: Headings
  /** Those of all turns, in order. */
  prompts: readonly AskedPrompt[]
  changes: readonly ChangeColumn[]
  /** The reason for each path. */
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
  /** The page of the job. */
  link: string
  /** The changes of code that it documents. */
  documents?: readonly DocumentedChange[]
  /** The id of the gap that the job was made for. */
  gap?: string | undefined
}

/**
 * The description for maintainers as Markdown: what was changed and why, which pages, how it was checked, and how
 * to continue.
 * @param print prints texts of the model, the client and the repository
 */
export function pullRequestBody(input: RequestBody, print: Printer): string {
  const tail = cutLines(
    [
      section(
        'Code change',
        list(input.documents ?? [], (one) => documentedLine(one, input)),
      ),
      section('Changed pages', changedPages(input, print)),
      section(
        'Resolved conflicts',
        list(input.conflicts, (path) => `- ${code(path)}`),
      ),
      section('Checks', checks(input, print)),
      section(
        'New external hosts',
        list(input.newHosts, (host) => `- ${code(host)}`),
      ),
      section(
        'Related pull requests',
        list(input.related, (request) => relatedLine(request, print)),
      ),
      section(
        'Prompt',
        input.prompts.map((prompt) => quote(prompt, input.prompts.length, print)).join('\n\n'),
      ),
    ]
      .filter((part) => part !== undefined)
      .join('\n\n'),
    maxTail,
  )
  const origin =
    input.gap === undefined
      ? ''
      : `Readers asked about this: see the gap ${code(input.gap)} of the project in Docwright. After the merge, Docwright retries these questions to verify the fix.\n\n`
  const foot = `---\n${origin}Created by Docwright (${code(input.model)}). To request changes, send a follow-up from [the job](${input.link}). The agent also reads comments on this pull request. To discard the changes, close it.`
  const head = [draftNote(input, print), deletedNote(input)].filter((note) => note !== undefined).join('\n\n')
  const summary = print.block(
    input.summary,
    maxLength - tail.length - foot.length - head.length - 100,
    input.headings,
  )
  return [head, summary, tail, foot].filter((part) => part !== '').join('\n\n')
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
    const why = `Reason the agent stopped: ${print.line(decided.reason, 500)}`
    parts.push(note(`Published manually from turn ${decided.turn} before the agent finished. ${why}`))
  }
  if (leftOut.length > 0) {
    const changes = leftOut.length === 1 ? 'One change was' : 'Some changes were'
    parts.push(note(`${changes} not included in this pull request.`), listOf(leftOut, print))
  }
  if (problems.length > 0) {
    const count = problems.length === 1 ? 'One problem remains' : `${problems.length} problems remain`
    parts.push(note(`${count} that the agent couldn’t fix.`), listOf(problems, print))
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

/** Which change of code it answers, and the pages that this touches and that were left as they are. */
function documentedLine(
  { repository, from, to, link, pages }: DocumentedChange,
  { changes }: RequestBody,
): string {
  const range = `${from.slice(0, 12)}..${to.slice(0, 12)}`
  const changed = new Set(changes.flatMap(({ path, oldPath }) => [path, oldPath]))
  const left = pages.filter(({ path, level }) => level !== 'look' && !changed.has(path)).slice(0, 20)
  const alone = left.map(({ path, level }) => `${code(path)} (${level})`).join(', ')
  return `- ${sourceOf(range, link)}${repository === null ? '' : ` of ${code(repository)}`}${alone === '' ? '' : `. Left alone: ${alone}`}`
}

function checks({ checks: found, draft }: RequestBody, print: Printer): string {
  // What was left out stands at the top with its reasons.
  const errors = found.filter(({ severity, check }) => severity === 'error' && check !== 'policy')
  const claims = found.filter(({ check }) => check === 'claim')
  const warnings = found.filter(
    ({ severity, check }) => severity !== 'error' && check !== 'look' && check !== 'claim',
  )
  const isListed = draft && errors.length <= mostListed
  const parts = [
    describeChecks(found, code),
    ...(errors.length === 0
      ? []
      : [isListed ? 'What is left is listed at the top.' : list(errors, checkLine(print))]),
  ]
  if (claims.length > 0)
    parts.push(
      `The description says this, which the changes do not show:\n\n${list(claims.slice(0, 10), ({ message }) => `- ${print.line(message, 300)}`)}`,
    )
  if (warnings.length > 0) parts.push(`Warnings:\n\n${list(warnings.slice(0, 30), checkLine(print))}`)
  return parts.join('\n\n')
}

function list<T>(items: readonly T[], line: (item: T) => string): string {
  const lines = items.slice(0, listed).map(line)
  if (items.length > listed) lines.push(`- and ${items.length - listed} more`)
  return lines.join('\n')
}

/** Files with the same reason stand together from this number on. */
const fewest = 3

function changedPages({ changes, pages }: RequestBody, print: Printer): string {
  const reasons = new Map(pages.map((page) => [page.path, page]))
  const lines = changes.map((change) => {
    const old = change.oldPath === null ? undefined : reasons.get(change.oldPath)
    const [page] = joinReasons(
      [old, reasons.get(change.path)].flatMap((one) =>
        one === undefined ? [] : { ...one, path: change.path },
      ),
    )
    return { change, why: whyOf(page, print) }
  })
  const groups = Map.groupBy(lines, ({ why }) => why)
  const parts = [...groups].flatMap(([why, group]) => {
    const [moved, others] =
      why === '' ? splitMoved(group.map(({ change }) => change)) : [[], group.map(({ change }) => change)]
    const items = others.map((change) => `- ${changeOf(change)}`)
    if (moved.length > 0)
      return [
        ...items,
        `- ${moved.length} files that moved along, as they were: ${moved
          .slice(0, listed)
          .map(({ path }) => code(path))
          .join(', ')}`,
      ]
    if (why === '' || group.length < fewest)
      return items.map((item) => `${item}${why === '' ? '' : `: ${why}`}`)
    return [`- ${group.length} files: ${why}\n${list(items, (item) => `  ${item}`)}`]
  })
  return list(parts, (part) => part)
}

/** Files that only follow another one, where they are many, and all others. */
function splitMoved(changes: readonly ChangeColumn[]): [moved: ChangeColumn[], others: ChangeColumn[]] {
  const isMoved = ({ oldPath, additions, deletions }: ChangeColumn) =>
    oldPath !== null && additions + deletions === 0
  const moved = changes.filter(isMoved)
  return moved.length < fewest ? [[], [...changes]] : [moved, changes.filter((one) => !isMoved(one))]
}

function changeOf({ path, oldPath, status, additions, deletions }: ChangeColumn): string {
  const from = oldPath === null ? '' : ` (from ${code(oldPath)})`
  return `${code(path)}${from} (${status}, +${additions} −${deletions})`
}

/** Why a page was changed, and what that rests on. */
function whyOf(page: PageColumn | undefined, print: Printer): string {
  const { reason = '', sources = [], links = {}, follows } = page ?? {}
  const why = print.line(reason, 600)
  const rests =
    sources.length > 0
      ? `Source: ${sources.map((source) => sourceOf(source, links[source])).join(', ')}.`
      : why === '' || follows === true
        ? ''
        : 'No source given.'
  if (why === '' || rests === '') return `${why}${rests}`
  return `${why}${/[.!?…]$/.test(why) ? '' : '.'} ${rests}`
}

function sourceOf(source: string, address: string | undefined): string {
  if (source === 'the prompt') return source
  const isPlain = address !== undefined && /^https?:\/\/[\w./#?=&%~+:@-]+$/.test(address)
  return isPlain ? `[${code(source)}](${address})` : code(source)
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

function quote({ prompt, question, failed }: AskedPrompt, count: number, print: Printer): string {
  const most = Math.max(200, Math.floor(9000 / Math.max(3, count)))
  const parts = [
    print.block(withoutSecrets(prompt), most),
    ...(question === undefined ? [] : [`The agent asked: ${print.block(question, Math.min(most, 1000))}`]),
    ...(failed === undefined ? [] : [`*This turn failed: ${print.line(failed, 300)}*`]),
  ]
  return parts
    .join('\n\n')
    .split('\n')
    .map((line) => `> ${line}`.trimEnd())
    .join('\n')
}

function cutLines(text: string, length: number): string {
  if (text.length <= length) return text
  return `${text.slice(0, text.lastIndexOf('\n', length)).toWellFormed()}\n\n…`
}
