/**
 * The title of a pull request from which files were left out: the one that was given, unless it is about them or says
 * several things, of which one may be about them. Then it names what is there.
 */
export function titleWithout(
  title: string | undefined,
  leftOut: readonly string[],
  kept: readonly string[],
): string | undefined {
  if (title === undefined) return undefined
  const words = new Set(kept.flatMap(wordsOfPath))
  const missing = new Set(leftOut.flatMap(wordsOfPath).filter((word) => !words.has(word)))
  const isAbout = wordsIn(title).some((word) => missing.has(word))
  if (!isAbout && !/[,;&+]|\b(?:and|with)\b/i.test(title)) return title
  const [first = ''] = kept
  return kept.length === 1 ? `Update ${first}` : `Update ${first} and ${kept.length - 1} more`
}

/** Words of some length, without the sign of a plural. */
function wordsIn(text: string): string[] {
  return (text.toLowerCase().match(/[\p{L}\p{N}]{4,}/gu) ?? []).map((word) => word.replace(/s$/, ''))
}

/** The words of its name, and for an index those of its folder. */
function wordsOfPath(path: string): string[] {
  const names = path.replace(/\.[a-z]+$/i, '').split('/')
  const last = names.at(-1) ?? ''
  const name = /^(?:index|readme|_index)$/i.test(last) ? (names.at(-2) ?? '') : last
  return wordsIn(name)
}
