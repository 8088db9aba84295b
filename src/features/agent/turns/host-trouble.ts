import { HostFailure } from '../../../integrations/forges/http/host-failure.ts'
import { RemoteUnreachable } from '../../../integrations/git/explain-remote-failure.ts'

/** A git host that cannot be asked now and may be later. */
export interface HostTrouble {
  reason: 'rate_limit' | 'unreachable'
  message: string
  /** When it wants to be asked again, where it says so. */
  retryAt: Date | undefined
  /** Asked several times already: asking again at once brings nothing. */
  persistent: boolean
}

/** Undefined for every other error, and for trouble that waiting does not mend. */
export function hostTrouble(error: unknown): HostTrouble | undefined {
  if (error instanceof RemoteUnreachable && error.passing)
    return { reason: 'unreachable', message: error.message, retryAt: undefined, persistent: false }
  if (!(error instanceof HostFailure) || error.code !== 'unavailable' || !error.passing) return undefined
  const { message, retryAt } = error
  return {
    reason: retryAt === undefined ? 'unreachable' : 'rate_limit',
    message,
    retryAt,
    persistent: true,
  }
}
