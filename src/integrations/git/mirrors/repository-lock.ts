import { AsyncLocalStorage } from 'node:async_hooks'
import { createHash } from 'node:crypto'
import { join, relative } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { endingSignal } from '../../../lib/ending-signal.ts'
import { AppError } from '../../../lib/errors.ts'
import { lockFile } from '../../../store/file-lock.ts'
import type { Repository } from '../git.ts'

type Held = { path: string; active: boolean; outer: Held | undefined }

const tails = new Map<string, Promise<void>>()
const holding = new AsyncLocalStorage<Held>()

/**
 * Runs `work` while no one else, in this or another process on the same data folder, holds this repository's lock.
 * Waiters of one process go in order of arrival. Work inside may ask for the same lock again.
 * The lock is that of a file: the system frees it when its process dies.
 * @throws AppError `unavailable` when it was not free within `patience` milliseconds (10 minutes when not given).
 */
export async function withRepositoryLock<T>(
  repository: Repository,
  work: () => Promise<T>,
  options: { signal?: AbortSignal | undefined; patience?: number } = {},
): Promise<T> {
  const path = lockPath(repository)
  if (isHeld(path)) return work()
  const previous = tails.get(path) ?? Promise.resolve()
  const turn = Promise.withResolvers<void>()
  const tail = previous.then(() => turn.promise)
  tails.set(path, tail)
  void forget(path, tail)
  const late = new Error(`Waited for ${repository.folder}`)
  using waiting = endingSignal({
    signals: [options.signal],
    milliseconds: options.patience ?? 600_000,
    reason: () => late,
  })
  const { signal } = waiting
  try {
    await ended(previous, signal)
    using _lock = await acquire(path, signal)
    const held: Held = { path, active: true, outer: holding.getStore() }
    try {
      return await holding.run(held, work)
    } finally {
      held.active = false
    }
  } catch (error) {
    if (error === late) {
      // The message may be shown on the host, so it does not name folders of the server.
      throw new AppError('unavailable', 'The repository is busy: try again later', {
        cause: late,
      })
    }
    throw error
  } finally {
    turn.resolve()
  }
}

async function forget(path: string, tail: Promise<void>): Promise<void> {
  await tail
  if (tails.get(path) === tail) tails.delete(path)
}

// The same for every process that shares the data folder, wherever each of them has mounted it.
function lockPath(repository: Repository): string {
  const name = relative(repository.git.folder, repository.folder)
  return join(
    repository.git.folder,
    'locks',
    `${createHash('sha256').update(name).digest('hex').slice(0, 32)}.lock`,
  )
}

function isHeld(path: string): boolean {
  for (let held = holding.getStore(); held !== undefined; held = held.outer) {
    if (held.path === path && held.active) return true
  }
  return false
}

async function ended(previous: Promise<void>, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted()
  const aborted = Promise.withResolvers<never>()
  const onAbort = () => aborted.reject(signal.reason)
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    await Promise.race([previous, aborted.promise])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}

async function acquire(path: string, signal: AbortSignal): Promise<Disposable> {
  for (let pause = 5; ; pause = Math.min(pause * 2, 200)) {
    signal.throwIfAborted()
    const lock = await lockFile(path)
    if (lock) return lock
    // Pauses differ, so that waiting processes do not all try at the same moment.
    await delay(pause * (0.5 + Math.random()), undefined, { signal }).catch(() => signal.throwIfAborted())
  }
}
