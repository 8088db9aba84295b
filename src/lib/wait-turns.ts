import { setTimeout as delay } from 'node:timers/promises'

/** Milliseconds between two looks. */
const tick = 20

interface Wait {
  /** The most milliseconds. */
  milliseconds: number
  /** Turns of the event loop that are waited for however long each of them takes. */
  turns: number
}

/**
 * Waits until something is over, or until both the time and the turns of the event loop have passed. A process that
 * stood still in the meantime, or has little of the machine, has had no chance to end anything.
 */
export async function waitTurns({ milliseconds, turns }: Wait, isOver: () => boolean): Promise<void> {
  const until = performance.now() + milliseconds
  for (let taken = 0; !isOver() && (taken < turns || performance.now() < until); taken++) await delay(tick)
}

/** The same for work, which may fail in its own way. */
export async function waitTurnsFor(wait: Wait, work: Promise<unknown>): Promise<void> {
  let isOver = false
  const end = (): void => void (isOver = true)
  work.then(end, end)
  await waitTurns(wait, () => isOver)
}
