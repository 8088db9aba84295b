import { endingSignal } from '../../../lib/ending-signal.ts'
import type { Embedder, Model, Models, ModelUsage } from '../../../integrations/models/model.ts'
import { ModelTrouble } from '../../../integrations/models/trouble.ts'
import { messageOf } from '../../../lib/errors.ts'
import { makeStorable } from '../../../lib/text/plain-text.ts'
import type { Page } from '../../../site/pages/page.ts'
import type { Store, Tx } from '../../../store/database.ts'
import { findStoreTrouble } from '../../../store/store-trouble.ts'
import { addUsage } from '../../../store/usage.ts'
import {
  deleteRetired,
  hashesDone,
  listSections,
  notePagesDone,
  pagesToDo,
  updateSections,
} from './enriched-pages.ts'
import {
  isEnriching,
  noteEnrichment,
  spentThisMonth,
  usualCeiling,
  type EnrichedProject,
  type EnrichmentProgress,
  type EnrichmentSettings,
} from './enrichment.ts'
import { probeEvery, probeVectors } from './vector-probe.ts'
import { embeddedText, sectionTexts, type SectionText } from './section-texts.ts'
import { writeVectors } from './section-vectors.ts'
import { writeRowsOfQuestions } from './section-questions.ts'
import { storedVector } from './vector-index.ts'
import { questionsAtOnce, questionTokens, writeQuestions } from './write-questions.ts'

export interface EnrichPorts {
  store: Store
  models: Pick<Models, 'find' | 'findEmbedder' | 'costOf' | 'turns'>
  /** Aborted when this process is to end. Another one goes on from the rows that were written. */
  stopping: AbortSignal
}

const pagesAtOnce = 20
const sectionsOfVectors = 48
const callsAtOnce = 4
/** After this many milliseconds other projects have their turn. */
const slice = 300_000
const leastRetry = 1000
const firstRetry = 300_000
const laterRetry = 3_600_000

/** Thrown where the next call could cost more than the project may spend. */
class CeilingReached extends Error {}

/**
 * Has the project's models read the sections that they have not read yet, and writes down what they made of them.
 * It can be repeated. How it goes is recorded on the project: a failing provider is tried again later.
 * @returns whether there is more to do now
 */
export async function enrichProject(ports: EnrichPorts, project: EnrichedProject): Promise<boolean> {
  const { store, stopping } = ports
  const settings = project.settings.enrichment
  if (!isEnriching(settings)) return false
  const progress: Pick<EnrichmentProgress, 'done' | 'total' | 'notice'> = { done: 0, total: 0 }
  const note = (now: Omit<EnrichmentProgress, 'done' | 'total' | 'notice'>): Promise<void> =>
    store.transaction((tx) => noteEnrichment(tx, project, { ...now, ...progress }))
  try {
    using work = openWork(ports, project.id, settings, await spentThisMonth(store.db, project.id))
    await updateSections(store, project.id, stopping)
    const checked = await work.checkVectors()
    if (checked.notice !== undefined) Object.assign(progress, { notice: checked.notice })
    const sections = await listSections(store.db, project.id)
    const kinds = await Promise.all(work.kinds.map(({ done }) => done([...sections.keys()])))
    Object.assign(progress, {
      total: sections.size,
      done: Math.min(sections.size, ...kinds.map(({ size }) => size)),
    })
    const until = Date.now() + slice
    for (;;) {
      stopping.throwIfAborted()
      const pages = await pagesToDo(store.db, project.id, settings, pagesAtOnce)
      if (pages.length === 0) break
      // What is made now must go with what is there.
      if (checked.trouble) throw checked.trouble
      await note({ state: 'running' })
      const did = await work.readPages(pages)
      progress.done = Math.min(progress.total, progress.done + did)
      if (Date.now() > until) return true
    }
    await deleteRetired(store, project.id)
    progress.done = progress.total
    const pause = checked.trouble ? pauseAfter(checked.trouble) : probeEvery
    const checkAt = settings.vectors === undefined ? undefined : new Date(Date.now() + pause)
    await note({ state: 'ready', ...(checkAt && { checkAt }) })
  } catch (error) {
    stopping.throwIfAborted()
    if (findStoreTrouble(error)) throw error
    if (error instanceof CeilingReached)
      await note({ state: 'ceiling', error: error.message, retryAt: nextMonth() })
    else {
      const retryAt = new Date(Date.now() + pauseAfter(error))
      await note({ state: 'failed', error: makeStorable(messageOf(error)).slice(0, 1000), retryAt })
    }
  }
  return false
}

