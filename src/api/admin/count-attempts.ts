import { AppError } from '../../lib/errors.ts'

const maximumKeys = 10_000

interface Counter {
  /** @throws AppError `rate_limited` once there were too many */
  count(key: string): void
  /** The same without counting. */
  refuse(key: string): void
}

/** Counts in this process, by address or account. */
function createCounter(
  now: () => Date,
  { window, most, message }: { window: number; most: number; message: string },
): Counter {
  const attempts = new Map<string, { since: number; count: number }>()
  const entryOf = (key: string): { since: number; count: number } => {
    const time = now().getTime()
    const known = attempts.get(key)
    return known && time - known.since < window ? known : { since: time, count: 0 }
  }
  const limit = (count: number): void => {
    if (count > most) throw new AppError('rate_limited', message)
  }
  return {
    count(key) {
      const entry = entryOf(key)
      entry.count++
      if (entry.count === 1) {
        attempts.delete(key)
        attempts.set(key, entry)
        // A map keeps the order of insertion. The oldest entry is dropped first, so that many keys cannot fill the
        // memory.
        const oldest = attempts.keys().next().value
        if (attempts.size > maximumKeys && oldest !== undefined) attempts.delete(oldest)
      }
      limit(entry.count)
    },
    refuse: (key) => limit(entryOf(key).count + 1),
  }
}

/**
 * Counts attempts to sign in per address. Links hold 256 random bits, so that nobody can guess one: there it only
 * limits the load.
 * @throws AppError `rate_limited`
 */
export function createAttemptCounter(now: () => Date): (address: string) => void {
  const counter = createCounter(now, {
    window: 60_000,
    most: 10,
    message: 'Too many attempts to sign in from this address; wait a minute',
  })
  return (address) => counter.count(address)
}

/** Counts wrong passwords per account, from wherever they come. Known or not, an account is treated alike. */
export function createGuessCounter(now: () => Date): Counter {
  return createCounter(now, {
    window: 15 * 60_000,
    most: 30,
    message: 'Too many wrong passwords for this account; wait a quarter of an hour, or sign in otherwise',
  })
}
