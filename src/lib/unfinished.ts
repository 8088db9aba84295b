/** Work that has to end before what it uses is closed. */
export interface Unfinished {
  add(work: Promise<unknown>): void
  /** Resolves once there is none, also of what is added meanwhile. */
  settled(): Promise<void>
}

export function createUnfinished(): Unfinished {
  const open = new Set<Promise<unknown>>()
  return {
    add(work) {
      open.add(work)
      const leave = (): void => void open.delete(work)
      work.then(leave, leave)
    },
    async settled() {
      while (open.size > 0) await Promise.allSettled(open)
    },
  }
}
