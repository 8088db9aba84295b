import { endingSignal } from '../../../lib/ending-signal.ts'
import { createFairQueue } from '../../../lib/fair-queue.ts'
import { createTextThread, ThreadFailure, type TextThread } from '../../../lib/threads/text-thread.ts'
import type {
  AddressesAsked,
  AddressesFound,
  RenderedTask,
  RenderedWindow,
  ReviewThread,
  SourceTask,
  SourceTexts,
  SourceWindow,
} from './review-data.ts'
import { keepNewest } from '../../../lib/keep-newest.ts'

/** What a task is about, so that its answer is found again. */
interface Asked {
  projectId: string
  key: string
}

/** Compares texts outside of the main thread, in bounded time. Undefined when a text takes too long. */
export interface ReadRows {
  source(
    asked: Asked,
    task: Omit<SourceTask, 'kind' | 'coloured'>,
    texts: () => Promise<SourceTexts | undefined>,
  ): Promise<SourceWindow | undefined>
  rendered(
    asked: Asked,
    task: () => Promise<Omit<RenderedTask, 'kind'> | undefined>,
    answer: (request: AddressesAsked) => Promise<AddressesFound>,
  ): Promise<RenderedWindow | undefined>
}

const module = new URL('rows/rows.worker.ts', import.meta.url)
/** Milliseconds for one file, and how long it waits for its turn. */
const deadline = 3000
const patience = 15_000
/** Characters of answers that are kept. */
const mostKept = 30_000_000
/** Milliseconds during which a text that took too long is not tried again. */
const rest = 600_000

/**
 * Answers are kept by the ids of what was compared, so that a page that is shown again, or to many, costs nothing.
 * Projects take turns.
 */
export function createRowReader(): ReadRows {
  const queue = createFairQueue({ atOnce: 2, each: 1, waiting: { each: 400, all: 4000 } })
  const newThread = (): TextThread<ReviewThread> => createTextThread(module, { deadline, memory: 512 })
  const idle = [newThread(), newThread()]
  const kept = keepAnswers()
  const underWay = new Map<string, Promise<string | undefined>>()
  const tooMuch = new Map<string, number>()

  const run = async (
    { projectId, key }: Asked,
    task: () => Promise<ReviewThread['task'] | undefined>,
    answer: (request: ReviewThread['request']) => Promise<ReviewThread['reply']>,
  ): Promise<string | undefined> => {
    using waiting = endingSignal({ milliseconds: patience })
    const leave = await queue.enter(projectId, 1, waiting.signal).catch(() => undefined)
    const thread = leave && idle.shift()
    if (!thread) return undefined
    try {
      const work = await task()
      return work && (await thread.run(work, { answer }))
    } catch (error) {
      if (!(error instanceof ThreadFailure)) throw error
      keepNewest(tooMuch, 1000, key, Date.now() + rest)
      return undefined
    } finally {
      idle.unshift(thread)
      leave()
    }
  }
  const read = async (key: string, start: () => Promise<string | undefined>): Promise<string | undefined> => {
    const known = kept.get(key)
    if (known !== undefined) return known
    if ((tooMuch.get(key) ?? 0) > Date.now()) return undefined
    const running =
      underWay.get(key) ??
      start()
        .then((answer) => {
          if (answer !== undefined) kept.set(key, answer)
          return answer
        })
        .finally(() => underWay.delete(key))
    underWay.set(key, running)
    return running
  }
  return {
    async source({ projectId, key }, task, texts) {
      const rows = (coloured: boolean): Promise<string | undefined> => {
        const own = `${coloured ? 'source' : 'plain'} ${key}`
        return read(own, () =>
          run(
            { projectId, key: own },
            () => Promise.resolve({ kind: 'source', ...task, coloured }),
            async () => ({ texts: await texts() }),
          ),
        )
      }
      // A file whose colours take too long is shown without them.
      const answer = (await rows(true)) ?? (await rows(false))
      return answer === undefined ? undefined : (JSON.parse(answer) as SourceWindow)
    },
    async rendered({ projectId, key }, task, answer) {
      const own = `rendered ${key}`
      const json = await read(own, () =>
        run(
          { projectId, key: own },
          async () => {
            const page = await task()
            return page && { kind: 'rendered', ...page }
          },
          (request) => {
            if (request === 'texts') throw new Error('A page brings its texts along')
            return answer(request)
          },
        ),
      )
      return json === undefined ? undefined : (JSON.parse(json) as RenderedWindow)
    },
  }
}

/** The newest answers; what was read last is dropped last. */
function keepAnswers(): { get(key: string): string | undefined; set(key: string, answer: string): void } {
  const kept = new Map<string, string>()
  let characters = 0
  return {
    get(key) {
      const answer = kept.get(key)
      if (answer === undefined) return undefined
      kept.delete(key)
      kept.set(key, answer)
      return answer
    },
    set(key, answer) {
      characters += answer.length - (kept.get(key)?.length ?? 0)
      kept.delete(key)
      kept.set(key, answer)
      for (const [oldest, content] of kept) {
        if (characters <= mostKept || oldest === key) break
        kept.delete(oldest)
        characters -= content.length
      }
    },
  }
}
