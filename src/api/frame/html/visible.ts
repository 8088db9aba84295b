const invisible =
  /[^\P{Cc}\t\n\r]|[\u2028\u2029\uFFF9-\uFFFB]|(?![\p{Join_Control}\p{Variation_Selector}])\p{Default_Ignorable_Code_Point}/gu
// One or two joiners or variation selectors are part of scripts and emoji. More of them, and those for ideographs beside
// other letters, can spell a text of their own.
const runs =
  /(?<=[\p{Join_Control}\p{Variation_Selector}]{2})[\p{Join_Control}\p{Variation_Selector}]|(?<!\p{Ideographic})[\u{E0100}-\u{E01EF}]/gu

/**
 * Invisible characters, and those that reverse the reading order, could hide a change from the person who merges
 * it. Carriage returns stay, because they end every line of some files.
 */
export function visible(text: string): string {
  return text.replaceAll(runs, named).replaceAll(invisible, named)
}

/** Paths may hold line breaks. */
export function visiblePath(path: string): string {
  return visible(path).replaceAll('\n', '⟨U+000A⟩')
}

function named(character: string): string {
  return `⟨U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟩`
}

/** Text within HTML. */
export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
}
