import { type AnyNode, type Options, parse, parseExpressionAt } from 'acorn'
import { stripTypes } from './strip-types.ts'

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
