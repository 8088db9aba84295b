import type { Nodes } from 'mdast'
import type { PageSyntax } from '../../../../site/markdown/page-tree.ts'
import type { PageDialect } from '../../../../site/pages/dialect.ts'
import type { Part, Ships } from './part.ts'
import type { SyntaxNode } from './text-parts.ts'

/** What parts of a page are judged by. */
export interface Reading {
  /** The page's own path. */
  path: string
  dialect: PageDialect
  /** The file of the site that the page names; undefined for none that it may show. */
  fileOf: (given: string) => string | undefined
  ships: Ships
  /** What the page's imports and exports have bound: something to show, data, or a value that is written out. */
  names: Map<string, 'module' | 'data' | 'value'>
  /** Names of definitions that images take their addresses from, and the definitions. */
  images: Set<string>
  definitions: { identifier: string; url: string; line: number }[]
  /** What the page's scripts say, by their texts. */
  scripts: ReadonlyMap<string, SyntaxNode>
  /** Reads a text as Markdown in its own right. */
  read: (text: string, line: number) => Part[]
}

export interface Attribute {
  name: string
  /** As a browser reads it; undefined for none. */
  value?: string | undefined
  /** What is computed in its place; `none` for what does not parse. */
  expression?: SyntaxNode | 'none' | undefined
  source: string
}

export interface Element {
  name: string
  attributes: readonly Attribute[]
  source: string
  /** Where it is no markup. */
  content?: string | undefined
  line: number
}

/** A page, or a part of one, while it is judged. */
export interface Page {
  /** What the tree's offsets count in. */
  source: string
  /** Lines of the file before it. */
  lines: number
  reading: Reading
  syntax: PageSyntax
  /** First and last lines of the blocks that a reader of lines alone takes for fences. */
  fences: ReadonlyMap<number, number>
  parts: Part[]
  /** What is only shown. */
  code: [start: number, end: number][]
  comments: [start: number, end: number][]
  depth: number
}

export function startOf({ position }: Nodes): number {
  return position?.start.offset ?? 0
}

export function sourceOf({ position }: Nodes, { source }: Page): string {
  return source.slice(position?.start.offset ?? 0, position?.end.offset ?? 0)
}

export function lineOf({ position }: Nodes, { lines }: Page): number {
  return lines + (position?.start.line ?? 1)
}
