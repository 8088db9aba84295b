import type {
  LanguageModelV4FunctionTool,
  LanguageModelV4Prompt,
  LanguageModelV4ToolResultPart,
} from '@ai-sdk/provider'
import { createBuiltinModel } from '../../src/builtin/create-builtin-model.ts'

type JsonValue = Extract<LanguageModelV4ToolResultPart['output'], { type: 'json' }>['value']
type Input = Record<string, unknown>

/** The agent's tools over files in memory, as the tool contract has them; for tests of the built-in model. */
export interface Workspace {
  files: Map<string, string>
  /** Navigation groups by page path; undefined where the framework has no navigation file. */
  groups: Map<string, string> | undefined
  problems: {
    check: string
    path: string
    line: number
    message: string
    href?: string
    suggestions?: string[]
  }[]
  /** Answers in place of a tool's own, once each. */
  failures: { tool: string; error: { code: string; message: string } }[]
  redirects: boolean
  /** Answers of `finish` before it agrees. */
  refusals: Record<string, JsonValue>[]
  /** What the model may ask in the way of `ask_person`, which ends the turn. */
  canAsk: boolean
  /** What the check counts besides the problems. */
  looked: Record<string, JsonValue>
  /** Every tool but finish answers in a form that nobody knows. */
  nonsense: boolean
}

export interface Finished {
  title: string
  summary: string
  noChange: boolean
  calls: { tool: string; input: Input }[]
  steps: number
  /** Paths whose content is another than before. */
  changed: string[]
}

export function workspaceOf(files: Record<string, string>, more: Partial<Workspace> = {}): Workspace {
  return {
    files: new Map(Object.entries(files)),
    groups: undefined,
    problems: [],
    failures: [],
    redirects: false,
    refusals: [],
    nonsense: false,
    canAsk: false,
    looked: {},
    ...more,
  }
}

const toolNames =
  'list_files list_pages grep read_file search_docs edit_file write_file move_page delete_page set_front_matter add_to_navigation check finish'
export const jobTools: LanguageModelV4FunctionTool[] = toolNames
  .split(' ')
  .map((name) => ({ type: 'function', name, inputSchema: { type: 'object' } }))

/** Runs a job to its end as the agent's loop would, one model call per step. */
export async function runToEnd(
  prompt: string,
  workspace: Workspace,
  mostSteps = 400,
  earlier: LanguageModelV4Prompt = [],
): Promise<Finished> {
  const model = createBuiltinModel()
  const before = new Map(workspace.files)
  const messages: LanguageModelV4Prompt = [
    { role: 'system', content: 'You edit documentation.' },
    ...earlier,
    { role: 'user', content: [{ type: 'text', text: prompt }] },
  ]
  const calls: Finished['calls'] = []
  const read = new Map<string, string>()
  for (let steps = 1; steps <= mostSteps; steps++) {
    const ask: LanguageModelV4FunctionTool = { type: 'function', name: 'ask_person', inputSchema: {} }
    const tools = workspace.canAsk ? [...jobTools, ask] : jobTools
    const { content } = await model.doGenerate({ prompt: messages, tools })
    const made = content.flatMap((part) => (part.type === 'tool-call' ? [part] : []))
    if (made.length === 0) throw new Error('The model stopped without finish')
    const results: LanguageModelV4ToolResultPart[] = []
    let end: Input | undefined
    for (const call of made) {
      const input: Input = JSON.parse(call.input)
      calls.push({ tool: call.toolName, input })
      const value = runTool(workspace, read, call.toolName, input)
      if (call.toolName === 'finish' && !isRefusal(value)) end = input
      if (call.toolName === 'ask_person')
        end = { title: 'Question', summary: input['question'], noChange: true }
      results.push({
        type: 'tool-result',
        toolCallId: call.toolCallId,
        toolName: call.toolName,
        output: { type: 'json', value },
      })
    }
    const content2 = made.map((call) => ({
      type: 'tool-call' as const,
      toolCallId: call.toolCallId,
      toolName: call.toolName,
      input: JSON.parse(call.input) as unknown,
    }))
    messages.push({ role: 'assistant', content: content2 }, { role: 'tool', content: results })
    if (end) {
      const paths = new Set([...before.keys(), ...workspace.files.keys()])
      const changed = [...paths].filter((path) => before.get(path) !== workspace.files.get(path)).sort()
      const { title, summary } = end
      return {
        title: String(title),
        summary: String(summary),
        noChange: end['noChange'] === true,
        calls,
        steps,
        changed,
      }
    }
  }
  throw new Error(`The job did not end within ${mostSteps} steps`)
}

