import type { MeaningTable } from './meaning-table.ts'

/** A longer word is data. */
const longestWord = 64
/** Words that are remembered: most of a text are words that were read before. */
const mostKept = 50_000

/** Reads the pieces of texts that a table knows. It remembers words, so keep one for many texts. */
export interface PieceReader {
  /** Numbers of the pieces in their order. What is not written in ASCII has none, marks over letters apart. */
  read(text: string): number[]
}

export function createPieceReader({ ids }: Pick<MeaningTable, 'ids'>): PieceReader {
  const known = new Map<string, readonly number[]>()
  return {
    read(text) {
      const pieceIds: number[] = []
      for (const [word] of plain(text).matchAll(/[A-Za-z0-9]+/g)) {
        let pieces = known.get(word)
        if (pieces === undefined) {
          pieces = piecesOf(ids, word)
          if (known.size >= mostKept) known.clear()
          if (word.length <= longestWord) known.set(word, pieces)
        }
        for (const piece of pieces) pieceIds.push(piece)
      }
      return pieceIds
    },
  }
}

/** The share of a text's letters, of whatever script, in words that the table knows as a whole; 0 without letters. */
export function knownShare({ ids }: Pick<MeaningTable, 'ids'>, text: string): number {
  let [letters, known] = [0, 0]
  for (const [word] of plain(text).matchAll(/\p{L}+/gu)) {
    letters += word.length
    if (ids.has(word.toLowerCase())) known += word.length
    else
      for (const [part] of word.slice(0, longestWord).matchAll(partsOfWord))
        if (part.length < word.length && ids.has(part.toLowerCase())) known += part.length
  }
  return letters === 0 ? 0 : known / letters
}

/** At changes of case, and between letters and digits. */
const partsOfWord = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+/g

function plain(text: string): string {
  return text.normalize('NFKD').replaceAll(/\p{M}/gu, '')
}

/** The whole word, else its parts, each cut into the longest pieces that there are. */
function piecesOf(ids: ReadonlyMap<string, number>, word: string): readonly number[] {
  const whole = ids.get(word.toLowerCase())
  if (whole !== undefined) return [whole]
  const pieceIds: number[] = []
  for (const [part] of word.slice(0, longestWord).matchAll(partsOfWord)) {
    const small = part.toLowerCase()
    for (let from = 0; from < small.length;) {
      let to = small.length
      let id: number | undefined
      for (; to > from; to--) {
        id = ids.get((from > 0 ? '##' : '') + small.slice(from, to))
        if (id !== undefined) break
      }
      if (id !== undefined) pieceIds.push(id)
      from = id === undefined ? from + 1 : to
    }
  }
  return pieceIds
}
