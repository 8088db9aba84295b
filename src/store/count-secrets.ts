import { AppError } from '../lib/errors.ts'
import { openSecret, sealSecret, type SecretKey } from '../lib/secret-box.ts'
import type { Store } from './database.ts'
import type { KeptSecret } from './kept-secret.ts'

/** Counts of the encrypted secrets. */
export interface SecretCounts {
  /** Encrypted again just now. */
  resealed: number
  /** Already encrypted with the current key. */
  current: number
  /** Still encrypted with an earlier key. */
  earlier: number
  /** The names of those that no key can decrypt. */
  unreadable: string[]
}

/**
 * Finds out which key each secret is encrypted with and, with `reseal`, encrypts those of an earlier key again. It
 * handles one at a time and replaces a secret only if it has not changed meanwhile; another run finds the rest.
 */
export async function countSecrets(
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
