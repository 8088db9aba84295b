import type { Nodes } from 'mdast'
import type { PageSyntax } from '../../../../site/markdown/page-tree.ts'
import type { Reading } from './reading.ts'
import type { Part } from './text-parts.ts'

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
