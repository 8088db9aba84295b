import { createHash } from 'node:crypto'

/** A short name of a file's bytes, by which a change since it was read is seen. */
export function contentHash(content: Uint8Array): string {
  return createHash('sha256').update(content).digest('hex').slice(0, 16)
}
