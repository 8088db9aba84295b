import { z } from 'zod'
import type { Plan, PlannedCall } from './replay.ts'
import type { ToolOutput } from './transcript.ts'

/** A call's parsed output, or why there is none. */
export type Answer<Value> = { ok: true; value: Value } | { ok: false; code: string; message: string }

/** Calls in one answer of the model: enough to be quick, few enough to read in a journal. */
const mostParallel = 40

const mostEdits = 150
/** How `read_file` ends a line that it does not show whole; such a line stands for nothing here. */
const cutEnd = '… (line cut)'
export const cutLine = '\uFFFC'

export interface Page {
  path: string
  url: string
  title: string
  group?: string | null | undefined
}

export interface Edit {
  search: string
  replace: string
  line?: number
  all?: boolean
}

const text = z.string().catch('')
const page = z.object({ path: z.string(), url: text, title: text, group: z.string().nullish().catch(null) })
const pages = z.object({ pages: z.array(page) })
const files = z.object({ files: z.array(z.string()) })
const match = z.object({ path: z.string(), line: z.number(), text })
const matches = z.object({ matches: z.array(match), truncated: z.boolean().catch(false) })
const part = z.object({ startLine: z.number().catch(1), totalLines: z.number(), content: z.string() })
const changed = z.object({ changed: z.array(z.string()).catch([]) })
const moved = z.object({
  to: text,
  changed: z.array(z.string()).catch([]),
  redirect: z.boolean().catch(false),
})
const inbound = z.object({ path: z.string(), line: z.number(), href: text })
const deleted = z.object({
  changed: z.array(z.string()).catch([]),
  inboundLinks: z.array(inbound).catch([]),
})
export const problem = z.object({
  check: text,
  path: text,
  line: z.number().catch(0),
  message: text,
  href: z.string().optional().catch(undefined),
  suggestions: z.array(z.string()).catch([]),
})
const problems = z.object({ problems: z.array(problem) })
const anything = z.unknown()

export type Problem = z.infer<typeof problem>
export type InboundLink = z.infer<typeof inbound>

export function* listPages(query?: string): Plan<Answer<Page[]>> {
  const input: Record<string, unknown> = query === undefined ? {} : { query }
  return map(yield* one({ tool: 'list_pages', input }, pages), (found) => found.pages)
}

export function* listFiles(input: { path?: string; glob?: string }): Plan<Answer<string[]>> {
  return map(yield* one({ tool: 'list_files', input }, files), (found) => found.files)
}

export interface Grep {
  pattern: string
  regex?: boolean
  ignoreCase?: boolean
  paths?: string[]
  limit?: number
}

export function* grep(inputs: Grep[]): Plan<Answer<z.infer<typeof matches>>[]> {
  return yield* many(
    inputs.map((input) => ({ tool: 'grep', input: { ...input, limit: input.limit ?? 2000 } })),
    matches,
  )
}

/** Whole files by path, as text with `\n`; long ones are read in several calls. */
export function* readFiles(paths: string[]): Plan<Map<string, Answer<string>>> {
  const found = new Map<string, Answer<string>>()
  const first = yield* many(
    paths.map((path) => ({ tool: 'read_file', input: { path } })),
    part,
  )
  for (const [index, path] of paths.entries()) {
    const answer = first[index]
    if (!answer?.ok) {
      found.set(path, answer ?? { ok: false, code: 'failed', message: 'it could not be read' })
      continue
    }
    const lines = linesOf(answer.value.content)
    for (let parts = 0; lines.length < answer.value.totalLines && parts < 200; parts++) {
      const input = { path, startLine: lines.length + 1 }
      const more = yield* one({ tool: 'read_file', input }, part)
      const next = more.ok ? linesOf(more.value.content) : []
      if (next.length === 0) break
      lines.push(...next)
    }
    const whole = lines.length >= answer.value.totalLines
    if (whole) found.set(path, { ok: true, value: lines.join('\n') })
    else found.set(path, { ok: false, code: 'failed', message: 'it is too long to be read whole' })
  }
  return found
}

