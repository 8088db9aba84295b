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
