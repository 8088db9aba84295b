import { AppError } from '../../lib/errors.ts'
import { openSecret, sealSecret, type SecretKey } from '../../lib/secret-box.ts'
import type { Store } from '../../store/database.ts'
import type { KeptSecret } from '../../store/kept-secret.ts'

/** Of the secrets that are kept encrypted. */
export interface SecretCounts {
  /** Encrypted anew just now. */
  resealed: number
  /** Encrypted with the current key before. */
  current: number
  /** Still encrypted with an earlier key. */
  earlier: number
  /** What people call those that no key opens. */
  unreadable: string[]
}

/**
 * Looks which key each secret is encrypted with, and encrypts those of an earlier key anew if asked to. One at a time, each
 * in place of what was read: whoever saves one meanwhile wins, and running again finds the rest.
 */
export async function goThroughSecrets(
  { store, secretKey }: { store: Store; secretKey: SecretKey },
  kept: readonly KeptSecret[],
  { reseal }: { reseal: boolean },
): Promise<SecretCounts> {
  const counts: SecretCounts = { resealed: 0, current: 0, earlier: 0, unreadable: [] }
  for (const { name, owner, sealed, replace } of kept) {
    if (read([secretKey[0]], owner, sealed) !== undefined) {
      counts.current += 1
      continue
    }
    const secret = read(secretKey, owner, sealed)
    if (secret === undefined) counts.unreadable.push(name)
    else if (reseal && (await store.transaction((tx) => replace(tx, sealSecret(secretKey, owner, secret)))))
      counts.resealed += 1
    else counts.earlier += 1
  }
  return counts
}

function read(secretKey: SecretKey, owner: string, sealed: string): string | undefined {
  try {
    return openSecret(secretKey, owner, sealed)
  } catch (error) {
    if (error instanceof AppError) return undefined
    throw error
  }
}
