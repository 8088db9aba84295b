import { z } from 'zod'
import type { Plan, PlannedCall } from './replay.ts'

/** A call's parsed output, or why there is none. */
export type Answer<Value> = { ok: true; value: Value } | { ok: false; code: string; message: string }

/** The most calls in one answer of the model: enough to be fast, few enough to read in a journal. */
const mostParallel = 40
const mostEdits = 150
/** Longer files are made by programs, such as all pages in one text. */
const mostLines = 20_000
/** How `read_file` marks a truncated line; such a line is replaced by a placeholder here. */
const cutEnd = '… (line cut)'
export const cutLine = '\uFFFC'

const text = z.string().catch('')
const paths = z.array(z.string()).catch([])
const page = z.object({ path: z.string(), url: text, title: text, group: z.string().nullish().catch(null) })
const match = z.object({ path: z.string(), line: z.number(), text })
const matches = z.object({ matches: z.array(match), truncated: z.boolean().catch(false) })
const part = z.object({ startLine: z.number().catch(1), totalLines: z.number(), content: z.string() })
const moved = z.object({
  to: text,
  changed: paths,
  redirect: z.boolean().catch(false),
  sameAddress: z.boolean().catch(false),
})
const inbound = z.object({ path: z.string(), line: z.number(), href: text })
const deleted = z.object({ changed: paths, inboundLinks: z.array(inbound).catch([]) })
export const problem = z.object({
  check: text,
  path: text,
  line: z.number().catch(0),
  message: text,
  href: z.string().optional().catch(undefined),
  suggestions: paths,
})

export type Page = z.infer<typeof page>
export type Problem = z.infer<typeof problem>
export type InboundLink = z.infer<typeof inbound>

export interface Edit {
  search: string
  replace: string
  line: number
}

export interface Grep {
  pattern: string
  regex?: boolean
  ignoreCase?: boolean
  paths?: string[]
  limit?: number
}

export function* listPages(query?: string): Plan<Answer<Page[]>> {
  const schema = z.object({ pages: z.array(page) }).transform(({ pages }) => pages)
  return yield* call('list_pages', query === undefined ? {} : { query }, schema)
}

export function* listFiles(input: { path?: string; glob?: string }): Plan<Answer<string[]>> {
  const schema = z.object({ files: z.array(z.string()) }).transform(({ files }) => files)
  return yield* call('list_files', input, schema)
}

export function* grep(inputs: Grep[]): Plan<Answer<z.infer<typeof matches>>[]> {
  const calls = inputs.map((input) => ({ tool: 'grep', input: { limit: 2000, ...input } }))
  return yield* callAll(calls, matches)
}

/** Reads whole files by path, as text with `\n`; long ones take several calls. */
export function* readFiles(wanted: string[]): Plan<Map<string, Answer<string>>> {
  const texts = new Map<string, Answer<string>>()
  const calls = wanted.map((path) => ({ tool: 'read_file', input: { path } }))
  const first = yield* callAll(calls, part)
  // All parts of all files are asked for together, because each answer of the model is a step of the turn.
  const parts = first.flatMap((answer, index) => {
    const [own, total] = answer.ok ? [linesOf(answer.value.content).length, answer.value.totalLines] : [0, 0]
    const most = own === 0 || total > mostLines ? 0 : Math.ceil(total / own) - 1
    return Array.from({ length: most }, (_, at) => ({
      path: wanted[index] ?? '',
      startLine: own * (at + 1) + 1,
    }))
  })
  const others = yield* callAll(
    parts.map((input) => ({ tool: 'read_file', input })),
    part,
  )
  for (const [index, answer] of first.entries()) {
    const path = wanted[index] ?? ''
    if (!answer.ok || answer.value.totalLines > mostLines) {
      texts.set(path, answer.ok ? failed('it is too long to be read whole') : answer)
      continue
    }
    const lines = linesOf(answer.value.content)
    parts.forEach(({ path: owner, startLine }, at) => {
      const other = others[at]
      if (owner === path && other?.ok === true && startLine === lines.length + 1)
        lines.push(...linesOf(other.value.content))
    })
    while (lines.length < answer.value.totalLines) {
      const more = yield* call('read_file', { path, startLine: lines.length + 1 }, part)
      const next = more.ok ? linesOf(more.value.content) : []
      if (next.length === 0) break
      lines.push(...next)
    }
    const whole = lines.length >= answer.value.totalLines
    texts.set(path, whole ? { ok: true, value: lines.join('\n') } : failed('it is too long to be read whole'))
  }
  return texts
}

