const longest = 160
const abbreviation = /(?:\b(?:e\.g|i\.e|etc|vs|cf|approx|resp|incl|no|fig|mr|mrs|dr|st)|\b\p{Lu})\.$/iu

/** "Added in: v2.0", "Aliases: rm" and the like say nothing about the page. */
const label =
  /^(?:(?:added|introduced|available|deprecated|removed|changed) (?:in|since)|since|alias(?:es)?|status|version)\b[^.]{0,40}(?:\d|:)/i

/** A paragraph's first sentence, at most 160 characters; undefined where it has no useful one. */
export function sentenceOf(paragraph: string): string | undefined {
  const plain = paragraph.slice(0, 4000).replace(/\s+/g, ' ').trim()
  if (!/\p{L}.*\p{L}/u.test(plain) || plain.length < 12) return undefined
  const sentence = plain.slice(0, endOf(plain)).trim()
  // A type of code is no sentence.
  if (!/[.!?。！？]$/.test(sentence) || label.test(sentence) || /^[•·]|<\p{L}/u.test(sentence))
    return undefined
  if (sentence.length <= longest) return sentence
  const cut = sentence.slice(0, longest - 1)
  const space = cut.lastIndexOf(' ')
  const words = cut.slice(0, space > longest / 2 ? space : cut.length).toWellFormed()
  return `${words.replace(/(?<![\s,;:–—-])[\s,;:–—-]+$/, '')}…`
}

function endOf(text: string): number {
  for (const stop of text.matchAll(/[.!?](?=\s|$)|[。！？]/g)) {
    const end = stop.index + 1
    if (stop[0] === '.' && abbreviation.test(text.slice(Math.max(0, end - 8), end))) continue
    return end
  }
  return text.length
}
