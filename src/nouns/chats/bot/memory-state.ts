import type { Lock, QueueEntry, StateAdapter } from 'chat'
import { keepNewest } from '../../../lib/keep-newest.ts'

/** Names of members and channels that are kept, of each workspace. */
const mostKept = 5000

interface Kept {
  value: unknown
  until: number
}

/**
 * What the chat library remembers between events. Nothing here has to outlast a restart: events, and the threads in which
 * the bot takes part, stand in our own rows, and the events of a thread come one after the other.
 * @param takesPart whether the bot answers in a thread without being mentioned
 */
export function createMemoryState(takesPart: (thread: string) => Promise<boolean>): StateAdapter {
  const kept = new Map<string, Kept>()
  const read = (key: string): unknown => {
    const one = kept.get(key)
    if (!one) return undefined
    if (one.until > Date.now()) return one.value
    kept.delete(key)
    return undefined
  }
  const write = (key: string, value: unknown, ttl = Number.POSITIVE_INFINITY): void =>
    keepNewest(kept, mostKept, key, { value, until: Date.now() + ttl })
  const listOf = (key: string): unknown[] => {
    const list = read(key)
    return Array.isArray(list) ? list : []
  }
  const lock = (thread: string, ttl: number): Lock => ({
    threadId: thread,
    token: 'only',
    expiresAt: Date.now() + ttl,
  })
  return {
    connect: () => Promise.resolve(),
    disconnect: () => Promise.resolve(),
    // The library asks for values of the type that it has written.
    get: <T>(key: string) => Promise.resolve((read(key) ?? null) as T | null),
    set: (key, value, ttl) => Promise.resolve(write(key, value, ttl)),
    setIfNotExists(key, value, ttl) {
      const isFree = read(key) === undefined
      if (isFree) write(key, value, ttl)
      return Promise.resolve(isFree)
    },
    delete(key) {
      kept.delete(key)
      return Promise.resolve()
    },
    getList: <T>(key: string) => Promise.resolve(listOf(key) as T[]),
    appendToList(key, value, { maxLength = 100, ttlMs } = {}) {
      write(key, [...listOf(key), value].slice(-maxLength), ttlMs)
      return Promise.resolve()
    },
    acquireLock: (thread, ttl) => Promise.resolve(lock(thread, ttl)),
    extendLock: () => Promise.resolve(true),
    releaseLock: () => Promise.resolve(),
    forceReleaseLock: () => Promise.resolve(),
    enqueue: () => Promise.resolve(0),
    dequeue: () => Promise.resolve<QueueEntry | null>(null),
    queueDepth: () => Promise.resolve(0),
    isSubscribed: takesPart,
    subscribe: () => Promise.resolve(),
    unsubscribe: () => Promise.resolve(),
  }
}