function runTool(workspace: Workspace, read: Map<string, string>, tool: string, input: Input): JsonValue {
  const failure = workspace.failures.findIndex((failure) => failure.tool === tool)
  if (failure >= 0) {
    const [failed] = workspace.failures.splice(failure, 1)
    if (failed) return { error: failed.error }
  }
  if (workspace.nonsense && tool !== 'finish') return [{ odd: 1 }, null, 'x']
  const { files } = workspace
  const path = typeof input['path'] === 'string' ? input['path'] : ''
  const text = files.get(path)
  const missing = { error: { code: 'not_found', message: `There is no file ${path}` } }
  switch (tool) {
    case 'list_files': {
      const names = [...files.keys()].filter((name) => path === '' || name.startsWith(`${path}/`))
      const glob = typeof input['glob'] === 'string' ? globOf(input['glob']) : /^/
      return { files: names.filter((name) => glob.test(name)).sort(), truncated: false }
    }
    case 'list_pages':
      return { pages: pagesOf(workspace, input['query']), truncated: false }
    case 'grep':
      return grepFiles(files, input)
    case 'read_file': {
      if (text === undefined) return missing
      read.set(path, text)
      const lines = text.replace(/\n$/, '').split('\n')
      const start = Number(input['startLine'] ?? 1)
      const shown = lines.slice(start - 1, start - 1 + 500)
      const content = shown.map((line, index) => `${start + index}\t${line}`).join('\n')
      return { path, hash: 'h', totalLines: lines.length, startLine: start, content }
    }
    case 'edit_file':
      if (text === undefined) return missing
      if (!read.has(path)) return { error: { code: 'not_read', message: 'Read the file first' } }
      if (read.get(path) !== text) return { error: { code: 'stale', message: 'The file has changed' } }
      return edit(files, read, path, text, input['edits'])
    case 'write_file':
      files.set(path, String(input['content']))
      return { path, hash: 'h' }
    case 'move_page': {
      const [from, to] = [String(input['from']), String(input['to'])]
      const moved = files.get(from)
      if (moved === undefined) return missing
      if (files.has(to)) return { error: { code: 'exists', message: `${to} exists already` } }
      files.delete(from)
      files.set(to, moved)
      return { from, to, changed: ['nav.json'], redirect: workspace.redirects }
    }
    case 'delete_page': {
      files.delete(path)
      const bare = path.replace(/\.(?:mdx?|rst|adoc)$/, '')
      const inboundLinks = [...files].flatMap(([other, text]) =>
        text
          .split('\n')
          .flatMap((line, index) =>
            [...line.matchAll(/\]\(([^)]*)\)/g)].flatMap(([, href = '']) =>
              href.replace(/^\//, '') === bare ? [{ path: other, line: index + 1, href }] : [],
            ),
          ),
      )
      return { path, changed: ['nav.json'], inboundLinks }
    }
    case 'set_front_matter': {
      if (text === undefined) return missing
      files.set(path, withFields(text, input['fields']))
      return { path, hash: 'h' }
    }
    case 'add_to_navigation':
      if (!workspace.groups) return { changed: [], note: 'Derived from files' }
      workspace.groups.set(path, typeof input['group'] === 'string' ? input['group'] : '')
      return { changed: ['nav.json'] }
    case 'check': {
      const paths = Array.isArray(input['paths']) ? input['paths'].map(String) : undefined
      const inside = workspace.problems.filter(
        (problem) =>
          paths?.some((path) => problem.path === path || problem.path.startsWith(`${path}/`)) ?? true,
      )
      const open = inside.filter((problem) => {
        const line = files.get(problem.path)?.split('\n')[problem.line - 1] ?? ''
        return problem.href === undefined || line.includes(problem.href)
      })
      return { problems: open.map((problem) => ({ ...problem })), total: open.length, ...workspace.looked }
    }
    default:
      return workspace.refusals.shift() ?? { ok: true }
  }
}

