import { createAccess } from '../api/access.ts'
import { createClientAddress } from '../api/client-address.ts'
import type { Endpoint } from '../api/endpoint.ts'
import { healthEndpoints } from '../api/health.ts'
import { metricsEndpoint, type Metrics } from '../api/metrics.ts'
import { operatorToken } from './data-folder.ts'
import type { Services } from './services.ts'

/** What a worker answers, for those who watch over it. */
export async function createWorkerEndpoints(
  { store, machine, config }: Services,
  metrics: Metrics,
  stopping: AbortSignal,
): Promise<Endpoint[]> {
  const access = createAccess({
    store,
    operatorToken: await operatorToken(config.dataFolder),
    // Nobody signs in at a worker.
    publicUrl: () => config.publicUrl ?? 'http://localhost',
    addressOf: createClientAddress(config.trustedProxies),
  })
  return [...healthEndpoints({ store, machine, stopping }), metricsEndpoint({ access, metrics })]
}
