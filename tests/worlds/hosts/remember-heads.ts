import type { FakeOrigin } from './fake-origin.ts'

/** For tests: the same, but a process is not started for each look at a branch that did not change meanwhile. */
export function rememberHeads(origin: FakeOrigin): FakeOrigin & { forget: () => void } {
  const known = new Map<string, string | undefined>()
  const forget = (): void => known.clear()
  return {
    ...origin,
    forget,
    head(branch) {
      if (!known.has(branch)) known.set(branch, origin.head(branch))
      return known.get(branch)
    },
    push(...args) {
      origin.push(...args)
      forget()
    },
    deleteBranch(branch) {
      origin.deleteBranch(branch)
      forget()
    },
    merge(...args) {
      origin.merge(...args)
      forget()
    },
    [Symbol.asyncDispose]: () => origin[Symbol.asyncDispose](),
  }
}
