import { ModelTrouble } from './trouble.ts'
import type { TroubleKind } from './trouble.ts'

/** What a process remembers of models that are away, so that not every call waits for them anew. */
export interface Outages {
  /**
   * Before each call of a model.
   * @param hasFallback whether another is asked when this throws; one that has none is always asked
   * @throws ModelTrouble the trouble that it was in, while it is taken to be away
   */
  begin(name: string, hasFallback: boolean): Attempt
}

/** How a call went. What is said first counts; disposed without a word, nothing was learnt. */
export interface Attempt extends Disposable {
  succeeded(): void
  failed(trouble: ModelTrouble): void
}

interface Absence {
  kind: TroubleKind
  message: string
  /** Milliseconds. */
  wait: number
  /** From then on one call may try it. */
  until: number
  /** When that one began; undefined: none is on its way. */
  triedAt: number | undefined
}

const firstWait = 60_000
const longestWait = 600_000

/** Trouble of the provider that the next call would most likely meet as well. */
const absences: ReadonlySet<TroubleKind> = new Set([
  'unreachable',
  'cut',
  'timeout',
  'rate',
  'overloaded',
  'quota',
])

/** @param now milliseconds of a clock that only goes forward */
export function createOutages(now: () => number = () => performance.now()): Outages {
  const away = new Map<string, Absence>()
  return {
    begin(name, hasFallback) {
      const known = hasFallback ? away.get(name) : undefined
      if (known) {
        // A trial that was never heard of again must not be the last one.
        const isTried = known.triedAt !== undefined && now() - known.triedAt < longestWait
        if (isTried || now() < known.until) throw new ModelTrouble(known.kind, known.message)
        known.triedAt = now()
      }
      let isOpen = true
      const end = (): boolean => {
        const wasOpen = isOpen
        isOpen = false
        if (wasOpen && known) known.triedAt = undefined
        return wasOpen
      }
      return {
        succeeded() {
          if (end()) away.delete(name)
        },
        failed({ kind, message }) {
          if (!end()) return
          // Who refuses a call is there.
          if (!absences.has(kind)) return void away.delete(name)
          // The last resort is away too, so those that it stands in for are worth a try.
          if (!hasFallback) for (const absence of away.values()) absence.until = now()
          // Calls that failed together count once.
          else if (known !== undefined || !away.has(name)) {
            const wait = known === undefined ? firstWait : Math.min(known.wait * 2, longestWait)
            away.set(name, { kind, message, wait, until: now() + wait, triedAt: undefined })
          }
        },
        [Symbol.dispose]: () => void end(),
      }
    },
  }
}
