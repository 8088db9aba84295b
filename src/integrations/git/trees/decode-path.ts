import { isUtf8 } from 'node:buffer'

/**
 * A path as text, or undefined when its bytes are not UTF-8: such files cannot be named in our API, so they are not
 * listed, and stay in the tree untouched.
 */
export function decodePath(bytes: Buffer): string | undefined {
  return isUtf8(bytes) ? bytes.toString('utf8') : undefined
}

/** A path for people, with every byte that is not ASCII written as `\xE9`. */
export function escapePath(bytes: Buffer): string {
  return bytes
    .toString('latin1')
    .replaceAll(/[^ -~]/g, (byte) => `\\x${byte.charCodeAt(0).toString(16).padStart(2, '0').toUpperCase()}`)
}

/** The pieces of git's `-z` output. */
export function* splitAtNul(bytes: Buffer): Generator<Buffer> {
  let start = 0
  while (start < bytes.length) {
    const end = bytes.indexOf(0, start)
    yield bytes.subarray(start, end === -1 ? bytes.length : end)
    if (end === -1) return
    start = end + 1
  }
}
