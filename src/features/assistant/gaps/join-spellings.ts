/** Letters from which on a word that differs in one of them is taken for the same. */
const leastLetters = 5
/** Below so many letters, another letter makes another word: only one more or less is the same. */
const leastReplaced = 6

type Terms = ReadonlyMap<string, number>

/**
 * Writes the terms of texts as most of them do: "web hooks" as "webhooks", "organise" as "organize", "kubernets" as
 * "kubernetes". Takes time in proportion to the length of the texts.
 */
export function joinSpellings(texts: readonly Terms[]): Map<string, number>[] {
  const counts = new Map<string, number>()
  for (const terms of texts) for (const term of terms.keys()) counts.set(term, (counts.get(term) ?? 0) + 1)
  const usual = usualSpellings(counts)
  return texts.map((terms) => {
    const written = new Map<string, number>()
    const all = [...terms]
    for (let at = 0; at < all.length; at++) {
      const [term = '', weight = 0] = all[at] ?? []
      const joined = `${term}${all[at + 1]?.[0] ?? ''}`
      if (joined !== term && counts.has(joined)) {
        written.set(usual.get(joined) ?? joined, 1)
        at++
      } else written.set(usual.get(term) ?? term, weight)
    }
    return written
  })
}

/** The more frequent one of words that differ in one letter, or in the order of two, by the other ones. */
function usualSpellings(counts: ReadonlyMap<string, number>): Map<string, string> {
  const byFrequency = [...counts].toSorted(([, one], [, other]) => other - one)
  const known = new Map<string, string>()
  const usual = new Map<string, string>()
  for (const [term] of byFrequency) {
    if (!/^[a-z]+$/.test(term) || term.length < leastLetters || term.length > 40) continue
    // What is left of "organise" and of "organize" without their endings.
    if (term.endsWith('is') && counts.has(term.slice(0, -2))) {
      usual.set(term, term.slice(0, -2))
      continue
    }
    const keys = [term, ...Array.from(term, (_, at) => term.slice(0, at) + term.slice(at + 1))]
    const like = keys.flatMap((key) => known.get(key) ?? []).find((one) => isNear(one, term))
    if (like !== undefined) usual.set(term, like)
    else for (const key of keys) if (!known.has(key)) known.set(key, term)
  }
  return usual
}

function isNear(one: string, other: string): boolean {
  if (one.charAt(0) !== other.charAt(0)) return false
  let start = 0
  while (start < one.length && one[start] === other[start]) start++
  let end = 0
  while (end < Math.min(one.length, other.length) - start && one.at(-1 - end) === other.at(-1 - end)) end++
  const [left, right] = [one.slice(start, one.length - end), other.slice(start, other.length - end)]
  if (left.length + right.length <= 1) return true
  if (Math.min(one.length, other.length) < leastReplaced) return false
  if (left.length <= 1 && right.length <= 1) return true
  return left.length === 2 && right.length === 2 && left[0] === right[1] && left[1] === right[0]
}
