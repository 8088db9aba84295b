import { ToolError } from '../../lib/tool-error.ts'

/** The encoding of a text file. `utf-8-damaged` is UTF-8 with some invalid bytes. */
export type Encoding = 'utf-8' | 'utf-8-damaged' | 'windows-1252' | 'utf-16le' | 'utf-16be'

export interface DecodedText {
  /** With its byte order mark. */
  text: string
  encoding: Encoding
}

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const upper = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ'
const upperBytes = new Map(Array.from(upper, (character, index) => [character, 0x80 + index]))
// In damaged UTF-8, a character from here on stands for the invalid byte in its last eight bits.
const standIn = 0xf700
const standIns = /[\uf780-\uf7ff]/

/** Decodes a text so that `encodeText` returns exactly the same bytes; undefined for binary files. */
export function decodeText(bytes: Uint8Array): DecodedText | undefined {
  const wide = decodeWide(bytes)
  if (wide !== undefined) return wide
  if (bytes.includes(0)) return undefined
  try {
    return { text: strict.decode(bytes), encoding: 'utf-8' }
  } catch {
    return decodeDamaged(bytes) ?? { text: decodeSingle(bytes), encoding: 'windows-1252' }
  }
}

/** The text of a file; empty for a binary one and where there is none. */
export function readText(bytes: Uint8Array | undefined): string {
  return bytes === undefined ? '' : (decodeText(bytes)?.text ?? '')
}

/** @throws ToolError `not_encodable` when the file's encoding does not know a character */
export function encodeText(text: string, encoding: Encoding): Uint8Array {
  switch (encoding) {
    case 'utf-8':
      return new TextEncoder().encode(text)
    case 'utf-8-damaged':
      return encodeDamaged(text)
    case 'windows-1252':
      return encodeSingle(text)
    default: {
      const bytes = Buffer.from(text, 'utf16le')
      return encoding === 'utf-16be' ? bytes.swap16() : bytes
    }
  }
}

function decodeWide(bytes: Uint8Array): DecodedText | undefined {
  const isLittle = bytes[0] === 0xff && bytes[1] === 0xfe
  if (!isLittle && !(bytes[0] === 0xfe && bytes[1] === 0xff)) return undefined
  if (bytes.length % 2 !== 0) return undefined
  const copy = Buffer.from(bytes)
  const text = (isLittle ? copy : copy.swap16()).toString('utf16le')
  if (!text.isWellFormed() || text.includes('\0')) return undefined
  return { text, encoding: isLittle ? 'utf-16le' : 'utf-16be' }
}

function decodeSingle(bytes: Uint8Array): string {
  return Buffer.from(bytes)
    .toString('latin1')
    .replaceAll(/[\u0080-\u009f]/g, (character) => upper[character.charCodeAt(0) - 0x80] ?? character)
}

function encodeSingle(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length)
  for (let at = 0; at < text.length; at++) {
    const character = text[at] ?? ''
    const code = character.charCodeAt(0)
    const byte =
      upperBytes.get(character) ?? (code < 0x80 || (code > 0x9f && code < 0x100) ? code : undefined)
    if (byte === undefined) {
      const whole = String.fromCodePoint(text.codePointAt(at) ?? code)
      throw new ToolError(
        'not_encodable',
        `The file is in Windows-1252, not UTF-8, and that has no ${JSON.stringify(whole)}: use other characters`,
      )
    }
    bytes[at] = byte
  }
  return bytes
}

/** Undefined when no character beyond ASCII is valid UTF-8: then the file has another encoding. */
function decodeDamaged(bytes: Uint8Array): DecodedText | undefined {
  const buffer = Buffer.from(bytes)
  const parts: string[] = []
  let from = 0
  let wide = 0
  for (let at = 0; at < bytes.length;) {
    const length = sequenceLength(bytes, at)
    if (length > 1) wide++
    if (length > 0) {
      at += length
      continue
    }
    parts.push(buffer.toString('utf8', from, at), String.fromCharCode(standIn + (bytes[at] ?? 0)))
    from = ++at
  }
  if (wide === 0 || standIns.test(parts.filter((_, index) => index % 2 === 0).join(''))) return undefined
  parts.push(buffer.toString('utf8', from))
  if (standIns.test(parts.at(-1) ?? '')) return undefined
  return { text: parts.join(''), encoding: 'utf-8-damaged' }
}

function encodeDamaged(text: string): Uint8Array {
  const parts = text
    .split(/([\uf780-\uf7ff])/)
    .map((part) =>
      part.length === 1 && standIns.test(part)
        ? Buffer.from([part.charCodeAt(0) - standIn])
        : Buffer.from(part, 'utf8'),
    )
  return Buffer.concat(parts)
}

/** The number of bytes of the character at `at`; 0 when it is not valid UTF-8. */
function sequenceLength(bytes: Uint8Array, at: number): number {
  const first = bytes[at] ?? 0
  if (first < 0x80) return 1
  const length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2
  if (first < 0xc2 || first > 0xf4 || at + length > bytes.length) return 0
  for (let index = 1; index < length; index++) {
    if (((bytes[at + index] ?? 0) & 0xc0) !== 0x80) return 0
  }
  const second = bytes[at + 1] ?? 0
  const isOverlong = (first === 0xe0 && second < 0xa0) || (first === 0xf0 && second < 0x90)
  const isSurrogate = first === 0xed && second > 0x9f
  return isOverlong || isSurrogate || (first === 0xf4 && second > 0x8f) ? 0 : length
}
