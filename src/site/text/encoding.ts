import { ToolError } from '../../lib/tool-error.ts'
import { isLfsPointer } from './lfs-pointer.ts'
import { decodeAs, decodeLegacy, encodeLegacy, type LegacyEncoding } from './legacy-encoding.ts'

/** The encoding of a text file. `utf-8-damaged` is UTF-8 with some invalid bytes. */
export type Encoding = Unicode | LegacyEncoding
type Unicode = 'utf-8' | 'utf-8-damaged' | 'utf-16le' | 'utf-16be'

export interface DecodedText {
  /** With its byte order mark. */
  text: string
  encoding: Encoding
}

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
// In damaged UTF-8, a character from here on stands for the invalid byte in its last eight bits.
const standIn = 0xf700
const standIns = /[\uf780-\uf7ff]/
const isUnicode = (encoding: Encoding): encoding is Unicode => encoding.startsWith('utf-')

/**
 * Decodes a text so that `encodeEdited` returns exactly the same bytes; undefined for binary files, and for those that
 * Git LFS keeps elsewhere: their pointers are no texts for anyone.
 */
export function decodeText(bytes: Uint8Array): DecodedText | undefined {
  if (isLfsPointer(bytes)) return undefined
  const wide = decodeWide(bytes)
  if (wide !== undefined) return wide
  if (bytes.includes(0)) return undefined
  try {
    return { text: strict.decode(bytes), encoding: 'utf-8' }
  } catch {
    return decodeDamaged(bytes) ?? decodeLegacy(bytes)
  }
}

/** The text of a file; empty for a binary one and where there is none. */
export function readText(bytes: Uint8Array | undefined): string {
  return bytes === undefined ? '' : (decodeText(bytes)?.text ?? '')
}

/**
 * The bytes of a file after an edit, in its encoding. Nobody can be sure of an encoding that is not Unicode, so only what
 * the text has already, and ASCII, is written in it.
 * @param before the file before the edit
 * @throws ToolError `not_encodable` when the edit adds other characters to such a file
 */
export function encodeEdited(text: string, before: DecodedText): Uint8Array {
  const { encoding } = before
  if (isUnicode(encoding)) return encodeUnicode(text, encoding)
  const [added] = addedCharacters(before.text, text)
  const bytes = added === undefined ? encodeLegacy(text, encoding) : undefined
  if (bytes !== undefined) return bytes
  const character = added === undefined ? 'a character' : JSON.stringify(added)
  throw new ToolError(
    'not_encodable',
    `The file is not UTF-8 but probably ${encodingNames[encoding]}, so characters beyond ASCII can’t be added to it, such as ${character} here. Write the change in ASCII only, or leave it and say so`,
  )
}

/** Whether a file that is not UTF-8 is still in its encoding after a change, with nothing else mixed in. */
export function keepsEncoding(before: Uint8Array, after: Uint8Array): boolean {
  const decoded = decodeText(before)
  if (decoded === undefined) return false
  if (isUnicode(decoded.encoding)) return decodeText(after)?.encoding === decoded.encoding
  const text = decodeAs(after, decoded.encoding)
  return text !== undefined && addedCharacters(decoded.text, text).length === 0
}

const encodingNames: Readonly<Record<LegacyEncoding, string>> = {
  shift_jis: 'Shift JIS',
  'euc-jp': 'EUC-JP',
  'euc-kr': 'EUC-KR',
  gbk: 'GBK',
  big5: 'Big5',
  'koi8-r': 'KOI8-R',
  'windows-1251': 'Windows-1251',
  'windows-1252': 'Windows-1252',
  'windows-1253': 'Windows-1253',
  'windows-1255': 'Windows-1255',
}

/** The characters beyond ASCII of which `after` has more than `before`. */
function addedCharacters(before: string, after: string): string[] {
  const left = new Map<string, number>()
  for (const [character] of before.matchAll(beyondAscii)) left.set(character, (left.get(character) ?? 0) + 1)
  const added: string[] = []
  for (const [character] of after.matchAll(beyondAscii)) {
    const count = left.get(character) ?? 0
    if (count === 0) added.push(character)
    else left.set(character, count - 1)
  }
  return added
}

const beyondAscii = /[^\0-\x7f]/gu

function encodeUnicode(text: string, encoding: Unicode): Uint8Array {
  if (encoding === 'utf-8') return new TextEncoder().encode(text)
  if (encoding === 'utf-8-damaged') return encodeDamaged(text)
  const bytes = Buffer.from(text, 'utf16le')
  return encoding === 'utf-16be' ? bytes.swap16() : bytes
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

/** Undefined when fewer characters beyond ASCII are valid UTF-8 than bytes are not: then the file has another encoding. */
function decodeDamaged(bytes: Uint8Array): DecodedText | undefined {
  let wide = 0
  let invalid = 0
  for (let at = 0; at < bytes.length;) {
    const length = sequenceLength(bytes, at)
    if (length > 1) wide++
    if (length === 0) invalid++
    at += Math.max(1, length)
  }
  if (wide === 0 || wide < invalid) return undefined
  const buffer = Buffer.from(bytes)
  if (standIns.test(buffer.toString('utf8'))) return undefined
  const parts: string[] = []
  let from = 0
  for (let at = 0; at < bytes.length;) {
    const length = sequenceLength(bytes, at)
    at += length
    if (length > 0) continue
    parts.push(buffer.toString('utf8', from, at), String.fromCharCode(standIn + (bytes[at] ?? 0)))
    from = ++at
  }
  parts.push(buffer.toString('utf8', from))
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
