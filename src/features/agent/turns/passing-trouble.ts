import { HostFailure } from '../../../integrations/forges/http/host-failure.ts'
import { RemoteUnreachable } from '../../../integrations/git/explain-remote-failure.ts'
import { machineTrouble } from '../../../lib/machine-trouble.ts'
import type { Trouble } from '../../../lib/machine-trouble.ts'
import type { PassingTroubleColumn } from '../../../store/tables.ts'

/** Why a turn cannot go on now and may later: its git host, or this machine. */
export interface PassingTrouble {
  of: PassingTroubleColumn
  reason: 'rate_limit' | 'unreachable' | Trouble['reason']
  message: string
  /** When a host wants to be asked again, where it says so. */
  retryAt?: Date | undefined
  /** Asked several times already: asking again at once brings nothing. */
  persistent: boolean
}

/** Undefined for every other error, and for trouble that waiting does not mend. */
export function passingTrouble(error: unknown): PassingTrouble | undefined {
  // First: a fetch that has no room here looks as if its host had hung up.
  const trouble = machineTrouble(error)
  if (trouble) return ofMachine(trouble, { persistent: false })
  if (error instanceof RemoteUnreachable && error.passing)
    return { of: 'host', reason: 'unreachable', message: error.message, persistent: false }
  if (!(error instanceof HostFailure) || error.code !== 'unavailable' || !error.passing) return undefined
  const { message, retryAt } = error
  const reason = retryAt === undefined ? 'unreachable' : 'rate_limit'
  return { of: 'host', reason, message, retryAt, persistent: true }
}

export function ofMachine(trouble: Trouble, { persistent }: { persistent: boolean }): PassingTrouble {
  return { of: 'machine', ...trouble, persistent }
}
