/** Ticked, timed lines while something starts. */
export interface Steps {
  run<T>(name: string, work: () => Promise<T>, detail?: (result: T) => string): Promise<T>
}

export function createSteps(write: (line: string) => void): Steps {
  return {
    async run(name, work, detail) {
      const started = performance.now()
      const result = await work()
      const seconds = ((performance.now() - started) / 1000).toFixed(1)
      const text = detail ? `${name}: ${detail(result)}` : name
      write(`  ✓ ${text}  (${seconds} s)`)
      return result
    },
  }
}
