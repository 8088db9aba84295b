/** So many late answers in a row, and a model is not asked for queries for a while. */
const mostLate = 3
/** Milliseconds. */
const pause = 300_000

const writers = new WeakMap<object, Map<string, { late: number; until: number }>>()

/**
 * Whether a model was too slow to write queries the last few times: each question would wait for it in vain.
 * @param server what the models of one server have in common
 */
export function isSlowWriter(server: object, model: string): boolean {
  return (writers.get(server)?.get(model)?.until ?? 0) > performance.now()
}

/** Notes whether a model wrote its queries in time. */
export function noteWriting(server: object, model: string, isLate: boolean): void {
  const ofServer = writers.get(server) ?? new Map<string, { late: number; until: number }>()
  writers.set(server, ofServer)
  const late = isLate ? (ofServer.get(model)?.late ?? 0) + 1 : 0
  ofServer.set(model, { late, until: late < mostLate ? 0 : performance.now() + pause })
}
