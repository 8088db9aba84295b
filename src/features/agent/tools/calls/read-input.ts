import { z } from 'zod'
import { isRecord } from '../../../../lib/is-record.ts'
import '../../../../lib/text/rule-words.ts'

/** The parts of JSON Schema that the schemas of our tools are made of. */
interface Node {
  type?: string | undefined
  properties?: Readonly<Record<string, Node>> | undefined
  required?: readonly string[] | undefined
  items?: Node | undefined
  additionalProperties?: Node | boolean | undefined
  anyOf?: readonly Node[] | undefined
}

/**
 * Other names that models know arguments by, from the tools that they were trained with. Case, `_` and `-` do not
 * count. An argument's own name comes first, then the order of its list.
 */
const synonyms: Readonly<Record<string, string>> = {
  path: 'filepath file filename pagepath page targetfile absolutepath relativepath url address uri directory dir folder',
  paths: 'path files file filepath filepaths pages page include glob globs directory dir folder',
  from: 'source src oldpath frompath sourcepath path filepath file page',
  to: 'destination dest target newpath topath targetpath destinationpath',
  search:
    'oldstring oldtext oldstr old find searchtext searchstring searchfor targettext original pattern query',
  replace:
    'newstring newtext newstr new replacement replacewith replacetext replacestring updated with content text',
  edits: 'edit changes replacements operations',
  all: 'replaceall global every',
  content: 'text contents body filetext filecontent markdown',
  fields: 'frontmatter metadata values data properties set',
  pattern: 'query search regexp text term searchterm needle',
  query: 'q search keywords searchquery text pattern term',
  heading: 'section anchor',
  exclude: 'excludes ignore excludepaths except',
  context: 'contextlines around c',
  start: 'startline firstline fromline',
  end: 'endline lastline toline',
  at: 'atline before beforeline line position insertline',
  append: 'atend toend',
  take: 'side choice resolution use',
  glob: 'pattern globpattern filter include',
  regex: 'isregex useregex regexp isregexp',
  ignoreCase: 'caseinsensitive insensitive i',
  limit: 'maxresults max count headlimit numresults topk n maxcount',
  startLine: 'offset linestart fromline start beginline line',
  endLine: 'lineend toline end stopline',
  lineCount: 'limit count numlines maxlines lines',
  line: 'startline linenumber',
  wholeWord: 'wholewords word words matchwholeword',
  skipCode: 'ignorecode excludecode notincode outsidecode',
  apply: 'confirm write execute',
  group: 'section category',
  after: 'afterpage previous behind',
  commit: 'sha hash id revision ref',
  title: 'name subject',
  summary: 'description body message text',
  reason: 'why explanation',
  sources: 'source references refs evidence',
  noChange: 'nochanges noop unchanged',
  plan: 'text content steps todos todo items',
  question: 'text message prompt ask query',
  onlyNew: 'newonly new',
}

/** The deepest value that is looked into. */
const mostDepth = 6

const nodes = new WeakMap<z.ZodObject, Node>()

function inputNode(schema: z.ZodObject): Node {
  const known = nodes.get(schema)
  if (known !== undefined) return known
  // `Node` names only the parts of JSON Schema that are read here.
  const node = z.toJSONSchema(schema, { io: 'input' }) as Node
  nodes.set(schema, node)
  return node
}

/**
 * The arguments as the schema means them, where a model wrote them in another form: a number as text, one item in
 * place of a list, JSON as text, another name for an argument. What cannot be understood stays as it was given.
 */
export function readInput(schema: z.ZodObject, given: unknown): unknown {
  return read(inputNode(schema), given, 0)
}

