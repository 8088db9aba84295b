import { allow, mayDo, organizationsOf, type Caller } from '../../features/projects/allow.ts'
import { findProject, findProjectByDomain, type Project } from '../../features/projects/projects.ts'
import type { Verb as VerbName } from '../../features/projects/rights.ts'
import { organizationAsked } from '../../api/organization-for.ts'
import { notFound } from '../../api/errors.ts'
import { AppError } from '../../lib/errors.ts'
import { hasUnstorable } from '../../lib/text/plain-text.ts'
import { noteAct } from '../../store/acts.ts'
import type { Reader, Store } from '../../store/database.ts'
import { deed, type Asking, type InputOf } from '../../verbs/verb.ts'
import * as table from './table.ts'
import { createKey, listKeys, revokeKey } from './verbs.ts'

interface Ports {
  store: Store
}

const listKeysDeed = deed(listKeys, async ({ store: { db } }: Ports, { caller }, { project: name }) => {
  const project = name === undefined ? undefined : await projectNamed(db, { caller, verb: 'listKeys', name })
  const keys =
    project === undefined
      ? await table.listKeys(db, organizationsOf(caller))
      : await table.listProjectKeys(db, project)
  return keys.filter(({ organizationId }) => mayDo(caller, 'listKeys', organizationId)).map(withOwner)
})

export const createKeyDeed = deed(createKey, async ({ store }: Ports, asking, input) => {
  const { expiresInDays: days } = input
  const wanted = {
    ...input,
    ...(await ownerOf({ store }, asking, input)),
    expiresAt: days === undefined ? undefined : new Date(Date.now() + days * 86_400_000),
  }
  if (asking.caller.kind === 'key') table.requireNoMore(asking.caller.key, wanted)
  const { key, secret } = await store.transaction((tx) => table.createKey(tx, wanted))
  return { id: key.id, kind: key.kind, key: secret }
})

export const revokeKeyDeed = deed(revokeKey, async ({ store }: Ports, { caller }, { id }) => {
  const known = await table.findKey(store.db, id)
  if (!known || !mayDo(caller, 'revokeKey', known.organizationId)) throw notFound('key', id)
  noteAct({ organizationId: known.organizationId })
  return withOwner((await store.transaction((tx) => table.revokeKey(tx, id))) ?? known)
})

export const keyDeeds = [listKeysDeed, createKeyDeed, revokeKeyDeed]

async function ownerOf(
  { store }: Ports,
  asking: Asking,
  { kind, organization, project }: InputOf<typeof createKey>,
): Promise<{ organizationId: string; projectId?: string }> {
  if (kind === 'admin') {
    if (project !== undefined)
      throw new AppError(
        'invalid',
        'An admin key belongs to an organization. Leave out the project, or create an assistant key',
      )
    const owner = await organizationAsked(store, asking, { verb: 'createKey', organization })
    return { organizationId: owner.id }
  }
  if (project === undefined)
    throw new AppError('invalid', 'An assistant key belongs to a project. Name the `project`')
  const target = await projectNamed(store.db, { caller: asking.caller, verb: 'createKey', name: project })
  noteAct({ project: target, organizationId: target.organizationId })
  return { organizationId: target.organizationId, projectId: target.id }
}

async function projectNamed(
  db: Reader,
  { caller, verb, name }: { caller: Caller; verb: VerbName; name: string },
): Promise<Project> {
  const candidate = hasUnstorable(name)
    ? undefined
    : ((await findProject(db, name)) ?? (await findProjectByDomain(db, name)))
  return allow(caller, verb, { name, project: candidate })
}

function withOwner(key: table.Key) {
  return { ...key, organization: key.organizationId, project: key.projectId }
}
