import type { MeaningTable } from '../meaning/meaning-table.ts'
import { knownShare } from '../meaning/word-pieces.ts'

/** Characters of a text that tell its language. */
const looked = 5000
/** Of English pages 98 in 100 lie above, even where most of a page is code; texts in French reach 0.55. */
const leastShare = 0.6

/** Whether the table, which knows English, says something about a page: by its language, or else by its words. */
export function isForTable(table: MeaningTable, text: string, language?: string): boolean {
  if (language !== undefined) return /^en(?:[-_]|$)/i.test(language)
  return knownShare(table, text.slice(0, looked)) >= leastShare
}
