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

/** Bytes of a string that are looked at one by one: most strings are shorter, and the search for an end costs time too. */
const shortString = 64

/** Counts the values of a JSON text as its bytes come in, without reading it: a few bytes a value cost a parser dear. */
export function createValueCounter(): { add(chunk: Uint8Array): number } {
  let values = 1
  let inString = false
  let escaped = false
  let looked = 0
  /** Goes on in a long string, to its next quote. */
  const skip = (bytes: Buffer, from: number): number => {
    const quoted = bytes.indexOf(quote, from)
    const end = quoted < 0 ? bytes.length : quoted
    let marks = 0
    while (end - marks > from && bytes[end - marks - 1] === backslash) marks += 1
    escaped = marks % 2 === 1
    return end
  }
  return {
    /** How many there are so far; lists and objects count twice. */
    add(chunk) {
      const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
      for (let at = 0; at < bytes.length; at++) {
        if (inString) {
          if (!escaped && looked >= shortString) {
            looked = 0
            at = skip(bytes, at)
            if (at >= bytes.length) break
          }
          looked += 1
          if (escaped) escaped = false
          else if (bytes[at] === backslash) escaped = true
          else if (bytes[at] === quote) inString = false
        } else if (bytes[at] === quote) {
          inString = true
          looked = 0
        } else if (bytes[at] === comma || bytes[at] === list || bytes[at] === object) values += 1
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
