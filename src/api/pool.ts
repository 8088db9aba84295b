import { LimitError } from '../features/projects/limits.ts'
import { AppError } from '../lib/errors.ts'
import type { Sharer } from './endpoint.ts'
import { sharerKinds } from './sharer.ts'

/** Something that all requests of this process have together, such as memory for bodies. */
export interface Pool {
  /** The part of it that one request takes. */
  hold(sharer: Sharer): Hold
}

interface Hold extends Disposable {
  /** @throws LimitError when the sharer has its share, AppError `unavailable` when others have the rest */
  take(amount: number): void
  /** Gives back all that was taken; again is no harm. */
  release(): void
}

export interface PoolOptions {
  /** As response headers name it. */
  name: string
  total: number
  unit: 'concurrent-requests' | 'content-bytes'
  /** What there is too much of, for people. */
  what: string
  /** What to do about it, for people. */
  advice: string
}

/**
 * What each may hold, as a multiple of what is free for everybody else. So there is always room for somebody new: the only
 * organization gets half, two get a third each, and so on. One key or project does not get all that its organization may
 * have, and one address not all of a public key.
 */
const shares = { address: 1 / 4, key: 1 / 2, project: 1 / 2, organization: 1 }

/** Seconds after which to try again. */
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
          const full = new AppError('unavailable', `Too many ${what} on this server; ${advice}`)
          if (free < 0) throw full
          for (const { kind, subject } of subjects) {
            const own = held.get(subject) ?? 0
            const most = Math.floor(shares[kind] * free)
            if (own + amount <= most) continue
            // Who holds nothing cannot be told to hold less.
            if (own === 0) throw full
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
