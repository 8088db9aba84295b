import { mean, type Quality } from '../src/lib/ranking-quality.ts'

export function meanQuality(all: Quality[]): Quality {
  return {
    ndcg: mean(all.map(({ ndcg }) => ndcg)),
    recall5: mean(all.map(({ recall5 }) => recall5)),
    recall10: mean(all.map(({ recall10 }) => recall10)),
    mrr: mean(all.map(({ mrr }) => mrr)),
  }
}

/**
 * Makes one typo in the longest plain word of a question, determined by the seed: two letters are swapped, or one
 * is left out, doubled or replaced. The first letter stays. A question without a word of five letters is not
 * changed.
 */
export function withTypo(query: string, seed: string): string {
  const words = [...query.matchAll(/\p{L}{5,}/gu)].toSorted((a, b) => b[0].length - a[0].length)
  const word = words[0]
  if (word === undefined) return query
  let hash = 2166136261
  for (const character of seed) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 16777619) >>> 0
  const letters = Array.from(word[0])
  const at = 1 + (hash % (letters.length - 2))
  const here = letters[at] ?? ''
  const next = letters[at + 1] ?? ''
  const edits = [[next, here], [next], [here, here, next], [here === 'e' ? 'a' : 'e', next]]
  letters.splice(at, 2, ...(edits[(hash >>> 8) % edits.length] ?? []))
  return query.slice(0, word.index) + letters.join('') + query.slice(word.index + word[0].length)
}
