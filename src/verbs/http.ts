import type { Access } from '../api/access.ts'
import { jsonContent, operations } from '../api/description/operation.ts'
import type { Endpoint, RequestContext } from '../api/endpoint.ts'
import { shownOrganization } from '../api/organization-for.ts'
import { refuseOtherSites } from '../api/own-site.ts'
import type { Caller } from '../features/projects/allow.ts'
import type { Project } from '../features/projects/projects.ts'
import { rights } from '../features/projects/rights.ts'
import type { Store } from '../store/database.ts'
import { Otherwise, placesOf, type Deed, type Verb } from './verb.ts'

interface DoorPorts {
  access: Access
  store: Store
  publicUrl(): string
}

/** The endpoints of verbs, on the server as a whole and on the project that the path names. */
export function httpDoor<Ports extends DoorPorts>(
  ports: Ports,
  deeds: readonly Deed<NoInfer<Ports>>[],
): Endpoint[] {
  return deeds.map((deed) => endpointOf(ports, deed))
}

/** The same as a part of a noun, which gets its ports when the server starts. */
export function doorOf<Ports>(deeds: readonly Deed<Ports>[]): (ports: Ports & DoorPorts) => Endpoint[] {
  return (ports) => httpDoor(ports, deeds)
}

type Read = Record<string, unknown>

function endpointOf<Ports extends DoorPorts>(ports: Ports, { verb, run }: Deed<Ports>): Endpoint {
  const { name, address, summary, description, errors, headers, answer, otherwise, also, output } = verb
  const { onServer, onProject } = operations(ports.access, verb.tag)
  const places = placesOf(address)
  const operation = {
    ...(description !== undefined && { description }),
    ...(errors !== undefined && { errors }),
    ...(headers !== undefined && { headers }),
    ...inputOf(verb),
    answer: [...answer, output] as const,
    ...((otherwise ?? also) && {
      also: {
        ...(otherwise && { [otherwise[0]]: { description: otherwise[1], content: jsonContent(output) } }),
        ...also,
      },
    }),
    async handle({ context, caller, project, body, query }: Handled): Promise<object | null> {
      // Where no session and no key is needed, its token cannot protect from pages of other sites.
      if (rights[name].anybody) refuseOtherSites(context)
      const asking = {
        caller,
        context,
        ...(project && { project }),
        shownOrganization: () => shownOrganization(ports, context),
      }
      const named = Object.fromEntries(places.others.map((place) => [place, context.req.param(place)]))
      const done = await run(ports, asking, { ...body, ...query, ...named })
      return done instanceof Otherwise ? context.json(done.body, otherwise?.[0] ?? answer[0]) : done
    },
  }
  return places.project === undefined
    ? onServer<object | null, Read, Read>(name, address, summary, operation)
    : onProject<object | null, Read, Read>(name, address, summary, operation)
}

interface Handled {
  context: RequestContext
  caller: Caller
  project?: Project
  body: Read
  query: Read
}

function inputOf({ address, input, asQuery }: Verb): { query?: Verb['input']; body?: Verb['input'] } {
  if (Object.keys(input.shape).length === 0) return {}
  return address.startsWith('get ') || asQuery ? { query: input } : { body: input }
}
