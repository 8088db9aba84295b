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

const quote = 0x22
const backslash = 0x5c
const comma = 0x2c
const list = 0x5b
const object = 0x7b

/** Counts the values of a JSON text as its bytes come in, without reading it: a few bytes a value cost a parser dear. */
export function createValueCounter(): { add(chunk: Uint8Array): number } {
  let values = 1
  let inString = false
  let escaped = false
  return {
    /** How many there are so far; lists and objects count twice. */
    add(chunk) {
      for (let at = 0; at < chunk.length; at++) {
        if (inString) {
          // Most of a large body is text: look for its end only.
          if (escaped) escaped = false
          else if (chunk[at] === backslash) escaped = true
          else if (chunk[at] === quote) inString = false
        } else if (chunk[at] === quote) inString = true
        else if (chunk[at] === comma || chunk[at] === list || chunk[at] === object) values += 1
      }
      return values
    },
  }
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

/** The first words of a section's text on one line, without the marks of code and tables, for lists of results. */
export function beginningOf(text: string, longest: number): string {
  const words = text
    .slice(0, longest * 4)
    .split(/\s+/)
    .filter((word) => !word.startsWith('```') && !/^(?:\||\|?:?-{3,}:?\|?)$/.test(word))
    .join(' ')
    .replaceAll('`', '')
    .trim()
  if (words.length <= longest) return words
  const end = words.lastIndexOf(' ', longest)
  return `${words.slice(0, end > longest / 2 ? end : longest).toWellFormed()} …`
}
