import { type Document, type Node, type Pair, type Scalar, isCollection, isMap, isPair, isScalar } from 'yaml'
import { isHostileYaml } from '../../lib/text/hostile-yaml.ts'
import { parseYamlDocument } from '../../lib/text/yaml.ts'
import type { Edit } from './text-file.ts'
import { type ScalarStyle, yamlScalar } from './yaml-scalar.ts'

// The parser takes a second for much more than this.
const maxLength = 250_000

/** Parses YAML with the offsets of its nodes; undefined when it is too long, nested too deep or not valid. */
export function openYaml(text: string, longest = maxLength): Document.Parsed | undefined {
  if (text.length > longest || isHostileYaml(text)) return undefined
  try {
    const plain = text.startsWith('\uFEFF') ? ` ${text.slice(1)}` : text
    const document = parseYamlDocument(plain, { lenient: true }, true)
    return document.errors.length > 0 ? undefined : document
  } catch {
    return undefined
  }
}

export function pairOf(node: unknown, key: string): Pair | undefined {
  if (!isMap(node)) return undefined
  return node.items.find((pair) => isScalar(pair.key) && pair.key.value === key)
}

export function textOf(node: unknown): string | undefined {
  return isScalar(node) && typeof node.value === 'string' ? node.value : undefined
}

/** The end of the last thing written in a node, without comments and line ends after it. */
export function endOf(node: unknown): number {
  if (isPair(node)) return Math.max(endOf(node.key), endOf(node.value))
  if (isCollection(node) && node.flow !== true) return Math.max(0, ...node.items.map(endOf))
  return rangeOf(node)?.[1] ?? 0
}

export function startOf(node: unknown): number {
  if (isPair(node)) return startOf(node.key)
  return rangeOf(node)?.[0] ?? 0
}

/** Replaces the text of a scalar and keeps its quotes. */
export function scalarEdit(scalar: Scalar, value: string): Edit {
  const [start = 0, end = 0] = scalar.range ?? []
  return { start, end, text: yamlScalar(value, styleOf(scalar)) }
}

export function styleOf(scalar: Scalar): ScalarStyle {
  if (scalar.type === 'QUOTE_DOUBLE') return 'double'
  return scalar.type === 'QUOTE_SINGLE' ? 'single' : 'plain'
}

/** The offset after the line that `offset` is on, including its line end. */
export function nextLine(text: string, offset: number): number {
  const newline = text.indexOf('\n', offset)
  return newline === -1 ? text.length : newline + 1
}

export function lineStart(text: string, offset: number): number {
  return text.lastIndexOf('\n', offset - 1) + 1
}

function rangeOf(node: unknown): Node['range'] {
  return typeof node === 'object' && node !== null && 'range' in node && Array.isArray(node.range)
    ? [Number(node.range[0]), Number(node.range[1]), Number(node.range[2])]
    : undefined
}
