import { type AnyNode, type Options, parse, parseExpressionAt } from 'acorn'
import { createTextThread, ThreadFailure } from '../../lib/threads/text-thread.ts'

/** The syntax tree of a JavaScript, TypeScript or JSON file; its offsets are those of the text. */
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

/** Parses a text that is one expression and nothing else. */
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
  // A byte order mark is white space in JavaScript, but the parser of types rejects it.
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
      // Malicious nesting overflows the stack here, which does no harm.
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
 * Replaces types with white space, so that all offsets stay; undefined for code that cannot be read. It runs in a
 * thread, as deep nesting leaves the parser unusable.
 */
async function stripTypes(text: string): Promise<string | undefined> {
  const stripped = await thread.run(text).catch((error: unknown) => {
    if (error instanceof ThreadFailure) return undefined
    throw error
  })
  return stripped?.length === text.length ? stripped : undefined
}

/**
 * All nodes of a tree, outer ones first, without recursion, as hostile trees are deep. Nodes inside of those that
 * `isClosed` names are left out.
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
