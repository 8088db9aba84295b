import { AsyncLocalStorage } from 'node:async_hooks'
import type { Transaction } from 'kysely'
import type { Tables } from './tables.ts'

/** Who does something. */
export interface Actor {
  kind: 'person' | 'key' | 'operator'
  id: string
  name: string
}

/** What a request does, for the audit log. */
interface Act {
  verb?: string | undefined
  actor?: Actor | undefined
  organizationId?: string | undefined
  project?: { id: string; domain: string } | undefined
  target?: string | undefined
  address?: string | undefined
  isWritten: boolean
}

const acts = new AsyncLocalStorage<Act>()

/**
 * Runs a request. Whatever it does that belongs into the audit log is written by its first transaction, so that the
 * log and the change cannot differ, or by `rest` where it did something elsewhere, such as on a git host.
 * @param rest writes in a transaction of its own
 */
export async function withAct<T>(
  work: () => Promise<T>,
  { succeeded, rest }: { succeeded(result: T): boolean; rest: () => Promise<void> },
): Promise<T> {
  const act: Act = { isWritten: false }
  return acts.run(act, async () => {
    const result = await work()
    if (isReady(act) && succeeded(result)) await rest()
    return result
  })
}

/** Adds to what is known of the current request. One that names a verb begins another line of the log. */
export function noteAct(change: Partial<Omit<Act, 'isWritten'>>): void {
  const act = acts.getStore()
  if (act) Object.assign(act, change, change.verb === undefined ? {} : { isWritten: false })
}

/** Takes back what the current request was to do: it was refused, and what is written afterwards, for the page that says so, is no act. */
export function abandonAct(): void {
  const act = acts.getStore()
  if (act?.isWritten === false) act.verb = undefined
}

/** The person whose request this is, when somebody with an account does something. */
export function actingPerson(): string | undefined {
  const actor = acts.getStore()?.actor
  return actor?.kind === 'person' ? actor.id : undefined
}

/** Runs what a request causes beside what it does, such as noting that a key was used. */
export function outsideAct<T>(work: () => T): T {
  return acts.exit(work)
}

/** Writes the current request's line of the audit log, once. The store calls it at the end of each transaction. */
export async function writeAct(tx: Transaction<Tables>): Promise<(() => void) | undefined> {
  const act = acts.getStore()
  if (!isReady(act)) return undefined
  await tx
    .insertInto('acts')
    .values({
      verb: act.verb,
      actor_kind: act.actor.kind,
      actor_id: act.actor.id,
      actor_name: act.actor.name.slice(0, 200),
      organization_id: act.organizationId ?? null,
      project_id: act.project?.id ?? null,
      project: act.project?.domain ?? null,
      target: act.target?.slice(0, 300) ?? null,
      address: act.address ?? null,
    })
    .execute()
  // The transaction may still fail, and is then repeated.
  return () => void (act.isWritten = true)
}

function isReady(act: Act | undefined): act is Act & { verb: string; actor: Actor } {
  return act?.isWritten === false && act.verb !== undefined && act.actor !== undefined
}
