import { type AnyNode, type Options, parse, parseExpressionAt } from 'acorn'
import { createTextThread, ThreadFailure } from '../../lib/threads/text-thread.ts'

/** A file of JavaScript, TypeScript or JSON as a tree whose offsets are those of the file's own text. */
export interface Script {
  path: string
  text: string
  /** A program, or the one value of a JSON file. */
  root: AnyNode
}

const maxLength = 1_000_000
const maxKept = 50
const maxKeptCharacters = 10_000_000
const kept = new Map<string, Promise<Script | undefined>>()

/** Reads configuration without running it; undefined for what is no valid script or too long. */
export function parseScript(path: string, text: string): Promise<Script | undefined> {
  if (text.length > maxLength) return Promise.resolve(undefined)
  const key = `${path}\0${text}`
  const known = kept.get(key)
  if (known !== undefined) return known
  const script = parseText(path, text)
  kept.set(key, script)
  for (const [oldest] of kept) {
    if (kept.size <= maxKept && sizeOf(kept) <= maxKeptCharacters) break
    kept.delete(oldest)
  }
  return script
}

/** One value alone: `text` is an expression and nothing else. */
export function parseValue(text: string): AnyNode | undefined {
  try {
    const node: AnyNode = parseExpressionAt(text, 0, options)
    return onlySpace(text.slice(node.end)) ? node : undefined
  } catch {
    return undefined
  }
}

const options: Options = { ecmaVersion: 'latest', sourceType: 'module' }
const typed = /\.[cm]?ts$/

async function parseText(path: string, text: string): Promise<Script | undefined> {
  // The byte order mark is white space to JavaScript, but not to what takes the types away.
  const plain = text.startsWith('\uFEFF') ? ` ${text.slice(1)}` : text
  if (path.endsWith('.json')) {
    const root = parseValue(plain)
    return root && { path, text, root }
  }
  // `call<Type>(x)` is JavaScript too, but means something else there.
  const certain = !typed.test(path) || !/[\w$]<[^=\s]/.test(plain)
  const root = certain ? parseProgram(plain) : undefined
  if (root !== undefined || !typed.test(path)) return root && { path, text, root }
  const stripped = await stripTypes(plain)
  const bare = stripped === undefined ? undefined : parseProgram(stripped)
  return bare && { path, text, root: bare }
}

function parseProgram(text: string): AnyNode | undefined {
  for (const sourceType of ['module', 'script'] as const) {
    try {
      return parse(text, { ...options, sourceType, allowReturnOutsideFunction: sourceType === 'script' })
    } catch {
      // Hostile nesting overflows the stack here, which does no harm.
    }
  }
  return undefined
}

function onlySpace(text: string): boolean {
  return text.trim() === ''
}

function sizeOf(scripts: ReadonlyMap<string, unknown>): number {
  let size = 0
  for (const key of scripts.keys()) size += key.length
  return size
}

export interface StripTypes {
  task: string
  answer: string | undefined
}

const thread = createTextThread<StripTypes>(new URL('strip-types.worker.ts', import.meta.url), {
  deadline: 10_000,
  memory: 256,
  idle: 30_000,
})

/**
 * TypeScript with its types made white space, every other character where it was; undefined for what cannot be read.
 * It happens in a thread of its own: deep nesting breaks the parser for good, which must not be the server's.
 */
export async function stripTypes(text: string): Promise<string | undefined> {
  const stripped = await thread.run(text).catch((error: unknown) => {
    if (error instanceof ThreadFailure) return undefined
    throw error
  })
  return stripped?.length === text.length ? stripped : undefined
}

/**
 * Every node of a tree, a node before what is in it; without recursion, as hostile trees are deep. What is in nodes
 * that `isClosed` names is left out.
 */
export function* eachNode(root: AnyNode, isClosed?: (node: AnyNode) => boolean): Generator<AnyNode> {
  const open: AnyNode[] = [root]
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    yield node
    if (isClosed?.(node) === true) continue
    const inner: AnyNode[] = []
    for (const value of Object.values(node) as unknown[]) {
      if (Array.isArray(value)) {
        for (const one of value as unknown[]) if (isNode(one)) inner.push(one)
      } else if (isNode(value)) inner.push(value)
    }
    for (const one of inner.reverse()) open.push(one)
  }
}

function isNode(value: unknown): value is AnyNode {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'
}
