import { createConnectionRefresh } from '../../features/connections/webhook.ts'
import { messageOf } from '../../lib/errors.ts'
import { repeat } from '../../lib/pause.ts'
import type { Services } from '../services.ts'

/** Milliseconds; hosts that are away when the server starts are asked again. */
const interval = 3_600_000

/** Updates the connections of projects after a start, in the background, so that nothing waits for hosts. */
export function refreshHosts(services: Services, stopping: AbortSignal): void {
  const { store, hosts, secretKey, openConnection, config, log } = services
  const refresh = createConnectionRefresh({
    store,
    hosts,
    secretKey,
    openConnection,
    publicUrl: config.publicUrl,
    reportError: (error, projectId) =>
      log.warn({ projectId, err: error }, `A git host can’t be reached: ${messageOf(error)}`),
  })
  repeat(stopping, async () => {
    await refresh(stopping).catch((error: unknown) =>
      log.error({ err: error }, 'Connections to git hosts could not be looked at'),
    )
    return interval
  }).catch(() => undefined)
}
