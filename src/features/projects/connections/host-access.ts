import { setTimeout as delay } from 'node:timers/promises'
import type { HostAccess } from '../../../integrations/forges/host.ts'
import type { OpenedRepository } from '../../../integrations/forges/open-repository.ts'
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

/** What hosts said of credentials, so that not every look at a page asks them again. */
export interface RememberedAccess {
  /** Undefined while the host has not answered. @throws AppError what asking it brought */
  ask(opened: OpenedConnection): Promise<SeenAccess | undefined>
  /** The next look asks the host. */
  forget(projectId: string): void
}

interface Asked {
  revision: number
  at: Date
  answer: Promise<SeenAccess>
}

/** @param patience milliseconds that one look waits for an answer */
export function createRememberedAccess(now: () => Date, patience: number): RememberedAccess {
  const known = new Map<string, Asked>()
  return {
    async ask(opened) {
      const { projectId, revision } = opened.connection
      const before = known.get(projectId)
      const holds = before?.revision === revision && now().getTime() - before.at.getTime() < lifetime
      const asked = before && holds ? before : { revision, at: now(), answer: begin(opened, now) }
      known.set(projectId, asked)
      return Promise.race([asked.answer, delay(patience, undefined, { ref: false })])
    },
    forget: (projectId) => void known.delete(projectId),
  }
}

/** Milliseconds. */
const lifetime = 5 * 60_000

function begin(opened: OpenedConnection, now: () => Date): Promise<SeenAccess> {
  const answer = askHost(opened, now)
  // Whoever looks learns of it; nobody may be looking any more.
  answer.catch(() => undefined)
  return answer
}

const soon = 14 * 86_400_000

/** What stands in the way of jobs, one sentence each; empty when nothing does. The assistant needs none of it. */
export function explainAccess(
  { host, hosted }: Pick<OpenedRepository, 'host' | 'hosted'>,
  access: HostAccess | undefined,
  now: Date,
): string[] {
  if (host === undefined)
    return ['Nothing but git is known of this host: jobs push a branch, and people open its pull request']
  if (hosted === undefined || access === undefined)
    return [
      `There is no credential for ${host.name}: the assistant works, but jobs cannot publish until one is given with "project connect"`,
    ]
  const notes: string[] = []
  if (access.archived)
    notes.push(
      `${access.path} is archived: the assistant works, but jobs cannot publish until it is unarchived`,
    )
  if (access.missing.length > 0)
    notes.push(
      `The credential lacks ${access.missing.join(', ')}: the assistant works, but jobs cannot publish without`,
    )
  if (access.missingForComments !== undefined)
    notes.push(
      `The credential lacks ${access.missingForComments}: ${host.name} does not tell it of everybody who may write, and comments of those it cannot judge become no follow-ups, but for people named with "project set --trusted"`,
    )
  const { expiresAt } = access
  if (expiresAt !== undefined && expiresAt.getTime() - now.getTime() < soon)
    notes.push(
      `The credential expires on ${expiresAt.toISOString().slice(0, 10)}: make a new one and give it with "project connect"`,
    )
  return notes
}
