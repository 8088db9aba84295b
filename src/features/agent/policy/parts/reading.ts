import type { PageDialect } from '../../../../site/pages/dialect.ts'
import type { Ships } from './ships.ts'
import type { Part, SyntaxNode } from './text-parts.ts'

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