/** What is wrong with arguments, in one line. */
export function objectionTo(error: z.ZodError, given: unknown): string {
  const problems = error.issues.slice(0, 5).map((issue) => {
    const where = issue.path
      .map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`))
      .join('')
    const name = where.replace(/^\./, '')
    if (name === '') return 'give an object with named arguments'
    if (valueAt(given, issue.path) === undefined) return `${name} is missing${expected(issue, '; it is ')}`
    const rule = expected(issue, '')
    return rule === '' ? `${name} ${issue.message}` : `${name} has to be ${rule}`
  })
  return `The arguments do not fit: ${problems.join('; ')}`
}

const kinds: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
}

function expected(issue: z.core.$ZodIssue, before: string): string {
  switch (issue.code) {
    case 'invalid_type':
      return `${before}${kinds[issue.expected] ?? issue.expected}`
    case 'too_small':
      return before + limit(issue.origin, 'at least', issue.minimum)
    case 'too_big':
      return before + limit(issue.origin, 'at most', issue.maximum)
    case 'invalid_key':
      return `${before}an object whose names are letters, digits, "_", "-" and "."`
    case 'invalid_value':
      return `${before}one of ${issue.values.map((value) => JSON.stringify(value)).join(', ')}`
    default:
      return ''
  }
}

function limit(origin: string, word: string, value: number | bigint): string {
  if (origin === 'string')
    return value === 1 ? 'a text that is not empty' : `a text of ${word} ${value} characters`
  if (origin === 'array') return value === 1 ? 'a list that is not empty' : `a list of ${word} ${value} items`
  return `${word} ${value}`
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let found = value
  for (const part of path) {
    if (Array.isArray(found)) found = found[Number(part)]
    else if (isRecord(found)) found = found[String(part)]
    else return undefined
  }
  return found
}

function read(node: Node, value: unknown, depth: number): unknown {
  if (depth > mostDepth) return value
  if (node.anyOf !== undefined) {
    if (node.anyOf.some((one) => fits(one, value))) return value
    const [first] = node.anyOf.filter(({ type }) => type !== 'null')
    return first === undefined ? value : read(first, value, depth)
  }
  switch (node.type) {
    case 'object':
      return readObject(node, value, depth)
    case 'array':
      return readList(node.items ?? {}, value, depth)
    case 'number':
    case 'integer':
      return typeof value === 'string' && /^\s*-?\d{1,15}(?:\.\d{1,15})?\s*$/.test(value)
        ? Number(value)
        : only(node, value, depth)
    case 'boolean':
      return readBoolean(value)
    case 'string':
      if (typeof value === 'number' || typeof value === 'boolean') return String(value)
      if (Array.isArray(value) && value.length > 1 && value.every((line) => typeof line === 'string'))
        return value.join('\n')
      return only(node, value, depth)
    default:
      return value
  }
}

function fits({ type }: Node, value: unknown): boolean {
  return type === 'null' ? value === null : type === typeof value
}

// A list with one item, where one is meant.
function only(node: Node, value: unknown, depth: number): unknown {
  return Array.isArray(value) && value.length === 1 ? read(node, value[0], depth + 1) : value
}

function readBoolean(value: unknown): unknown {
  const text =
    typeof value === 'string' || typeof value === 'number' ? String(value).trim().toLowerCase() : ''
  if (['true', 'yes', '1'].includes(text)) return true
  return ['false', 'no', '0', 'none', 'null'].includes(text) ? false : value
}

function readList(items: Node, given: unknown, depth: number): unknown {
  const value = fromJson(given)
  if (Array.isArray(value)) return value.map((item) => read(items, item, depth + 1))
  return value === null || value === undefined ? value : [read(items, value, depth + 1)]
}

function readObject(node: Node, given: unknown, depth: number): unknown {
  const value = only(node, fromJson(given), depth)
  const { properties, additionalProperties } = node
  if (properties === undefined) {
    if (!isRecord(additionalProperties)) return value
    const record = Array.isArray(value) ? namedValues(value) : value
    if (!isRecord(record)) return value
    // Here a list may be meant as one, so it is not taken for its only item.
    return mapValues(record, (field) =>
      Array.isArray(field) ? field : read(additionalProperties, field, depth + 1),
    )
  }
  // A list of paths is meant where each item has one.
  const [first] = node.required ?? []
  if (typeof value === 'string' && depth > 0 && first !== undefined) return { [first]: value }
  if (!isRecord(value)) return value
  const { named, rest } = rename(properties, value)
  gather(node, named, rest)
  const required = new Set(node.required)
  const result: Record<string, unknown> = {}
  for (const [name, property] of Object.entries(properties)) {
    if (!(name in named)) continue
    const field = named[name]
    const isEmpty = field === null || field === undefined || (field === '' && property.type !== 'string')
    if (isEmpty && !required.has(name)) continue
    result[name] = read(property, field, depth + 1)
  }
  return result
}

/** Gives values the names of the schema. What no argument is called stays in `rest`. */
function rename(
  properties: Readonly<Record<string, Node>>,
  value: Readonly<Record<string, unknown>>,
): { named: Record<string, unknown>; rest: Record<string, unknown> } {
  const left = new Map(Object.entries(value).map(([name, field]) => [plainName(name), { name, field }]))
  const named: Record<string, unknown> = {}
  const take = (property: string, name: string): void => {
    const entry = left.get(name)
    if (property in named || entry === undefined) return
    left.delete(name)
    named[property] = entry.field
  }
  for (const property of Object.keys(properties)) {
    if (property in value) take(property, plainName(property))
  }
  for (const property of Object.keys(properties)) take(property, plainName(property))
  for (const property of Object.keys(properties)) {
    for (const name of (synonyms[property] ?? '').split(' ')) take(property, name)
  }
  return { named, rest: Object.fromEntries([...left.values()].map(({ name, field }) => [name, field])) }
}

/** Arguments that belong into the one that is missing: an edit, or fields, that stand beside the path. */
function gather(
  { properties = {}, required = [] }: Node,
  named: Record<string, unknown>,
  rest: Readonly<Record<string, unknown>>,
): void {
  const missing = required.filter((name) => !(name in named))
  const [name = ''] = missing
  const node = properties[name]
  if (missing.length !== 1 || node === undefined || Object.keys(rest).length === 0) return
  if (node.type === 'array' && node.items?.properties !== undefined) {
    const item = rename(node.items.properties, rest).named
    if (Object.keys(item).length > 0) named[name] = [item]
  } else if (node.type === 'object' && node.properties === undefined) named[name] = rest
}

/** `[{name, value}, …]` as an object; undefined for other lists. */
function namedValues(list: readonly unknown[]): Record<string, unknown> | undefined {
  const pairs = list.map((item) => {
    if (!isRecord(item)) return undefined
    const name = item['name'] ?? item['key'] ?? item['field']
    return typeof name === 'string' && 'value' in item ? ([name, item['value']] as const) : undefined
  })
  const known = pairs.filter((pair) => pair !== undefined)
  return known.length === list.length ? Object.fromEntries(known) : undefined
}

function fromJson(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return value
  try {
    const parsed: unknown = JSON.parse(value)
    return parsed
  } catch {
    return value
  }
}

function mapValues(
  record: Readonly<Record<string, unknown>>,
  change: (value: unknown) => unknown,
): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]))
}

function plainName(name: string): string {
  return name.toLowerCase().replaceAll(/[_\-\s]/g, '')
}
