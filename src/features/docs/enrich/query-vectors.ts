import { endingSignal } from '../../../lib/ending-signal.ts'
import type { Models } from '../../../integrations/models/model.ts'
import type { Store } from '../../../store/database.ts'
import { addUsage } from '../../../store/usage.ts'
import { tokensRead } from './enrich-project.ts'

/** Milliseconds that a search waits for the vector of its query. */
export const queryPatience = 400

/** The vectors of what people search for, each asked for once. */
export interface QueryVectors {
  /** Undefined where the provider fails or is slow, or was so a moment ago. */
  find(projectId: string, model: string, query: string): Promise<readonly number[] | undefined>
}

const mostKept = 2000
const longest = 2000
/** Milliseconds after which a call is given up. A search does not wait as long, but the next one has its answer. */
const deadline = 5000
/** A provider that failed, or was late so many times in a row, is not called for this many milliseconds; then twice as many. */
const rest = 15_000
const longestRest = 300_000
const mostLate = 2
/** Milliseconds after which a vector is asked for again: the model behind the name may be another one. */
const keptFor = 3_600_000
const mostAtOnce = 32
/** Usage is written down together, because each search would otherwise wait for the same row. */
const countEvery = 5000

interface Provider {
  /** How often it was later than a search waits, in a row. */
  late: number
  /** Milliseconds of its last rest. */
  rest: number
  /** When it may be called again. */
  until: number
}

export function createQueryVectors(
  store: Store,
  models: Pick<Models, 'findEmbedder' | 'costOf'>,
  onError: (error: unknown) => void,
  now: () => number = () => performance.now(),
): QueryVectors {
  const kept = new Map<string, { at: number; vector: Promise<readonly number[] | undefined> }>()
  const providers = new Map<string, Provider>()
  let running = 0
  let uncounted: { projectId: string; model: string; tokens: number }[] = []

  const count = (used: { projectId: string; model: string; tokens: number }): void => {
    uncounted.push(used)
    if (uncounted.length > 1) return
    setTimeout(() => {
      const calls = Map.groupBy(uncounted, ({ projectId }) => projectId)
      uncounted = []
      for (const [projectId, ofProject] of calls) {
        const rows = ofProject.map(({ model, tokens }) => {
          const usage = tokensRead(tokens)
          return { model, usage, cost: models.costOf(model, usage) }
        })
        store.transaction((tx) => addUsage(tx, projectId, 'enrichment', rows)).catch(onError)
      }
    }, countEvery).unref()
  }

  const noteSpeed = (model: string, milliseconds: number): void => {
    const known = providers.get(model)
    if (milliseconds <= queryPatience) return void providers.delete(model)
    const late = (known?.late ?? 0) + 1
    if (late < mostLate) return void providers.set(model, { late, rest, until: 0 })
    const pause = late === mostLate ? rest : Math.min((known?.rest ?? rest) * 2, longestRest)
    providers.set(model, { late, rest: pause, until: now() + pause })
  }

  const ask = async (
    projectId: string,
    model: string,
    text: string,
  ): Promise<readonly number[] | undefined> => {
    running += 1
    using asking = endingSignal({ milliseconds: deadline })
    const { signal } = asking
    const begun = now()
    try {
      const { vectors, tokens } = await models
        .findEmbedder(model)
        .embed([text], 'query', { signal, retries: 0 })
      count({ projectId, model, tokens })
      noteSpeed(model, now() - begun)
      return vectors[0]
    } catch (error) {
      const known = providers.get(model)
      const late = signal.aborted ? mostLate : (known?.late ?? 0)
      providers.set(model, { late, rest, until: now() + rest })
      onError(error)
      return undefined
    } finally {
      running -= 1
    }
  }

  return {
    async find(projectId, model, query) {
      const text = query.trim().replaceAll(/\s+/g, ' ').slice(0, longest).toWellFormed()
      if (text === '') return undefined
      const key = `${model}\n${text}`
      const known = kept.get(key)
      if (known !== undefined && now() - known.at < keptFor) {
        // The map is in the order of use.
        kept.delete(key)
        kept.set(key, known)
        return known.vector
      }
      const provider = providers.get(model)
      if (running >= mostAtOnce || now() < (provider?.until ?? 0)) return undefined
      const pending = ask(projectId, model, text)
      kept.delete(key)
      kept.set(key, { at: now(), vector: pending })
      for (const oldest of kept.keys()) {
        if (kept.size <= mostKept) break
        kept.delete(oldest)
      }
      const forget = (vector: unknown): void => {
        if (vector === undefined) kept.delete(key)
      }
      // No search waits for the trial of a provider that was slow.
      if ((provider?.late ?? 0) >= mostLate) {
        providers.set(model, { late: mostLate, rest, ...provider, until: now() + rest })
        void pending.then(forget)
        return undefined
      }
      const vector = await pending
      forget(vector)
      return vector
    },
  }
}