/** Milliseconds. A provider that tells when it takes calls again is asked then. */
function pauseAfter(error: unknown): number {
  if (!(error instanceof ModelTrouble) || !error.passing) return laterRetry
  if (error.retryAt === undefined) return firstRetry
  return Math.min(Math.max(leastRetry, error.retryAt.getTime() - Date.now()), 24 * laterRetry)
}

/** One kind of work on sections: questions or vectors. */
interface Kind {
  /** The hashes among these that are done. */
  done(hashes: string[]): Promise<Set<string>>
  /** Sections of one call. */
  batch: number
  /** Millionths of a US dollar that a call will cost, as far as the price is known. */
  estimate(sections: readonly SectionText[]): number
  /** Calls the model and writes rows. */
  run(sections: readonly SectionText[]): Promise<void>
}

function openWork(
  { store, models, stopping }: EnrichPorts,
  projectId: string,
  settings: EnrichmentSettings,
  spentBefore: number,
) {
  const ceiling = (settings.ceiling ?? usualCeiling) * 1e6
  let spent = spentBefore
  const failed = new AbortController()
  const working = endingSignal({ signals: [stopping, failed.signal] })
  const { signal } = working
  const count = async (model: string, usage: ModelUsage, write: (tx: Tx) => Promise<void>): Promise<void> => {
    const cost = models.costOf(model, usage)
    spent += cost ?? 0
    await store.transaction(async (tx) => {
      await write(tx)
      await addUsage(tx, projectId, 'enrichment', [{ model, usage, cost }])
    })
  }
  const kinds: Kind[] = []
  if (settings.questions !== undefined)
    kinds.push(questionKind(models.find(settings.questions, 'enrichment'), settings.questions))
  if (settings.vectors !== undefined)
    kinds.push(vectorKind(models.findEmbedder(settings.vectors), settings.vectors))

  async function inTurn<T>(name: string, call: () => Promise<T>): Promise<T> {
    using _ = await models.turns.take(name, 'enrichment', { signal })
    return call()
  }

  function questionKind(model: Model, name: string): Kind {
    const write = async (sections: readonly SectionText[], isLast: boolean): Promise<void> => {
      const { written, usage } = await inTurn(name, () => writeQuestions(model, sections, signal))
      const nothing = { questions: [], context: '' }
      const rows = sections.flatMap((section) => {
        const questions = written.get(section) ?? (isLast ? nothing : undefined)
        return questions === undefined ? [] : [{ hash: section.hash, ...questions }]
      })
      await count(name, usage, (tx) => writeRowsOfQuestions(tx, projectId, name, rows))
      // What the model left out is asked for once more, one by one, and then left as it is.
      if (!isLast) for (const section of sections) if (!written.has(section)) await write([section], true)
    }
    return {
      done: (hashes) => hashesDone(store.db, 'section_questions', projectId, name, hashes),
      batch: questionsAtOnce,
      estimate: (sections) => models.costOf(name, questionTokens(sections)) ?? 0,
      run: (sections) => write(sections, false),
    }
  }

  function vectorKind(embedder: Embedder, name: string): Kind {
    const write = async (sections: readonly SectionText[], cut = Infinity): Promise<void> => {
      try {
        const texts = sections.map((section) => embeddedText(section).slice(0, cut))
        const { vectors, tokens } = await embedder.embed(texts, 'document', { signal, retries: 3 })
        const rows = sections.map(({ hash }, index) => ({ hash, vector: storedVector(vectors[index] ?? []) }))
        await count(name, tokensRead(tokens), (tx) => writeVectors(tx, projectId, name, rows))
      } catch (error) {
        if (!isAboutText(error)) throw error
        // One text may be too long for the model: find it, and cut it.
        const half = Math.ceil(sections.length / 2)
        if (sections.length > 1) {
          await write(sections.slice(0, half))
          await write(sections.slice(half))
        } else if (cut > 200) await write(sections, Math.min(cut, 1800) / 2)
        else throw error
      }
    }
    return {
      done: (hashes) => hashesDone(store.db, 'section_vectors', projectId, name, hashes),
      batch: sectionsOfVectors,
      estimate: (sections) => models.costOf(name, tokensRead(vectorTokens(sections))) ?? 0,
      run: (sections) => write(sections),
    }
  }

  return {
    kinds,
    [Symbol.dispose]: () => working[Symbol.dispose](),
    /**
     * Looks whether the model of vectors is the one of before. One that is away takes nothing from the vectors that it made.
     * @returns what people should know of it, and why it could not be looked at
     */
    async checkVectors(): Promise<{ notice?: string | undefined; trouble?: ModelTrouble }> {
      const name = settings.vectors
      if (name === undefined) return {}
      const embedder = models.findEmbedder(name)
      try {
        const { tokens, changed } = await probeVectors({ store, projectId, name, embedder, signal })
        if (tokens > 0) await count(name, tokensRead(tokens), () => Promise.resolve())
        return { notice: changed }
      } catch (error) {
        if (!(error instanceof ModelTrouble)) throw error
        const why = makeStorable(error.message).slice(0, 500)
        return {
          notice: `The embeddings stay in use, but could not be compared with what ${name} makes now. ${why}`,
          trouble: error,
        }
      }
    },
    /** @returns how many sections were read */
    async readPages(pages: readonly Page[]): Promise<number> {
      const all = pages.flatMap((page) => sectionTexts(page).flatMap((section) => section ?? []))
      const sections = new Map(all.map((section) => [section.hash, section]))
      const calls: (() => Promise<void>)[] = []
      let reserved = 0
      let most = 0
      for (const { done, batch, estimate, run } of kinds) {
        const known = await done([...sections.keys()])
        const left = [...sections.values()].filter(({ hash }) => !known.has(hash))
        most = Math.max(most, left.length)
        for (let at = 0; at < left.length; at += batch) {
          const some = left.slice(at, at + batch)
          const cost = estimate(some)
          calls.push(async () => {
            if (spent + reserved + cost > ceiling)
              throw new CeilingReached(
                `The ceiling of ${ceiling / 1e6} USD per month is reached: raise it in the settings of the project, or wait for the next month`,
              )
            reserved += cost
            await run(some).finally(() => {
              reserved -= cost
            })
          })
        }
      }
      await runAll(calls, failed)
      await store.transaction((tx) =>
        notePagesDone(
          tx,
          projectId,
          pages.map(({ path }) => path),
          settings,
        ),
      )
      return most
    },
  }
}

