import { accountHolder, nameOf, type Caller } from '../features/projects/allow.ts'
import { isAudited, type Verb } from '../features/projects/rights.ts'
import type { Project } from '../features/projects/projects.ts'
import { hasUnstorable } from '../lib/text/plain-text.ts'
import { noteAct, type Actor } from '../store/acts.ts'
import type { RequestContext } from './endpoint.ts'

/** Notes for the audit log what a request is about to do. Called where `allow` has permitted it. */
export function noteRequest(
  context: RequestContext,
  { caller, verb, project, address }: { caller: Caller; verb: Verb; project?: Project; address: string },
): void {
  if (!isAudited(verb)) return
  const { domain: _domain, projectId: _id, organization, ...params } = context.req.param()
  noteAct({
    verb,
    actor: actorOf(caller),
    project: project && { id: project.id, domain: project.domain },
    organizationId:
      project?.organizationId ??
      organization ??
      (caller.kind === 'key' ? caller.key.organizationId : undefined),
    // What the database cannot hold is found nowhere either.
    target:
      Object.values(params)
        .filter((name) => !hasUnstorable(name))
        .join('/') || undefined,
    address,
  })
}

/** Undefined for strangers: who signs in is known only afterwards. */
function actorOf(caller: Caller): Actor | undefined {
  const name = nameOf(caller)
  if (caller.kind === 'key') return { kind: 'key', id: caller.key.id, name }
  const person = accountHolder(caller)
  if (person) return { kind: 'person', id: person.id, name }
  return caller.kind === 'stranger' ? undefined : { kind: 'operator', id: 'operator', name }
}
