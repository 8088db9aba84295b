import type { TestModel } from '../../integrations/models/offered-model.ts'
import { AppError } from '../../lib/errors.ts'
import { createModels } from './models.ts'

/** Milliseconds that each call may take while a person waits for the page, or a program for the answer. */
const longest = 60_000

/** Tries a model with what is really sent, without the patience that jobs have. @throws AppError that says what is wrong */
export function createModelTest(config: Parameters<typeof createModels>[0]): TestModel {
  return async (name, work = { answers: true, jobs: true }) => {
    if (name === 'builtin') return 'builtin needs no key and no network'
    const { tryModel } = await import('./try-model.ts')
    const models = createModels(config, { retries: { tries: 1, firstWait: 0, longestWait: 0 } })
    const patienceOf: typeof models.patienceOf = (of) => {
      const { firstText, answer, step, calls } = models.patienceOf(of)
      const [first, whole, most] = [firstText, answer, step].map((time) => Math.min(time, longest))
      return { firstText: first ?? longest, answer: whole ?? longest, step: most ?? longest, calls }
    }
    const begun = performance.now()
    try {
      return `${name}: ${(await tryModel({ ...models, patienceOf }, name, work)).text}`
    } catch (error) {
      if (!(error instanceof AppError) || performance.now() - begun < longest) throw error
      throw new AppError(error.code, `${error.message}. The command docwright doctor waits for longer`, {
        cause: error.cause,
      })
    }
  }
}
