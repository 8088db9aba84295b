import { ModelTrouble, type TroubleKind } from './trouble.ts'

/** Remembers which models are away, so that not every call waits for them again. */
export interface Outages {
  /**
   * Called before each call of a model.
   * @param next what answers when this throws: a model's name, or `builtin`, which is never away; a model without anything
   * after it is always called, and one whose next model is away too is called from the time that its provider tells
   * @throws ModelTrouble the last trouble, while the model is considered to be away
   */
  begin(name: string, next: string | undefined): Attempt
}

/** Reports how a call went. Only the first report counts, and disposing it without one reports nothing. */
export interface Attempt extends Disposable {
  succeeded(): void
  failed(trouble: ModelTrouble): void
}

interface Absence {
  kind: TroubleKind
  message: string
  passing: boolean
  /** Milliseconds. */
  wait: number
  /** The time from which one call may try the model. */
  until: number
  /** The time from which the provider takes calls again, as far as it says so. */
  notBefore: number
  retryAt: Date | undefined
  /** When the trial call began; undefined while there is none. */
  triedAt: number | undefined
}

const firstWait = 60_000
const longestWait = 600_000

/** Trouble of the provider that the next call would most likely have as well. */
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
  const isAway = (name: string | undefined): boolean =>
    name !== undefined && now() < (away.get(name)?.until ?? 0)
  return {
    begin(name, next) {
      // Where nothing comes next, the call is no trial: it is made whenever it is asked for.
      const known = next === undefined ? undefined : away.get(name)
      if (known) {
        // A trial that was never reported must not prevent others.
        const isTried = known.triedAt !== undefined && now() - known.triedAt < longestWait
        // The models after it are away too, so it is worth a try.
        const isWaiting = isAway(next) ? now() < known.notBefore : isTried || now() < known.until
        if (isWaiting) {
          const { kind, message, retryAt } = known
          throw new ModelTrouble(kind, message, { passing: known.passing, retryAt, isKnown: true })
        }
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
        failed({ kind, message, passing, retryAt }) {
          if (!end()) return
          // A provider that refuses a call is not away.
          if (!absences.has(kind)) return void away.delete(name)
          // Calls that fail at the same time count once.
          if (known !== undefined || !away.has(name)) {
            const wait = known === undefined ? firstWait : Math.min(known.wait * 2, longestWait)
            const notBefore = now() + Math.max(0, (retryAt?.getTime() ?? 0) - Date.now())
            const until = Math.max(now() + wait, notBefore)
            away.set(name, { kind, message, passing, wait, until, notBefore, retryAt, triedAt: undefined })
          }
        },
        [Symbol.dispose]: () => void end(),
      }
    },
  }
}
