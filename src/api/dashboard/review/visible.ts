const invisible =
  /[\p{Cc}\p{Bidi_Control}\u00AD\u115F\u1160\u180E\u200B\u2060-\u2064\u3164\uFEFF\uFFA0\uFFF9-\uFFFB\u{E0000}-\u{E007F}]/gu

/**
 * Invisible characters, and those that reverse the reading order, could hide a change from the person who merges
 * it. Carriage returns stay, because they end every line of some files.
 */
export function visible(text: string): string {
  return text.replaceAll(invisible, (character) =>
    character === '\t' || character === '\n' || character === '\r'
      ? character
      : `⟨U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟩`,
  )
}

/** Text within HTML. */
export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
}
