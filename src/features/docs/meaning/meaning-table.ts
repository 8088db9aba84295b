import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** What words mean: a row of numbers for each word or piece of a word, whose sums tell how near texts are. */
export interface MeaningTable {
  /** By word in lower case; `##x` continues a word. */
  ids: ReadonlyMap<string, number>
  /** The rows one after the other, each of `dimensions` numbers that count times the row's scale. */
  rows: Int8Array
  scales: Float32Array
}

/** Numbers of a row. The first ones say most: rows can be compared by 64 of them. */
export const dimensions = 256

let loaded: MeaningTable | undefined

/** The table that comes with the program; read once, at the first text that is indexed or searched for. */
export function meaningTable(): MeaningTable {
  return (loaded ??= readTable(fileURLToPath(new URL('table', import.meta.url))))
}

function readTable(folder: string): MeaningTable {
  const words = readFileSync(`${folder}/vocab.txt`, 'utf8').trimEnd().split('\n')
  const { buffer, byteOffset } = readFileSync(`${folder}/table.bin`)
  const end = byteOffset + words.length * dimensions
  return {
    ids: new Map(words.map((word, id) => [word, id])),
    rows: new Int8Array(buffer, byteOffset, words.length * dimensions),
    // After the rows, little-endian; a copy, as they need not begin at a multiple of four.
    scales: new Float32Array(buffer.slice(end, end + words.length * 4)),
  }
}
