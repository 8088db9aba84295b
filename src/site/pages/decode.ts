import { decodeText as decodeExactly } from '../text/encoding.ts'

/**
 * The text of a file's bytes without its mark, or undefined when it is binary. Reads UTF-8, UTF-16 with a mark, and
 * everything else in the encoding that it looks like.
 */
export function decodeText(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  const decoded = decodeExactly(bytes)
  // Bytes that are no UTF-8 are shown as such.
  return decoded?.encoding === 'utf-8-damaged'
    ? new TextDecoder().decode(bytes)
    : decoded?.text.replace(/^\uFEFF/, '')
}

/** Removes what Postgres refuses in `text` and `jsonb`: NUL and lone surrogates. */
export function storableText(text: string): string {
  const wellFormed = text.isWellFormed() ? text : text.toWellFormed()
  return wellFormed.includes('\0') ? wellFormed.replaceAll('\0', '') : wellFormed
}
