import { z } from 'zod'
import { AppError } from '../../lib/errors.ts'
import { quotedField, sentenceOf } from '../../lib/text/issue-sentence.ts'

const text = z.string('must be text').trim().min(1, 'must not be empty')
const place = text.max(1000, 'must be text of at most 1,000 characters')
const places = z.union([place.transform((one) => [one]), z.array(place)], 'must be a list of pages')
const section = place.refine((one) => !one.startsWith('#'), 'must name the page before the #')
const sections = z.union(
  [section.transform((one) => [one]), z.array(section)],
  'must be a list such as ["guides/install#linux"]',
)
/** A fact, or several ways to say it. */
const fact = z.union(
  [text.transform((one) => [one]), z.array(text).min(1)],
  'must be text, or a list of ways to say it',
)

const said = z.strictObject(
  { role: z.enum(['user', 'assistant'], 'must be user or assistant'), text },
  'must be an object with `role` and `text`',
)

const fields = {
  question: text.max(2000, 'must be text of at most 2,000 characters'),
  pages: places.optional(),
  sections: sections.optional(),
  facts: z.array(fact, 'must be a list').optional(),
  unanswerable: z.boolean('must be true or false').optional(),
  history: z.array(said, 'must be a list').optional(),
  filter: z
    .strictObject(
      {
        version: text.optional(),
        language: text.optional(),
        tag: text.optional(),
        groups: z.array(text, 'must be a list').optional(),
      },
      'must be an object with `version`, `language`, `tag` or `groups`',
    )
    .optional(),
  path: place.optional(),
  review: text.optional(),
  note: z.string('must be text').optional(),
}
const fieldNames = Object.keys(fields).join(', ')
const caseSchema = z.strictObject(fields, {
  error: ({ code, keys }) =>
    code === 'unrecognized_keys' && Array.isArray(keys)
      ? `has an unknown field "${keys.join('", "')}"; there are ${fieldNames}`
      : 'must be an object',
})

/** One question of a file, with what is expected of its answer. */
export interface Case {
  /** Counted from 1. */
  line: number
  /** What it is compared by: the question with all that shapes its answer. */
  key: string
  question: string
  /** As written: paths in the repository or on the site, or addresses. */
  pages: string[]
  sections: string[]
  /** Each of them in one or several wordings. */
  facts: string[][]
  unanswerable: boolean
  /** What was said before, the oldest first. */
  history: { role: 'user' | 'assistant'; text: string }[]
  filter:
    | {
        version?: string | undefined
        language?: string | undefined
        tag?: string | undefined
        groups?: string[] | undefined
      }
    | undefined
  /** The page that the reader is on. */
  path: string | undefined
}

export interface CaseFile {
  cases: Case[]
  /** Cases that are still marked to be reviewed, which are left out. */
  unreviewed: number
}

const mostProblems = 20

/**
 * Reads a file of cases: one JSON object a line.
 * @throws AppError `invalid` that names every line that is wrong
 */
export function readCases(file: string, name: string): CaseFile {
  const problems: string[] = []
  const cases: Case[] = []
  const lines = new Map<string, number>()
  let unreviewed = 0
  for (const [at, raw] of file
    .replace(/^\uFEFF/, '')
    .split('\n')
    .entries()) {
    const line = at + 1
    if (raw.trim() === '') continue
    const read = readCase(raw, line)
    if ('problems' in read) {
      problems.push(...read.problems.map((problem) => `${name}:${line}: ${problem}`))
      continue
    }
    const before = lines.get(read.key)
    if (before !== undefined) problems.push(`${name}:${line}: asks the same as line ${before}`)
    lines.set(read.key, line)
    if (read.review) unreviewed++
    else cases.push(read)
  }
  if (problems.length > 0) {
    const more = problems.length > mostProblems ? [`… and ${problems.length - mostProblems} more`] : []
    throw new AppError('invalid', [...problems.slice(0, mostProblems), ...more].join('\n'))
  }
  if (cases.length === 0)
    throw new AppError(
      'invalid',
      unreviewed > 0
        ? `${name}: all ${unreviewed} questions are marked to be reviewed: check them and remove \`review\``
        : `${name}: contains no question; write one JSON object a line, such as {"question": "…", "pages": ["…"]}`,
    )
  return { cases, unreviewed }
}

function readCase(raw: string, line: number): (Case & { review: boolean }) | { problems: string[] } {
  let value: unknown
  try {
    value = JSON.parse(raw)
  } catch (error) {
    return { problems: [`is not JSON: ${error instanceof Error ? error.message : String(error)}`] }
  }
  const parsed = caseSchema.safeParse(value)
  if (!parsed.success)
    return {
      problems: parsed.error.issues.map((issue) => sentenceOf(issue, quotedField(''))),
    }
  const { question, pages = [], sections: named = [], facts = [], unanswerable = false, review } = parsed.data
  const { history = [], filter, path } = parsed.data
  const expected = pages.length + named.length + facts.length
  if (unanswerable && expected > 0)
    return { problems: ['is unanswerable, so it can have no `pages`, `sections` or `facts`'] }
  if (!unanswerable && expected === 0 && review === undefined)
    return { problems: ['expects nothing: add `pages`, `sections`, `facts` or `"unanswerable": true`'] }
  const key = JSON.stringify([question, history, filter ?? null, path ?? null])
  return {
    line,
    key,
    question,
    pages,
    sections: named,
    facts,
    unanswerable,
    history,
    filter,
    path,
    review: review !== undefined,
  }
}
