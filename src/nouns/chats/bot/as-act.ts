import type { PersonCaller } from './who.ts'
import type { Verb } from '../../../features/projects/rights.ts'
import { noteAct, withAct } from '../../../store/acts.ts'
import type { BotPorts, Turn } from './ports.ts'

/** Does what a verb does as the account that a member has linked: for the audit log, and for the credit in commits. */
export async function asAct(
  { store }: BotPorts,
  { project }: Turn,
  { person }: PersonCaller,
  { verb, target }: { verb: Verb; target?: string | undefined },
  work: () => Promise<void>,
): Promise<void> {
  await withAct(
    () => {
      noteAct({
        verb,
        target,
        actor: { kind: 'person', id: person.id, name: person.name },
        project: { id: project.id, domain: project.domain },
        organizationId: project.organizationId,
      })
      return work()
    },
    // The store adds the line to any transaction.
    { succeeded: () => true, rest: () => store.transaction(() => Promise.resolve()) },
  )
}
