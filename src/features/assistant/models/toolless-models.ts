/** Milliseconds after which a model is offered tools again: its server may have been set up anew. */
const pause = 600_000

const toolless = new WeakMap<object, Map<string, number>>()

/**
 * Whether a model refused tools a while ago: it answers from what was looked up before.
 * @param server what the models of one server have in common
 */
export function isToolless(server: object, model: string): boolean {
  return (toolless.get(server)?.get(model) ?? 0) > performance.now()
}

export function noteToolless(server: object, model: string): void {
  const ofServer = toolless.get(server) ?? new Map<string, number>()
  toolless.set(server, ofServer)
  ofServer.set(model, performance.now() + pause)
}
