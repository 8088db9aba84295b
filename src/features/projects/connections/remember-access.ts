import { setTimeout as delay } from 'node:timers/promises'
import { askHost } from './ask-host.ts'
import type { SeenAccess } from './ask-host.ts'
import type { OpenedConnection } from './open-connection.ts'

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
