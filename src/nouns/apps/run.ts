import { notFound } from '../../api/errors.ts'
import { accountHolder, type Caller } from '../../features/projects/allow.ts'
import { createGrant, deleteGrant, listGrants } from '../../features/projects/app-grants.ts'
import type { Person } from '../../features/projects/roles.ts'
import { AppError } from '../../lib/errors.ts'
import { noteAct } from '../../store/acts.ts'
import type { Store } from '../../store/database.ts'
import { deed } from '../../verbs/verb.ts'
import { namesRedirect, readClientId, type AppClient } from './client.ts'
import * as verbs from './verbs.ts'

interface Ports {
  store: Store
  publicUrl(): string
}

const listApps = deed(verbs.listApps, async ({ store }: Ports, { caller }) =>
  listGrants(store.db, personOf(caller).id),
)

export const connectApp = deed(verbs.connectApp, async (ports: Ports, { caller }, input) => {
  const { client_id: clientId, redirect_uri: redirectUri, code_challenge: challenge, state } = input
  const person = personOf(caller)
  const { name } = requireClient(clientId, redirectUri)
  const resource = resourceIn(ports.publicUrl(), input.resource)
  if (resource === undefined)
    throw new AppError('invalid', '`resource` must be the URL of an MCP server here')
  const grant = { personId: person.id, clientId, name, resource, challenge, redirectUri }
  const code = await ports.store.transaction(async (tx) => {
    const { id, code } = await createGrant(tx, grant)
    noteAct({ target: `${name} (${id})` })
    return code
  })
  return { redirect: redirectWith(redirectUri, { code, state, iss: ports.publicUrl() }) }
})

export const disconnectApp = deed(verbs.disconnectApp, async ({ store }: Ports, { caller }, { app }) => {
  const grant = await store.transaction(async (tx) => {
    const ended = await deleteGrant(tx, personOf(caller).id, app)
    if (ended) noteAct({ target: `${ended.name} (${app})` })
    return ended
  })
  if (!grant) throw notFound('app', app, 'account')
  return grant
})

export const appDeeds = [listApps, connectApp, disconnectApp]

/** @throws AppError `not_found` for those who have no account of their own */
function personOf(caller: Caller): Person {
  const person = accountHolder(caller)
  if (!person)
    throw new AppError('not_found', 'This needs an account of your own. Accept an invitation first')
  return person
}

/** @throws AppError `invalid`: nobody may be sent to an address that the app has not named */
export function requireClient(clientId: string, redirectUri: string): AppClient {
  const client = readClientId(clientId)
  if (!client) throw new AppError('invalid', '`client_id` is unknown. Connect the app again')
  if (!namesRedirect(client, redirectUri))
    throw new AppError('invalid', '`redirect_uri` isn’t one that the app registered. Connect the app again')
  return client
}

/** The path of an MCP server here, by its URL; undefined for anything else. */
export function resourceIn(publicUrl: string, url: string): string | undefined {
  if (!URL.canParse(url)) return undefined
  const { href } = new URL(url)
  const own = new URL(publicUrl).href.replace(/\/$/, '')
  const path = href.startsWith(`${own}/`) ? href.slice(own.length).replace(/\/$/, '') : ''
  return /^\/mcp(?:\/[a-z0-9.-]{1,100})?$/.test(path) ? path : undefined
}

/** An address of an app with what it is told. */
export function redirectWith(address: string, parameters: Record<string, string | undefined>): string {
  const url = new URL(address)
  for (const [name, value] of Object.entries(parameters))
    if (value !== undefined) url.searchParams.set(name, value)
  return url.href
}
