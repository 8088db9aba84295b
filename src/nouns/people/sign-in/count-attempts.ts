import { countLimits, giveBackLimit, limits } from '../../../features/projects/limits.ts'
import { hasSignedInFrom } from '../../../features/projects/sign-in.ts'
import { sha256 } from '../../../lib/ids.ts'
import { networkOf } from '../../../lib/network-address.ts'
import { outsideAct } from '../../../store/acts.ts'
import type { Store } from '../../../store/database.ts'

/** Counts attempts to sign in, for all processes together. */
export interface Attempts {
  /**
   * Counts an attempt from an address. Links hold 256 random bits, so that nobody can guess one: there it only limits the
   * load.
   * @throws LimitError
   */
  count(address: string): Promise<void>
  /**
   * Counts a password for an account. Known or not, an account is treated alike. Each is counted before it is tried, so
   * that many at once are not more than one after the other. Guesses from elsewhere do not lock a person out of a network
   * in which they have signed in before.
   * @returns takes the guess back, because it was the right password
   * @throws LimitError
   */
  guess(email: string, address: string): Promise<() => Promise<void>>
}

export function createAttempts({ db, transaction }: Pick<Store, 'db' | 'transaction'>): Attempts {
  // What an attempt does is for the audit log only when it has succeeded.
  return {
    count: (address) =>
      outsideAct(() =>
        transaction((tx) =>
          countLimits(tx, [{ limit: limits.signInAddress, subject: networkOf(address) ?? address }]),
        ),
      ),
    async guess(email, address) {
      const network = networkOf(address) ?? address
      const isKnown = await hasSignedInFrom(db, email, address)
      // By a hash, because some people type their password where the address belongs.
      const here = { limit: limits.wrongPasswords, subject: sha256(`${email} ${network}`) }
      const anywhere = { limit: limits.wrongPasswordsAnywhere, subject: sha256(email) }
      const uses = isKnown ? [here] : [here, anywhere]
      await outsideAct(() => transaction((tx) => countLimits(tx, uses)))
      return () =>
        outsideAct(() =>
          transaction(async (tx) => {
            for (const use of uses) await giveBackLimit(tx, use)
          }),
        )
    },
  }
}
