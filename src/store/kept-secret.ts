import type { Tx } from './database.ts'

/** A secret that is kept encrypted. */
export interface KeptSecret {
  /** What people call it. */
  name: string
  /** What it belongs to: it opens for that alone. */
  owner: string
  sealed: string
  /** Puts another in its place. @returns false when it was changed or removed meanwhile */
  replace(tx: Tx, sealed: string): Promise<boolean>
}
