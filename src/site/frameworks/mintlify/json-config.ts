import type { ReadFile } from '../../files.ts'
import { type Node, type ParseError, parseTree } from 'jsonc-parser'
import { folderOf, joinPath } from '../../text/paths.ts'

const maxLength = 5_000_000
const maxFiles = 200
const maxDepth = 60
/** Bounds files that refer to each other many times over. */
const maxFollowed = 20_000

/** A JSON file, which may have comments, as a tree with offsets. */
export interface JsonFile {
  path: string
  text: string
  /** As much of it as could be read. */
  root: Node
}

/** A value of a configuration in several files, and the files through which it was reached. */
export interface JsonValue {
  node: Node
  file: JsonFile
  open: readonly JsonFile[]
}

export interface JsonConfig {
  main: JsonValue | undefined
  /** Of all files in the order of their references, missing ones included. */
  paths: readonly string[]
  files: readonly JsonFile[]
  /** Paths of files that are there and are not valid. */
  broken: readonly string[]
  property(value: JsonValue | undefined, key: string): JsonValue | undefined
  elements(list: JsonValue | undefined): JsonValue[]
  /** The value that replaces `{"$ref": "./other.json"}`. */
  resolve(value: JsonValue): JsonValue
}

/** Reads a JSON configuration with the files that `$ref` includes; keys beside a `$ref` win over those of its file. */
export async function readJsonConfig(read: ReadFile, config: string): Promise<JsonConfig> {
  const files = new Map<string, JsonFile | undefined>()
  const broken: string[] = []
  let followed = 0
  const pathOf = (reference: string, from: string) =>
    joinPath(folderOf(reference.startsWith('/') ? config : from), reference)
  const load = async (path: string): Promise<void> => {
    files.set(path, undefined)
    const text = await read(path)
    const { file, isValid } = text === undefined ? { file: undefined, isValid: true } : parseFile(path, text)
    files.set(path, file)
    if (!isValid) broken.push(path)
    for (const reference of file === undefined ? [] : references(file.root)) {
      const target = pathOf(reference, path)
      if (target !== undefined && !files.has(target) && files.size < maxFiles) await load(target)
    }
  }
  await load(config)

  const targetOf = ({ node, file, open }: JsonValue): JsonValue | undefined => {
    const reference = textOf(ownProperty(node, '$ref'))
    if (reference === undefined || followed > maxFollowed) return undefined
    followed += 1
    const target = files.get(pathOf(reference, file.path) ?? '')
    if (target === undefined || open.includes(target)) return undefined
    return { node: target.root, file: target, open: [...open, target] }
  }
  const resolve = (value: JsonValue): JsonValue => {
    const target = isReference(value.node) ? targetOf(value) : undefined
    return target === undefined ? value : resolve(target)
  }
  const property = (value: JsonValue | undefined, key: string): JsonValue | undefined => {
    if (value?.node.type !== 'object') return undefined
    const node = ownProperty(value.node, key)
    if (node !== undefined) return resolve({ ...value, node })
    const target = targetOf(value)
    return target && property(target, key)
  }
  const elements = (list: JsonValue | undefined): JsonValue[] => {
    if (list?.node.type !== 'array') return []
    return (list.node.children ?? []).flatMap((node) => {
      const value = resolve({ ...list, node })
      if (value.node === node && isReference(node)) return []
      // A reference in a list may include a list.
      return value.node !== node && value.node.type === 'array' ? elements(value) : [value]
    })
  }
  const file = files.get(config)
  return {
    main: file && { node: file.root, file, open: [file] },
    paths: [...files.keys()],
    broken,
    files: [...files.values()].filter((one) => one !== undefined),
    property,
    elements,
    resolve,
  }
}

function parseFile(path: string, text: string): { file: JsonFile | undefined; isValid: boolean } {
  if (text.length > maxLength) return { file: undefined, isValid: false }
  const errors: ParseError[] = []
  try {
    const plain = text.startsWith('\uFEFF') ? ` ${text.slice(1)}` : text
    const root = parseTree(plain, errors, { allowTrailingComma: true })
    const isValid = errors.length === 0 && (root?.type === 'object' || root?.type === 'array')
    return { file: root && { path, text, root }, isValid }
  } catch {
    // Hostile nesting overflows the parser's stack.
    return { file: undefined, isValid: false }
  }
}

function references(root: Node): string[] {
  const targets: string[] = []
  const visit = (node: Node, depth: number): void => {
    if (depth > maxDepth) return
    const reference = textOf(ownProperty(node, '$ref'))
    if (reference !== undefined) targets.push(reference)
    for (const child of node.children ?? []) visit(child, depth + (child.type === 'property' ? 0 : 1))
  }
  visit(root, 0)
  return targets
}

/** `{"$ref": "./other.json"}` and nothing else. */
function isReference(node: Node): boolean {
  return node.type === 'object' && node.children?.length === 1 && ownProperty(node, '$ref') !== undefined
}

function ownProperty(node: Node, name: string): Node | undefined {
  if (node.type !== 'object') return undefined
  return node.children?.findLast((child) => child.children?.[0]?.value === name)?.children?.[1]
}

export function textOf(node: Node | undefined): string | undefined {
  const value: unknown = node?.type === 'string' ? node.value : undefined
  return typeof value === 'string' ? value : undefined
}
