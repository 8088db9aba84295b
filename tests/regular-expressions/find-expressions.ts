import { execFile } from 'node:child_process'
import { readFile, readdir } from 'node:fs/promises'
import { stripTypeScriptTypes } from 'node:module'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { parse } from 'acorn'

export interface Expression {
  file: string
  line: number
  source: string
  flags: string
}

/** A call of `RegExp` in a function: what it makes is known when it runs. */
export interface ComposedExpression {
  file: string
  line: number
  /** Its first argument as the code says it. */
  argument: string
}

const root = resolve(import.meta.dirname, '../../src')
const widget = 'web/widget'

/** Every regular expression of src/ and of the widget: literals, what modules compose when they load, and the rest. */
export async function findExpressions(): Promise<{
  expressions: Expression[]
  composed: ComposedExpression[]
}> {
  const ofWidget = (await readdir(pathOf(widget), { recursive: true })).map((file) => join(widget, file))
  const names = [...(await readdir(root, { recursive: true })), ...ofWidget]
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => /\.[jt]s$/.test(file) && !/\.(?:test|fixture|contract|d)\.ts$/.test(file))
    .toSorted()
  const read = await Promise.all(names.map(readFileOf))
  const composed = read.flatMap((file) => file.composed)
  const ofServer = composed.map(({ file }) => file).filter((file) => !file.startsWith(widget))
  const recorded = await recordLoaded([...new Set(ofServer)])
  return {
    expressions: [...read.flatMap(({ literals }) => literals), ...recorded],
    composed: composed.filter(
      ({ file, line }) => !recorded.some((one) => one.file === file && one.line === line),
    ),
  }
}

/** Files of src/ are named from there. */
function pathOf(file: string): string {
  return join(root, file.startsWith(widget) ? '..' : '.', file)
}

async function readFileOf(file: string): Promise<{ literals: Expression[]; composed: ComposedExpression[] }> {
  const text = await readFile(pathOf(file), 'utf8')
  const script = file.endsWith('.ts') ? stripTypeScriptTypes(text, { mode: 'strip' }) : text
  const tree = parse(script, { ecmaVersion: 'latest', sourceType: 'module', locations: true })
  const literals: Expression[] = []
  const composed: ComposedExpression[] = []
  eachNode(tree, (node) => {
    const line = lineOf(node)
    if (node['type'] === 'Literal' && isRecord(node['regex']))
      literals.push({
        file,
        line,
        source: String(node['regex']['pattern']),
        flags: String(node['regex']['flags']),
      })
    const callee = node['callee']
    if (
      isRecord(callee) &&
      /^(?:New|Call)Expression$/.test(String(node['type'])) &&
      callee['name'] === 'RegExp'
    ) {
      const first: unknown = Array.isArray(node['arguments']) ? node['arguments'][0] : undefined
      const argument = isRecord(first) ? script.slice(Number(first['start']), Number(first['end'])) : ''
      composed.push({ file, line, argument: argument.replaceAll(/\s+/g, ' ') })
    }
  })
  return { literals, composed }
}

/** Loads the modules in a process of their own that tells what they make of `RegExp` by then. */
async function recordLoaded(files: readonly string[]): Promise<Expression[]> {
  const recorder = join(import.meta.dirname, 'record-loaded.ts')
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--no-warnings', recorder, root, ...files],
    {
      maxBuffer: 64 * 1024 * 1024,
    },
  )
  const recorded: unknown = JSON.parse(stdout)
  if (!Array.isArray(recorded)) throw new Error('the recorder told no list')
  return recorded.filter(isRecord).map((one) => ({
    file: String(one['file']),
    line: Number(one['line']),
    source: String(one['source']),
    flags: String(one['flags']),
  }))
}

function eachNode(node: unknown, visit: (node: Record<string, unknown>) => void): void {
  if (Array.isArray(node)) for (const one of node) eachNode(one, visit)
  else if (isRecord(node)) {
    if (typeof node['type'] === 'string') visit(node)
    for (const [key, value] of Object.entries(node)) if (key !== 'loc') eachNode(value, visit)
  }
}

function lineOf(node: Record<string, unknown>): number {
  const loc = node['loc']
  const start = isRecord(loc) ? loc['start'] : undefined
  return isRecord(start) ? Number(start['line']) : 0
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
