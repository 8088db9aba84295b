import type { HostPorts } from '../host.ts'

const goodFor = 5 * 60_000
const mostKnown = 500

/** Keeps a host's answers about people for five minutes each. Failures are not kept. */
export function rememberAnswers<Answer>(
  ports: Pick<HostPorts, 'now'>,
): (person: string | number, ask: () => Promise<Answer>) => Promise<Answer> {
  const known = new Map<string | number, { until: number; answer: Answer }>()
  return async (person, ask) => {
    const now = ports.now().getTime()
    const kept = known.get(person)
    if (kept && kept.until > now) return kept.answer
    const answer = await ask()
    if (known.size >= mostKnown) known.clear()
    known.set(person, { until: now + goodFor, answer })
    return answer
  }
}