function pagesOf(workspace: Workspace, query: unknown) {
  const pages = [...workspace.files].filter(([path]) => /\.(?:mdx?|rst|adoc)$/.test(path))
  const listed = pages.map(([path, text]) => {
    const bare = path.replace(/\.(?:mdx?|rst|adoc)$/, '')
    const title = /^title: *["']?(.*?)["']?$/m.exec(text)?.[1] ?? /^# (.*)$/m.exec(text)?.[1] ?? bare
    const group = workspace.groups?.get(path) ?? null
    return { path, url: `/${bare}`, title, group, inNavigation: group !== null }
  })
  if (typeof query !== 'string') return listed
  const wanted = query.toLowerCase()
  return listed.filter((page) => `${page.title}\n${page.path}\n${page.url}`.toLowerCase().includes(wanted))
}

function grepFiles(files: Map<string, string>, input: Input): JsonValue {
  const source = String(input['pattern'])
  const pattern = input['regex'] === true ? source : source.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
  const expression = new RegExp(pattern, input['ignoreCase'] === true ? 'i' : '')
  const paths = Array.isArray(input['paths']) ? input['paths'].map(String) : undefined
  const all = [...files].flatMap(([path, text]) => {
    if (paths && !paths.some((wanted) => path === wanted || path.startsWith(`${wanted}/`))) return []
    return text
      .split('\n')
      .flatMap((line, index) => (expression.test(line) ? [{ path, line: index + 1, text: line }] : []))
  })
  const limit = Number(input['limit'] ?? 200)
  return { matches: all.slice(0, limit), total: all.length, truncated: all.length > limit }
}

function edit(
  files: Map<string, string>,
  read: Map<string, string>,
  path: string,
  text: string,
  edits: unknown,
): JsonValue {
  let replacements = 0
  for (const item of Array.isArray(edits) ? edits : []) {
    const { search, replace, line, all } = item as {
      search: string
      replace: string
      line?: number
      all?: boolean
    }
    let at = text.indexOf(search)
    if (at < 0) return { error: { code: 'not_found', message: 'The text is not there' } }
    if (all === true) {
      text = text.replaceAll(search, () => replace)
      replacements += 1
      continue
    }
    if (line !== undefined) {
      while (at >= 0 && text.slice(0, at).split('\n').length !== line) at = text.indexOf(search, at + 1)
      if (at < 0) return { error: { code: 'not_found', message: `The text does not start on line ${line}` } }
    } else if (text.indexOf(search, at + 1) >= 0)
      return { error: { code: 'ambiguous', message: 'Several places' } }
    text = text.slice(0, at) + replace + text.slice(at + search.length)
    replacements += 1
  }
  files.set(path, text)
  read.set(path, text)
  return { path, hash: 'h', replacements }
}

function withFields(text: string, fields: unknown): string {
  let changed = text.startsWith('---\n') ? text : `---\n---\n\n${text}`
  for (const [name, value] of Object.entries(fields ?? {})) {
    const line = `${name}: ${String(value)}`
    const own = new RegExp(`^${name}:.*$`, 'm')
    const end = changed.indexOf('\n---', 3)
    const head = changed.slice(0, end + 1)
    changed = own.test(head)
      ? head.replace(own, () => line) + changed.slice(end + 1)
      : `${head}${line}\n${changed.slice(end + 1)}`
  }
  return changed
}

function globOf(glob: string): RegExp {
  const source = glob
    .replace(/[.+^$()|[\]\\]/g, '\\$&')
    .replace(/\{([^}]*)\}/g, (_, list: string) => `(?:${list.replaceAll(',', '|')})`)
    .replaceAll('**/', '\u0001')
    .replaceAll('**', '\u0002')
    .replaceAll('*', '[^/]*')
    .replaceAll('\u0001', '(?:.*/)?')
    .replaceAll('\u0002', '.*')
  return new RegExp(`^${source}$`)
}

function isRefusal(value: JsonValue): boolean {
  return typeof value === 'object' && value !== null && 'ok' in value && value['ok'] === false
}
