/** NUL and lone surrogates: Postgres refuses them in text and jsonb. */
export function hasUnstorable(text: string): boolean {
  return text.includes('\0') || !text.isWellFormed()
}

/** For text of models and repositories, which cannot be sent back to its writer. */
export function makeStorable(text: string): string {
  return hasUnstorable(text) ? text.toWellFormed().replaceAll('\0', '\u{FFFD}') : text
}
