import { LimitError } from '../features/projects/limits.ts'
import { AppError } from '../lib/errors.ts'
import type { Sharer } from './endpoint.ts'
import { sharerKinds } from './sharer.ts'

/** A resource that all requests of this process share, such as memory for bodies. */
export interface Pool {
  /** The part of it that one request takes. */
  hold(sharer: Sharer): Hold
}

interface Hold extends Disposable {
  /** @throws LimitError when the sharer has used up its share, AppError `unavailable` when others use the rest */
  take(amount: number): void
  /** Returns all that was taken. It can be called again without harm. */
  release(): void
}

export interface PoolOptions {
  /** Its name in response headers. */
  name: string
  total: number
  unit: 'concurrent-requests' | 'content-bytes'
  /** What there is too much of, in words for the error message. */
  what: string
  /** What to do about it, in words for the error message. */
  advice: string
}

/**
 * How much each may hold, as a multiple of what is still free. So there is always room for another: a single
 * organization gets half, two get a third each, and so on. One key, person or project cannot take the whole share of
 * its organization, and one address not that of a public key.
 */
const shares = { address: 1 / 4, key: 1 / 2, person: 1 / 2, project: 1 / 2, organization: 1 }

/** Seconds after which clients should try again. */
const wait = 5

export function createPool({ name, total, unit, what, advice }: PoolOptions): Pool {
  const held = new Map<string, number>()
  let used = 0
  const add = (subjects: { subject: string }[], amount: number): void => {
    used += amount
    for (const { subject } of subjects) {
      const now = (held.get(subject) ?? 0) + amount
      if (now > 0) held.set(subject, now)
      else held.delete(subject)
    }
  }
  return {
    hold(sharer) {
      const subjects = sharerKinds.flatMap((kind) =>
        sharer[kind] === undefined ? [] : [{ kind, subject: `${kind} ${sharer[kind]}` }],
      )
      let mine = 0
      const release = (): void => {
        if (mine > 0) add(subjects, -mine)
        mine = 0
      }
      return {
        take(amount) {
          const free = total - used - amount
          const full = (): AppError =>
            new AppError('unavailable', `Too many ${what} on this server; ${advice}`)
          if (free < 0) throw full()
          for (const { kind, subject } of subjects) {
            const own = held.get(subject) ?? 0
            const most = Math.floor(shares[kind] * free)
            if (own + amount <= most) continue
            // A sharer that holds nothing is not the one that uses too much.
            if (own === 0) throw full()
            const message = `Too many ${what} of this ${kind}; ${advice}`
            throw new LimitError({ name: `${name}-${kind}`, count: Math.max(0, most), unit }, wait, message)
          }
          add(subjects, amount)
          mine += amount
        },
        release,
        [Symbol.dispose]: release,
      }
    },
  }
}
