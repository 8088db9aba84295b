import { AppError } from '../lib/errors.ts'

const window = 60_000
const perWindow = 10
const maximumAddresses = 10_000

/**
 * Counts attempts to sign in per address, in this process: links hold 256 random bits, so this only keeps noise down.
 * @throws AppError `rate_limited`
 */
export function createAttemptCounter(now: () => Date): (address: string) => void {
  const attempts = new Map<string, { since: number; count: number }>()
  return (address) => {
    const time = now().getTime()
    let entry = attempts.get(address)
    if (!entry || time - entry.since >= window) {
      entry = { since: time, count: 0 }
      attempts.delete(address)
      attempts.set(address, entry)
      // Insertion order is age: the oldest goes first, so that many addresses cannot fill the memory.
      const oldest = attempts.keys().next().value
      if (attempts.size > maximumAddresses && oldest !== undefined) attempts.delete(oldest)
    }
    if (++entry.count > perWindow)
      throw new AppError('rate_limited', 'Too many attempts to sign in from this address; wait a minute')
  }
}
