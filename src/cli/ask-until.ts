import { setTimeout as delay } from 'node:timers/promises'

/**
 * Asks again and again until there is an answer.
 * @param every milliseconds between two questions
 * @param ask gives undefined as long as it is too early
 */
export async function askUntil<Answer>(
  every: number,
  ask: () => Promise<Answer | undefined>,
): Promise<Answer> {
  for (;;) {
    const answer = await ask()
    if (answer !== undefined) return answer
    await delay(every)
  }
}
