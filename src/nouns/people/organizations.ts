import { z } from '@hono/zod-openapi'
import { accountHolder, belongsTo, type Caller } from '../../features/projects/allow.ts'
import {
  insertOrganization,
  listOrganizations,
  renameOrganization,
  resolveOrganization,
  type Organization,
} from '../../features/projects/organizations.ts'
import { addMember } from './members.ts'
import { AppError } from '../../lib/errors.ts'
import { ownCommand } from '../../lib/own-command.ts'
import { oneOrganization } from '../organizations/answers.ts'
import { noteAct } from '../../store/acts.ts'
import type { Store } from '../../store/database.ts'
import type { Access } from '../../api/access.ts'
import { operations } from '../../api/description/operation.ts'
import type { Endpoint } from '../../api/endpoint.ts'
import { requireOrganization } from '../../api/organization-for.ts'

const nameRule = 'must be a name of 1 to 200 characters'
const nameBody = z
  .object({ name: z.string({ error: nameRule }).trim().min(1, nameRule).max(200, nameRule) })
  .openapi('AddOrganization', { description: 'An organization to add.' })

/** Organizations own projects and admin keys, and people belong to them. */
export function organizationEndpoints({ access, store }: { access: Access; store: Store }): Endpoint[] {
  const { onServer } = operations(access, 'People')
  return [
    onServer('listOrganizations', 'get /admin/organizations', 'List organizations', {
      description: 'Oldest first. People see those that they belong to.',
      answer: [200, 'The organizations', z.array(oneOrganization)],
      handle: async ({ caller }) =>
        (await listOrganizations(store.db)).filter(({ id }) => belongsTo(caller, id)).map(organizationBody),
    }),
    onServer('addOrganization', 'post /admin/organizations', 'Add an organization', {
      description:
        'An organization owns projects and admin keys. A person who makes one becomes its owner; the operator says who may.',
      body: nameBody,
      answer: [201, 'The organization', oneOrganization],
      handle: async ({ caller, body: { name } }) =>
        organizationBody(await makeOrganization(store, caller, name)),
    }),
    onServer('changeOrganization', 'patch /admin/organizations/{organization}', 'Rename an organization', {
      description: 'Changes the name that people see.',
      body: nameBody,
      answer: [200, 'The organization', oneOrganization],
      async handle({ context, caller, body: { name } }) {
        const { id } = await requireOrganization(store, {
          caller,
          verb: 'changeOrganization',
          organization: context.req.param('organization'),
        })
        await store.transaction((tx) => renameOrganization(tx, id, name))
        return organizationBody(await resolveOrganization(store.db, id))
      },
    }),
  ]
}

/** @throws AppError `forbidden` for people who may make none */
export async function makeOrganization(store: Store, caller: Caller, name: string): Promise<Organization> {
  const person = accountHolder(caller)
  if (person && person.addsOrganizations !== true)
    throw new AppError(
      'forbidden',
      `You may not make organizations; the operator allows it with "${ownCommand} people allow-organizations"`,
    )
  return store.transaction(async (tx) => {
    const organization = await insertOrganization(tx, name)
    noteAct({ organizationId: organization.id, target: `${name} (${organization.id})` })
    if (person) await addMember(tx, organization.id, person.id, 'owner')
    return organization
  })
}

function organizationBody({
  id,
  name,
  isDefault,
  createdAt,
}: Organization): z.output<typeof oneOrganization> {
  return { id, name, default: isDefault, createdAt: createdAt.toISOString() }
}
