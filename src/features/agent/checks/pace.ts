/** Lets other work of the server have its turn in the middle of long synchronous work: await it between small pieces. */
export type Pace = () => Promise<void>

/** Milliseconds. */
const stretch = 15

export function createPace(): Pace {
  let last = performance.now()
  return async () => {
    if (performance.now() - last < stretch) return
    await new Promise<void>((resolve) => {
      setImmediate(resolve)
    })
    last = performance.now()
  }
}
