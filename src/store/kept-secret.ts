import type { Tx } from './database.ts'

/** A secret that is kept encrypted. */
export interface KeptSecret {
  /** What people call it. */
  name: string
  /** What the secret belongs to: it can only be decrypted for that. */
  owner: string
  sealed: string
  /**
   * Replaces the secret.
   * @returns false when it was changed or removed meanwhile
   */
  replace(tx: Tx, sealed: string): Promise<boolean>
}
