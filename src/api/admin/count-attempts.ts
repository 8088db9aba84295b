import { countLimits, giveBackLimit, limits } from '../../features/projects/limits.ts'
import { sha256 } from '../../lib/ids.ts'
import { outsideAct } from '../../store/acts.ts'
import type { Store } from '../../store/database.ts'
import { networkOf } from '../sharer.ts'

/** Counts attempts to sign in, for all processes together. */
export interface Attempts {
  /**
   * Counts an attempt from an address. Links hold 256 random bits, so that nobody can guess one: there it only limits the
   * load.
   * @throws LimitError
   */
  count(address: string): Promise<void>
  /**
   * Counts a password for an account, from wherever it comes. Known or not, an account is treated alike. Each is counted
   * before it is tried, so that many at once are not more than one after the other.
   * @throws LimitError
   */
  guess(email: string): Promise<void>
  /** Takes back a guess that was the right password. */
  giveBack(email: string): Promise<void>
}

export function createAttempts({ transaction }: Pick<Store, 'transaction'>): Attempts {
  // By a hash, because some people type their password where the address belongs.
  const ofAccount = (email: string) => ({ limit: limits.wrongPasswords, subject: sha256(email) })
  // What an attempt does is for the audit log only when it has succeeded.
  return {
    count: (address) =>
      outsideAct(() =>
        transaction((tx) =>
          countLimits(tx, [{ limit: limits.signInAddress, subject: networkOf(address) ?? address }]),
        ),
      ),
    guess: (email) => outsideAct(() => transaction((tx) => countLimits(tx, [ofAccount(email)]))),
    giveBack: (email) => outsideAct(() => transaction((tx) => giveBackLimit(tx, ofAccount(email)))),
  }
}
