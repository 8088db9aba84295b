import type { LanguageModelV4 } from '@ai-sdk/provider'
import type { RunPorts } from '../../src/features/agent/turns/turn-run.ts'

/**
 * For tests: ports that call `reach` before and after everything that leaves a trace: transactions, calls of the
 * forge (which follow the push) and of the model. What `reach` throws is a runner's sudden end.
 */
export function mortalPorts(ports: RunPorts, reach: () => void): RunPorts {
  const around = async <T>(work: () => Promise<T>): Promise<T> => {
    reach()
    const result = await work()
    reach()
    return result
  }
  return {
    ...ports,
    store: { ...ports.store, transaction: (work) => around(() => ports.store.transaction(work)) },
    models: { ...ports.models, find: (name) => mortalModel(ports.models.find(name), around) },
    forgeFor: async (project) => {
      const forge = await ports.forgeFor(project)
      return (
        forge && {
          ...forge,
          findByHead: (head) => around(() => forge.findByHead(head)),
          open: (request) => around(() => forge.open(request)),
          update: (number, text) => around(() => forge.update(number, text)),
          read: (number) => around(() => forge.read(number)),
        }
      )
    },
  }
}

/** Runs with ports that die at the given point and stay dead. @returns whether that point was reached */
export async function runUntil(
  ports: RunPorts,
  point: number,
  run: (ports: RunPorts) => Promise<void>,
): Promise<boolean> {
  const stopping = new AbortController()
  let reached = 0
  const reach = (): void => {
    if (stopping.signal.aborted) throw new Error('this runner is dead')
    if (++reached < point) return
    stopping.abort(new Error('the runner dies here'))
    throw stopping.signal.reason
  }
  await run(mortalPorts({ ...ports, stopping: stopping.signal }, reach)).catch((error: unknown) => {
    if (!stopping.signal.aborted) throw error
  })
  return stopping.signal.aborted
}

type Around = <T>(work: () => Promise<T>) => Promise<T>

function mortalModel(model: LanguageModelV4, around: Around): LanguageModelV4 {
  return {
    specificationVersion: 'v4',
    provider: model.provider,
    modelId: model.modelId,
    supportedUrls: {},
    doGenerate: (options) => around(async () => model.doGenerate(options)),
    doStream: (options) => around(async () => model.doStream(options)),
  }
}
