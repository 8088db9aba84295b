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
