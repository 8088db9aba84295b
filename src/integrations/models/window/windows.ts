import { keepNewest } from '../../../lib/keep-newest.ts'
import { within } from '../../../lib/within.ts'
import { contextOf } from '../price-list.ts'
import type { ModelWindow } from '../model.ts'
import { parseModelName } from '../model-name.ts'
import { providers } from '../providers.ts'
import { askForWindow } from './ask-server.ts'
import { createCuts, type Cuts } from './cuts.ts'

/** Knows the windows of models, and learns them. */
export interface Windows {
  /**
   * Asks the model's server at most every few minutes, and otherwise answers at once; never rejects.
   * @param patience milliseconds to wait for the server; without an answer by then, what is assumed counts
   */
  read(model: WindowedModel, patience?: number): Promise<ModelWindow>
  /**
   * Notes that a model turned out to have no more than these tokens; undefined: less than was thought.
   * @returns whether that is much less than was known
   */
  learn(model: WindowedModel, tokens: number | undefined): boolean
  /** What the counts of the model's server are judged by. */
  cutsOf(model: WindowedModel): Cuts
}

export interface WindowedModel {
  name: string
  key: string | undefined
  url: string
}

interface Known {
  window: ModelWindow
  /** Milliseconds of the clock. */
  until: number
}

/** Milliseconds for which an answer counts, and for which no answer does. */
const lifetimeOfAnswers = 600_000
const shortLifetime = 30_000
/** Milliseconds for which the result of a trial counts: people then start their servers anew with more. */
const learntLifetime = 3_600_000
const mostModels = 500
const muchLess = 0.75

/**
 * @param settings what the operator set, by patterns of names; the first that matches counts
 * @param now milliseconds of a clock that only goes forward
 */
export function createWindows(
  settings: (name: string) => number | undefined,
  ask: typeof askForWindow = askForWindow,
  now: () => number = () => performance.now(),
): Windows {
  const known = new Map<string, Known>()
  const learnt = new Map<string, { tokens: number; until: number }>()
  const cuts = new Map<string, Cuts>()
  const asking = new Map<string, Promise<ModelWindow>>()
  const find = async (model: WindowedModel): Promise<ModelWindow> => {
    const { provider, id } = parseModelName(model.name)
    const listed = contextOf(model.name)
    const { runsAnyModel = false, isOpenAiLike = false, defaultUrl } = providers[provider]
    const isAsked = runsAnyModel || (listed === undefined && model.url !== defaultUrl)
    const ofServer = isAsked && isOpenAiLike ? await ask({ ...model, id }) : undefined
    const window: ModelWindow =
      ofServer !== undefined
        ? { tokens: ofServer, source: 'server' }
        : listed !== undefined
          ? { tokens: listed, source: 'list' }
          : assumedOf(model.name)
    const isSure = ofServer !== undefined || !isAsked
    keepNewest(known, mostModels, model.name, {
      window,
      until: now() + (isSure ? lifetimeOfAnswers : shortLifetime),
    })
    return window
  }
  const refresh = (model: WindowedModel): Promise<ModelWindow> => {
    const running = asking.get(model.name)
    if (running) return running
    const begun = find(model).finally(() => asking.delete(model.name))
    asking.set(model.name, begun)
    return begun
  }
  return {
    async read(model, patience) {
      const set = settings(model.name)
      if (set !== undefined) return { tokens: set, source: 'setting' }
      const before = known.get(model.name)
      if (before && before.until <= now()) void refresh(model)
      const window = before?.window ?? (await withPatience(patience, refresh(model))) ?? assumedOf(model.name)
      const trial = learnt.get(model.name)
      if (!trial || trial.until <= now()) return window
      return trial.tokens < (window.tokens ?? Infinity) ? { tokens: trial.tokens, source: 'trial' } : window
    },
    learn(model, tokens) {
      // Whatever was known may have changed: the server may run with less since.
      const before = known.get(model.name)
      if (before) before.until = 0
      if (tokens === undefined) return false
      const trial = learnt.get(model.name)
      const least = Math.min(
        before?.window.tokens ?? Infinity,
        trial && trial.until > now() ? trial.tokens : Infinity,
      )
      keepNewest(learnt, mostModels, model.name, {
        tokens: Math.min(tokens, least),
        until: now() + learntLifetime,
      })
      return tokens < least * muchLess
    },
    cutsOf({ name }) {
      const ofModel = cuts.get(name) ?? createCuts(() => learnt.delete(name))
      keepNewest(cuts, mostModels, name, ofModel)
      return ofModel
    },
  }
}

function assumedOf(name: string): ModelWindow {
  const tokens = providers[parseModelName(name).provider].assumedWindow
  return { tokens, source: tokens === undefined ? 'unknown' : 'assumed' }
}

/** @param patience milliseconds; waits for as long as it takes without it */
async function withPatience<T>(patience: number | undefined, result: Promise<T>): Promise<T | undefined> {
  return patience === undefined ? result : within(patience, result, () => undefined)
}