export function* readFile(path: string): Plan<Answer<string>> {
  return (yield* readFiles([path])).get(path) ?? failed('it could not be read')
}

function linesOf(content: string): string[] {
  if (content === '') return []
  return content.split('\n').map((shown) => {
    const line = shown.replace(/^\s*\d+\t/, '')
    return line.length > 4000 && line.endsWith(cutEnd) ? cutLine : line
  })
}

/** Edits files that were read. The edits of one file are in order from its last line and may take several calls. */
export function* editFiles(inputs: { path: string; edits: Edit[] }[]): Plan<Answer<unknown>[]> {
  const calls: { owner: number; input: { path: string; edits: Edit[] } }[] = []
  inputs.forEach(({ path, edits }, owner) => {
    for (let from = 0; from < edits.length; from += mostEdits)
      calls.push({ owner, input: { path, edits: edits.slice(from, from + mostEdits) } })
  })
  const answers = yield* callAll(
    calls.map(({ input }) => ({ tool: 'edit_file', input })),
    z.unknown(),
  )
  return inputs.map((_, index) => {
    const own = answers.filter((_, at) => calls[at]?.owner === index)
    return own.find((answer) => !answer.ok) ?? own[0] ?? failed('nothing to edit')
  })
}

export function* writeFile(path: string, content: string): Plan<Answer<unknown>> {
  return yield* call('write_file', { path, content }, z.unknown())
}

export function* tryMove(from: string, to: string): Plan<Answer<z.infer<typeof moved>>> {
  return yield* call('move_page', { from, to }, moved)
}

export function* tryDelete(path: string): Plan<Answer<z.infer<typeof deleted>>> {
  return yield* call('delete_page', { path }, deleted)
}

export function* setFrontMatter(
  inputs: { path: string; fields: Record<string, string> }[],
): Plan<Answer<unknown>[]> {
  const calls = inputs.map((input) => ({ tool: 'set_front_matter', input }))
  return yield* callAll(calls, z.unknown())
}

/** @returns the files that changed */
export function* addToNavigation(input: {
  path: string
  group?: string
  after?: string
}): Plan<Answer<string[]>> {
  const schema = z.object({ changed: paths }).transform(({ changed }) => changed)
  return yield* call('add_to_navigation', input, schema)
}

const checked = z.object({
  problems: z.array(problem),
  total: z.number().catch(0),
  /** Links and images that were tried; undefined where the tool does not say so. */
  checked: z.number().optional().catch(undefined),
  notLookedAt: z.array(z.object({ kind: z.string(), count: z.number() })).catch([]),
})

export type Checked = z.infer<typeof checked>

export function* check(inside?: string[]): Plan<Answer<Checked>> {
  return yield* call('check', inside ? { paths: inside } : {}, checked)
}

/** Takes back what the turn has changed in a file. */
export function* revertFile(path: string): Plan<Answer<unknown>> {
  return yield* call('revert_file', { path }, z.unknown())
}

function* call<Value>(
  tool: string,
  input: Record<string, unknown>,
  schema: z.ZodType<Value>,
): Plan<Answer<Value>> {
  const [answer] = yield* callAll([{ tool, input }], schema)
  return answer ?? failed('the tool gave no answer')
}

function* callAll<Value>(calls: PlannedCall[], schema: z.ZodType<Value>): Plan<Answer<Value>[]> {
  const answers: Answer<Value>[] = []
  for (let from = 0; from < calls.length; from += mostParallel) {
    for (const output of yield calls.slice(from, from + mostParallel)) {
      const parsed = output.ok ? schema.safeParse(output.value) : undefined
      if (!output.ok) answers.push(output)
      else if (parsed?.success) answers.push({ ok: true, value: parsed.data })
      else answers.push(failed('the tool answered in a form that is not understood'))
    }
  }
  return answers
}

function failed(message: string): { ok: false; code: string; message: string } {
  return { ok: false, code: 'failed', message }
}

/** Whether no file differs from the start of the turn. */
export function* hasNoChange(): Plan<boolean> {
  const diff = yield* call('diff', {}, z.object({ files: z.array(z.unknown()) }))
  return diff.ok && diff.value.files.length === 0
}
