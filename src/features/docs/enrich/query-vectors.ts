import { endingSignal } from '../../../lib/ending-signal.ts'
import type { Models } from '../../../integrations/models/model.ts'
import type { Store } from '../../../store/database.ts'
import { addUsage } from '../../../store/usage.ts'
import { tokensRead } from './enrich-project.ts'

/** The vectors of what people search for, each asked for once. */
export interface QueryVectors {
  /** Undefined where the provider fails, or has failed a moment ago. */
  find(projectId: string, model: string, query: string): Promise<readonly number[] | undefined>
}

const mostKept = 2000
const longest = 2000
/** Milliseconds after which a call is given up. A search does not wait as long, but the next one has its answer. */
const deadline = 5000
/** A provider that failed is not called for this many milliseconds. */
const rest = 15_000
const mostAtOnce = 32
/** Usage is written down together, because each search would otherwise wait for the same row. */
const countEvery = 5000

export function createQueryVectors(
  store: Store,
  models: Pick<Models, 'findEmbedder' | 'costOf'>,
  onError: (error: unknown) => void,
): QueryVectors {
  const kept = new Map<string, Promise<readonly number[] | undefined>>()
  const restsUntil = new Map<string, number>()
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

  const ask = async (
    projectId: string,
    model: string,
    text: string,
  ): Promise<readonly number[] | undefined> => {
    running += 1
    using asking = endingSignal({ milliseconds: deadline })
    const { signal } = asking
    try {
      const { vectors, tokens } = await models
        .findEmbedder(model)
        .embed([text], 'query', { signal, retries: 0 })
      count({ projectId, model, tokens })
      return vectors[0]
    } catch (error) {
      restsUntil.set(model, Date.now() + rest)
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
      if (known !== undefined) {
        // The map is in the order of use.
        kept.delete(key)
        kept.set(key, known)
        return known
      }
      if (running >= mostAtOnce || Date.now() < (restsUntil.get(model) ?? 0)) return undefined
      const asked = ask(projectId, model, text)
      kept.set(key, asked)
      for (const oldest of kept.keys()) {
        if (kept.size <= mostKept) break
        kept.delete(oldest)
      }
      const vector = await asked
      if (vector === undefined) kept.delete(key)
      return vector
    },
  }
}
