import type { HostAccess } from '../../../integrations/forges/host.ts'
import { explainAccess } from './explain-access.ts'
import type { OpenedConnection } from './open-connection.ts'

/** What a host said of a credential. */
export interface SeenAccess {
  /** Undefined without a credential. */
  access: HostAccess | undefined
  /** What stands in the way of jobs, one sentence each. */
  notes: string[]
  at: Date
}

/** Asks the host of a connection what its credential may do. @throws AppError */
export async function askHost(opened: OpenedConnection, now: () => Date): Promise<SeenAccess> {
  const access = await opened.hosted?.checkAccess()
  const at = now()
  return { access, notes: explainAccess(opened, access, at), at }
}
