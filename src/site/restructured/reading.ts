import type { Block, Fault, Lines } from './blocks.ts'

/** What is known while a page is read. */
export interface Reading {
  /** Adornments in the order of the levels that they mark: the sign, twice where it stands above as well. */
  styles: string[]
  faults: Fault[]
  /** Of literal blocks, as `.. highlight::` says. */
  language: string | undefined
  depth: number
  /** Whether the page's own blocks are read, and not those of a directive. */
  isTop: boolean
  readBlocks: (lines: Lines, reading: Reading) => Block[]
}
