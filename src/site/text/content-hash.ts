import { createHash } from 'node:crypto'

/** A short hash of a file's bytes, to detect that it has changed since it was read. */
export function contentHash(content: Uint8Array): string {
  return createHash('sha256').update(content).digest('hex').slice(0, 16)
}
