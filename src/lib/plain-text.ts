/** NUL and lone surrogates: Postgres refuses them in text and jsonb. */
export function hasUnstorable(text: string): boolean {
  return text.includes('\0') || !text.isWellFormed()
}

/** For a terminal: nothing in a text of others moves its cursor, colours it, sets its title or turns its direction. */
export function makePrintable(text: string): string {
  return text.replaceAll(/[^\P{Cc}\t\n]|\p{Bidi_Control}/gu, '\u{FFFD}')
}

/** For text of models and repositories, which cannot be sent back to its writer. */
export function makeStorable(text: string): string {
  return hasUnstorable(text) ? text.toWellFormed().replaceAll('\0', '\u{FFFD}') : text
}

/** Control characters, and those that show nothing or turn the direction of what follows. Line ends become LF. */
export function withoutHidden(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/\r\n?|[\u{2028}\u{2029}]/gu, '\n')
    .replaceAll(/[^\P{Cc}\t\n]/gu, '')
    .replaceAll(hidden, '')
    .replaceAll(runs, '$1')
}

// Joiners stay: scripts and emoji need them.
const hidden =
  /(?![\p{Join_Control}\p{Variation_Selector}])\p{Default_Ignorable_Code_Point}|[\u{FFF9}-\u{FFFB}]/gu
// Emoji need two at a time; more are no way to write, but one to hide text.
const runs = /([\p{Join_Control}\p{Variation_Selector}]{2})[\p{Join_Control}\p{Variation_Selector}]+/gu