/** Runs calls, some at once. After a failure no other one begins, and those that run are given up. */
async function runAll(calls: readonly (() => Promise<void>)[], failed: AbortController): Promise<void> {
  let next = 0
  let failure: { error: unknown } | undefined
  const runner = async (): Promise<void> => {
    for (let call = calls[next++]; call !== undefined && failure === undefined; call = calls[next++])
      try {
        await call()
      } catch (error) {
        failure ??= { error }
        // What was paid for is kept where only the ceiling is reached.
        if (!(error instanceof CeilingReached)) failed.abort(error)
      }
  }
  await Promise.all(Array.from({ length: callsAtOnce }, runner))
  if (failure !== undefined) throw failure.error
}

/** About how many tokens the sections have. */
export function vectorTokens(sections: readonly { bytes: number }[]): number {
  return Math.ceil(sections.reduce((sum, { bytes }) => sum + bytes, 0) / 4)
}

/** The usage of a call that only reads. */
export function tokensRead(inputTokens: number): ModelUsage {
  return { inputTokens, cachedInputTokens: 0, cacheWriteTokens: 0, outputTokens: 0 }
}

/** Whether a provider may have refused a call for the texts in it. */
function isAboutText(error: unknown): boolean {
  return (
    error instanceof ModelTrouble && !error.passing && (error.kind === 'context' || error.kind === 'unknown')
  )
}

function nextMonth(): Date {
  const now = new Date()
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1))
}
