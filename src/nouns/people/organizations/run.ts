import { requireOrganization } from '../../../api/organization-for.ts'
import { accountHolder, belongsTo } from '../../../features/projects/allow.ts'
import * as table from '../../../features/projects/organizations.ts'
import { AppError } from '../../../lib/errors.ts'
import { ownCommand } from '../../../lib/own-command.ts'
import { noteAct } from '../../../store/acts.ts'
import type { Store } from '../../../store/database.ts'
import { deed } from '../../../verbs/verb.ts'
import { addMember } from '../members.ts'
import * as verbs from './verbs.ts'

interface Ports {
  store: Store
}

const listOrganizations = deed(verbs.listOrganizations, async ({ store }: Ports, { caller }) =>
  (await table.listOrganizations(store.db)).filter(({ id }) => belongsTo(caller, id)).map(withDefault),
)

export const addOrganization = deed(verbs.addOrganization, async ({ store }: Ports, { caller }, { name }) => {
  const person = accountHolder(caller)
  if (person && person.addsOrganizations !== true)
    throw new AppError(
      'forbidden',
      `You don’t have permission to create organizations. Ask the server operator to run "${ownCommand} people allow-organizations"`,
    )
  return store.transaction(async (tx) => {
    const organization = await table.insertOrganization(tx, name)
    noteAct({ organizationId: organization.id, target: `${name} (${organization.id})` })
    if (person) await addMember(tx, organization.id, person.id, 'owner')
    return withDefault(organization)
  })
})

export const changeOrganization = deed(
  verbs.changeOrganization,
  async ({ store }: Ports, { caller }, { organization, name }) => {
    const { id } = await requireOrganization(store, { caller, verb: 'changeOrganization', organization })
    await store.transaction((tx) => table.renameOrganization(tx, id, name))
    return withDefault(await table.resolveOrganization(store.db, id))
  },
)

export const organizationDeeds = [listOrganizations, addOrganization, changeOrganization]

function withDefault(one: table.Organization) {
  return { ...one, default: one.isDefault }
}
