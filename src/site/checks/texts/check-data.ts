import {
  type Node,
  type ParseError,
  findNodeAtLocation,
  getNodeValue,
  parseTree,
  printParseErrorCode,
} from 'jsonc-parser'
import { type Document, LineCounter, isNode } from 'yaml'
import { isHostileYaml } from '../../../lib/text/hostile-yaml.ts'
import { parseYamlDocuments, valueOfYaml } from '../../../lib/text/yaml.ts'
import { folderOf, resolvePath } from '../../text/paths.ts'
import { type OpenapiProblem, checkOpenapi } from './openapi.ts'

import type { Finding } from '../problem.ts'
import type { FileVersion } from '../tree-change.ts'

/** Cached by blob and path, because every round of a turn checks the same files. */
const reports = new Map<string, DataReport>()
const maxReports = 1000

const data = /\.(?:json|jsonc|ya?ml)$/i

/** Checks that JSON and YAML can be read, and that OpenAPI documents are consistent. */
export function checkData({ path, text, oid, view }: FileVersion): Finding[] {
  if (!data.test(path)) return []
  // Whether comments are allowed depends on the file's name.
  const key = `${oid} ${path}`
  const report = reports.get(key) ?? readData(text, path)
  if (reports.size >= maxReports) reports.clear()
  reports.set(key, report)
  const kind = /\.ya?ml$/i.test(path) ? 'YAML' : 'JSON'
  if (report.error !== undefined) {
    const { line, message } = report.error
    const hint = `Repair the ${kind} at this line`
    return [{ check: 'data', line, message: `The file is not valid ${kind}: ${message}`, hint, same: 'data' }]
  }
  const files = view.oids()
  return report.openapi
    .filter(({ file }) => {
      const target = file === undefined ? undefined : resolvePath(folderOf(path), file)
      return file === undefined || (target !== undefined && !files.has(target))
    })
    .map(({ line, message, hint }) => ({ check: 'openapi', line, message, hint }))
}

/** The problems of a data file: that it cannot be read, or the inconsistencies of an OpenAPI document. */
interface DataReport {
  error: { line: number; message: string } | undefined
  openapi: OpenapiProblem[]
}

type Path = readonly (string | number)[]

interface Parsed {
  error?: { line: number; message: string }
  value?: unknown
  lineOf?: (path: Path) => number
}

/** Never throws, but may take very long on a malicious text. */
function readData(text: string, path: string): DataReport {
  let parsed: Parsed
  try {
    parsed = /\.ya?ml$/i.test(path) ? readYaml(text) : readJson(text, path)
  } catch {
    return { error: { line: 1, message: 'it is nested too deep' }, openapi: [] }
  }
  const { error, value, lineOf } = parsed
  return { error, openapi: lineOf === undefined ? [] : checkOpenapi(value, lineOf) }
}

/** Files in which the programs that use them allow comments. */
const commented =
  /\.jsonc$|(?:^|\/)(?:tsconfig[^/]*|jsconfig|\.eslintrc|\.markdownlint[^/]*|\.?cspell|\.swcrc|devcontainer)\.json$|(?:^|\/)\.vscode\//i

function readJson(source: string, path: string): Parsed {
  const text = source.startsWith('\uFEFF') ? ` ${source.slice(1)}` : source
  const errors: ParseError[] = []
  const isLenient = commented.test(path)
  const root = parseTree(text, errors, { disallowComments: !isLenient, allowTrailingComma: isLenient })
  const lineAt = (offset: number) => text.slice(0, offset).split('\n').length
  const [error] = errors
  if (error !== undefined) {
    const reason = jsonErrors[printParseErrorCode(error.error)] ?? 'something is out of place'
    return { error: { line: lineAt(error.offset), message: reason } }
  }
  if (root === undefined) return { error: { line: 1, message: 'it is empty' } }
  return {
    value: getNodeValue(root) as unknown,
    lineOf: (path) => lineAt(nearest(path, (part) => findNodeAtLocation(root, [...part]))?.offset ?? 0),
  }
}

const jsonErrors: Readonly<Record<string, string>> = {
  CommaExpected: 'a comma is missing',
  ColonExpected: 'a colon is missing',
  PropertyNameExpected: 'the name of a property is missing, or there is a comma too many',
  ValueExpected: 'a value is missing, or there is a comma too many',
  CloseBraceExpected: 'a } is missing',
  CloseBracketExpected: 'a ] is missing',
  EndOfFileExpected: 'something follows the end',
  InvalidCommentToken: 'it contains a comment',
  InvalidSymbol: 'a text is not in double quotes',
  UnexpectedEndOfString: 'a text is not closed with a double quote',
  InvalidEscapeCharacter: 'an escape in a text is not known',
  InvalidCharacter: 'a text contains a line end or another control character',
}

function nearest(path: Path, find: (path: Path) => Node | undefined): Node | undefined {
  for (let length = path.length; length >= 0; length--) {
    const node = find(path.slice(0, length))
    if (node !== undefined) return node.parent?.type === 'property' ? node.parent : node
  }
  return undefined
}

function readYaml(text: string): Parsed {
  if (isHostileYaml(text)) {
    return { error: { line: 1, message: 'it contains more tags, anchors or brackets than can be read' } }
  }
  const counter = new LineCounter()
  const documents = parseYamlDocuments(text, counter)
  for (const { errors } of documents) {
    const [error] = errors
    // Templates are valid YAML only after they are filled in.
    if (error === undefined || /\{\{|\{%/.test(text)) continue
    return { error: { line: counter.linePos(error.pos[0]).line, message: lowered(error.message) } }
  }
  const [document] = documents
  if (document === undefined || documents.length > 1 || document.errors.length > 0) return {}
  return {
    value: valueOfYaml(document),
    lineOf: (path) => counter.linePos(offsetOf(document, path)).line,
  }
}

function offsetOf(document: Document, path: Path): number {
  for (let length = path.length; length > 0; length--) {
    const node = document.getIn(path.slice(0, length), true)
    if (isNode(node) && node.range) return node.range[0]
  }
  return 0
}

function lowered(message: string): string {
  const [first = ''] = message.split('\n', 1)
  return first.charAt(0).toLowerCase() + first.slice(1, 200)
}
