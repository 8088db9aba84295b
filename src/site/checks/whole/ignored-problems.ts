import { isMap, isSeq, LineCounter, type Node } from 'yaml'
import { isHostileYaml } from '../../../lib/text/hostile-yaml.ts'
import { parseYamlDocuments } from '../../../lib/text/yaml.ts'
import { ToolError } from '../../../lib/tool-error.ts'
import { anyGlob } from '../../text/glob.ts'
import { siteProblemKinds } from './site-problem.ts'

/** Where a repository of documentation says which problems are none. */
export const ignorePath = '.docwright/ignore.yml'

interface Finding {
  kind: string
  path: string
  message: string
}

/** Which problems people do not want to be told of. */
export interface IgnoredProblems {
  /** Whether an entry of the file means this problem. */
  ignores(problem: Finding): boolean
  /** What is wrong with the file, each with its line. An entry that is wrong is not used. */
  wrong: { line: number; message: string }[]
}

/** Characters of the file that are read. */
export const longestIgnoreFile = 50_000
const mostEntries = 500
const fields = ['kind', 'path', 'text']
const form = 'an entry has `kind`, `path`, or both, and `text` for a part of the message'

/** Reads `.docwright/ignore.yml`. Never throws on any text. */
export function readIgnored(text: string | undefined): IgnoredProblems {
  if (text === undefined || text.trim() === '') return { ignores: () => false, wrong: [] }
  const wrong: IgnoredProblems['wrong'] = []
  const rules = rulesIn(text, (line, message) => wrong.push({ line, message }))
  return { ignores: (problem) => rules.some((rule) => rule(problem)), wrong }
}

type Rule = (problem: Finding) => boolean

function rulesIn(text: string, refuse: (line: number, message: string) => void): Rule[] {
  if (text.length > longestIgnoreFile || isHostileYaml(text)) {
    refuse(1, 'The file is too long or too deep to read')
    return []
  }
  const lines = new LineCounter()
  const lineOf = (node: unknown): number => {
    const range = (node as Partial<Node> | null)?.range
    return lines.linePos(range?.[0] ?? 0).line
  }
  const [document] = parseYamlDocuments(text, lines)
  const [error] = document?.errors ?? []
  if (document === undefined || error !== undefined) {
    refuse(
      error === undefined ? 1 : lines.linePos(error.pos[0]).line,
      error?.message ?? 'The file is not YAML',
    )
    return []
  }
  const list = isMap(document.contents) ? document.contents.get('ignore', true) : undefined
  if (!isSeq(list)) {
    refuse(lineOf(document.contents), 'The file must contain a list named `ignore`')
    return []
  }
  if (list.items.length > mostEntries) refuse(lineOf(list), `Only the first ${mostEntries} entries are used`)
  return list.items.slice(0, mostEntries).flatMap((item) => {
    const entry: unknown = isMap(item) ? item.toJSON() : undefined
    const why = whyWrong(entry)
    if (why === undefined) return [ruleOf(entry as Partial<Record<'kind' | 'path' | 'text', string>>)]
    refuse(lineOf(item), why)
    return []
  })
}

function whyWrong(entry: unknown): string | undefined {
  if (typeof entry !== 'object' || entry === null) return `This is no entry: ${form}`
  const pairs = Object.entries(entry)
  const unknown = pairs.find(([name]) => !fields.includes(name))
  if (unknown) return `\`${unknown[0].slice(0, 40)}\` is not known: ${form}`
  const other = pairs.find(([, value]) => typeof value !== 'string' || value === '' || value.length > 500)
  if (other) return `\`${other[0]}\` must be a string of 1 to 500 characters`
  const kind: unknown = new Map(pairs).get('kind')
  if (kind !== undefined && !siteProblemKinds.some((one) => one === kind))
    return `\`kind\` must be one of ${siteProblemKinds.join(', ')}`
  return pairs.some(([name]) => name !== 'text') ? undefined : `The entry means every problem: ${form}`
}

function ruleOf({ kind, path, text }: Partial<Record<'kind' | 'path' | 'text', string>>): Rule {
  // A folder means all that is in it, and a slash before a name the file at the top alone.
  const isTop = path !== undefined && /^\/[^/]+$/.test(path)
  const matches = path === undefined ? undefined : anyGlob([path.endsWith('/') ? `${path}**` : path])
  return (problem) => {
    if (kind !== undefined && problem.kind !== kind) return false
    if (text !== undefined && !problem.message.includes(text)) return false
    if (isTop && problem.path.includes('/')) return false
    try {
      return matches?.(problem.path) ?? true
    } catch (error) {
      // Nothing matches any more once it has taken too long.
      if (error instanceof ToolError) return false
      throw error
    }
  }
}