export function* readFile(path: string): Plan<Answer<string>> {
  const found = yield* readFiles([path])
  return found.get(path) ?? { ok: false, code: 'failed', message: 'it could not be read' }
}

function linesOf(content: string): string[] {
  if (content === '') return []
  return content.split('\n').map((shown) => {
    const line = shown.replace(/^\s*\d+\t/, '')
    return line.length > 4000 && line.endsWith(cutEnd) ? cutLine : line
  })
}

/** Edits of files that were read; the edits of one file come last line first and may take several calls. */
export function* editFiles(inputs: { path: string; edits: Edit[] }[]): Plan<Answer<unknown>[]> {
  const calls: { path: string; edits: Edit[] }[] = []
  const owners: number[] = []
  inputs.forEach(({ path, edits }, index) => {
    for (let from = 0; from < edits.length; from += mostEdits) {
      calls.push({ path, edits: edits.slice(from, from + mostEdits) })
      owners.push(index)
    }
  })
  const answers = yield* many(
    calls.map((input) => ({ tool: 'edit_file', input })),
    anything,
  )
  return inputs.map((_, index) => {
    const own = answers.filter((_, at) => owners[at] === index)
    return (
      own.find((answer) => !answer.ok) ?? own[0] ?? { ok: false, code: 'failed', message: 'nothing to edit' }
    )
  })
}

export function* writeFile(path: string, content: string): Plan<Answer<unknown>> {
  return yield* one({ tool: 'write_file', input: { path, content } }, anything)
}

export function* tryMove(from: string, to: string): Plan<Answer<z.infer<typeof moved>>> {
  return yield* one({ tool: 'move_page', input: { from, to } }, moved)
}

export function* tryDelete(path: string): Plan<Answer<z.infer<typeof deleted>>> {
  return yield* one({ tool: 'delete_page', input: { path } }, deleted)
}

export interface FrontMatterChange {
  path: string
  fields: Record<string, string>
}

export function* setFrontMatter(inputs: FrontMatterChange[]): Plan<Answer<unknown>[]> {
  return yield* many(
    inputs.map(({ path, fields }) => ({ tool: 'set_front_matter', input: { path, fields } })),
    anything,
  )
}

export interface NavigationEntry {
  path: string
  group?: string
  after?: string
}

export function* addToNavigation(input: NavigationEntry): Plan<Answer<string[]>> {
  return map(
    yield* one({ tool: 'add_to_navigation', input: { ...input } }, changed),
    (found) => found.changed,
  )
}

export function* check(paths?: string[]): Plan<Answer<Problem[]>> {
  const input: Record<string, unknown> = paths ? { paths } : {}
  return map(yield* one({ tool: 'check', input }, problems), (found) => found.problems)
}

function* one<Value>(call: PlannedCall, schema: z.ZodType<Value>): Plan<Answer<Value>> {
  const [output] = yield [call]
  return parse(output, schema)
}

function* many<Value>(calls: PlannedCall[], schema: z.ZodType<Value>): Plan<Answer<Value>[]> {
  const answers: Answer<Value>[] = []
  for (let from = 0; from < calls.length; from += mostParallel) {
    const outputs = yield calls.slice(from, from + mostParallel)
    for (const output of outputs) answers.push(parse(output, schema))
  }
  return answers
}

function parse<Value>(output: ToolOutput | undefined, schema: z.ZodType<Value>): Answer<Value> {
  if (!output?.ok) return output ?? { ok: false, code: 'failed', message: 'the tool gave no answer' }
  const parsed = schema.safeParse(output.value)
  if (parsed.success) return { ok: true, value: parsed.data }
  return { ok: false, code: 'failed', message: 'the tool answered in a form that is not understood' }
}

function map<From, To>(answer: Answer<From>, change: (value: From) => To): Answer<To> {
  return answer.ok ? { ok: true, value: change(answer.value) } : answer
}
