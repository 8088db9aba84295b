import { isAnswer } from '../http/host-failure.ts'

/** What a credential may not ask is unknown: undefined, as what there is none of. */
export async function whenAllowed<T>(ask: () => Promise<T | undefined>): Promise<T | undefined> {
  try {
    return await ask()
  } catch (error) {
    if (isAnswer(error, 403)) return undefined
    throw error
  }
}
