/** So many late answers in a row, and a model is not asked for queries for a while. */
const mostLate = 3
/** Milliseconds until the first piece of an answer from which a model is slow: readers wait for nothing that is not needed. */
const slowFrom = 5000
/** Milliseconds. */
const pause = 300_000

interface Known {
  /** How often it wrote its queries too late, in a row. */
  late: number
  slowUntil: number
}

const servers = new WeakMap<object, Map<string, Known>>()

/**
 * Whether a model was too slow the last few times for calls that an answer does not need: its queries, and its sources.
 * @param server what the models of one server have in common
 */
export function isSlow(server: object, model: string): boolean {
  return (servers.get(server)?.get(model)?.slowUntil ?? 0) > performance.now()
}

/** Notes whether a model wrote its queries in time. */
export function noteWriting(server: object, model: string, isLate: boolean): void {
  const late = isLate ? (servers.get(server)?.get(model)?.late ?? 0) + 1 : 0
  note(server, model, { late, slowUntil: late < mostLate ? 0 : performance.now() + pause })
}

/** Notes how many milliseconds a model took to begin an answer. */
export function noteBeginning(server: object, model: string, milliseconds: number): void {
  const known = servers.get(server)?.get(model) ?? { late: 0, slowUntil: 0 }
  if (milliseconds >= slowFrom) note(server, model, { ...known, slowUntil: performance.now() + pause })
}

function note(server: object, model: string, known: Known): void {
  const ofServer = servers.get(server) ?? new Map<string, Known>()
  servers.set(server, ofServer)
  ofServer.set(model, known)
}
