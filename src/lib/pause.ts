import { setTimeout as delay } from 'node:timers/promises'

/** Waits until the time is over or the signal aborts, whatever comes first. */
export async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await delay(milliseconds, undefined, { signal }).catch(() => undefined)
}

/**
 * Does some work again and again, until the signal aborts.
 * @param work gives the milliseconds until the next time
 * @throws what the work throws, which ends it
 */
export async function repeat(stopping: AbortSignal, work: () => Promise<number>): Promise<void> {
  while (!stopping.aborted) await pause(await work(), stopping)
}
