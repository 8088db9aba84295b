import type { Access } from '../api/access.ts'
import { operations } from '../api/description/operation.ts'
import type { Endpoint, RequestContext } from '../api/endpoint.ts'
import { shownOrganization } from '../api/organization-for.ts'
import type { Store } from '../store/database.ts'
import type { Deed, Verb } from './verb.ts'

interface DoorPorts {
  access: Access
  store: Store
  publicUrl(): string
}

/** The endpoints of verbs on the server as a whole. */
export function httpDoor<Ports extends DoorPorts>(ports: Ports, deeds: readonly Deed<Ports>[]): Endpoint[] {
  return deeds.map(({ verb, run }) => {
    const { onServer } = operations(ports.access, verb.tag)
    const { description, errors, answer, output } = verb
    return onServer<object, Record<string, unknown>, Record<string, unknown>>(
      verb.name,
      verb.address,
      verb.summary,
      {
        ...(description !== undefined && { description }),
        ...(errors !== undefined && { errors }),
        ...inputOf(verb),
        answer: [...answer, output],
        handle: ({ context, caller, body, query }) =>
          run(
            ports,
            { caller, shownOrganization: () => shownOrganization(ports, context) },
            { ...body, ...query, ...pathOf(context) },
          ),
      },
    )
  })
}

function inputOf({ address, input }: Verb): { query?: Verb['input']; body?: Verb['input'] } {
  if (Object.keys(input.shape).length === 0) return {}
  return address.startsWith('get ') ? { query: input } : { body: input }
}

function pathOf(context: RequestContext): Record<string, string> {
  return context.req.param()
}
