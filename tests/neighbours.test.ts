import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { mayGo } from '../src/api/addresses.ts'
import { mayDo } from '../src/features/projects/allow.ts'
import { rights, type Verb } from '../src/features/projects/rights.ts'
import { scopesOfKind } from '../src/features/projects/roles.ts'
import { addresses, bodyOf, nothing, pathOf, type Address, type Names } from './every-endpoint.ts'
import { createBareRepository, git } from './repository.ts'
import { runCommand, settledJob, startServer, type TestServer } from './server.ts'

// Who may do what at every address of the product, and what somebody of another organization can learn there.

/** Somebody who asks. */
interface Caller {
  name: string
  headers: Record<string, string>
  /** Of the session. */
  csrf?: string
}

let server: TestServer
let operator: Caller
let own: Names
let others: Names
let callers: Record<'viewer' | 'editor' | 'neighbour', Caller>
let keys: Caller[]
beforeAll(async () => {
  server = await startServer()
  const token = (await readFile(join(server.dataFolder, 'operator-token'), 'utf8')).trim()
  operator = { name: 'the operator', headers: { authorization: `Bearer ${token}` } }
  const mine = await add('/admin/organizations', { name: 'Makers' })
  const theirs = await add('/admin/organizations', { name: 'Neighbours' })
  own = await makeProject('makers', String(mine['id']))
  others = await makeEmptyProject('neighbours', String(theirs['id']))
  callers = {
    viewer: await makePerson(own, 'viewer'),
    editor: await makePerson(own, 'editor'),
    neighbour: await makePerson(others, 'owner'),
  }
  const made = async (body: object): Promise<Caller> => ({
    name: JSON.stringify(body),
    headers: { authorization: `Bearer ${String((await add('/admin/keys', body))['key'])}` },
  })
  keys = [
    await made({ kind: 'admin', organization: others['organization'] }),
    await made({ kind: 'admin', organization: others['organization'], scopes: [...scopesOfKind.admin] }),
    await made({ kind: 'assistant', project: others['domain'] }),
  ]
})
afterAll(() => server[Symbol.asyncDispose]())

async function add(path: string, body: object): Promise<Record<string, unknown>> {
  const answer = await server.request('POST', path, { body, headers: operator.headers })
  const text = await answer.text()
  expect(answer.ok, `${path} ${text}`).toBe(true)
  return JSON.parse(text) as Record<string, unknown>
}

async function addProject(
  domain: string,
  organization: string,
): Promise<{ repository: string; projectId: string }> {
  const repository = await createBareRepository({
    'index.md': `# ${domain}\n\nOld words of ${domain}.\n\n![Plan](plan.svg)\n`,
    'plan.svg': `<svg xmlns="http://www.w3.org/2000/svg"><text>${domain}</text></svg>`,
  })
  const words = ['--domain', domain, '--organization', organization, '--json']
  const { stdout } = await runCommand(server.dataFolder, 'project', 'add', repository, ...words)
  return { repository, projectId: (JSON.parse(stdout) as { id: string }).id }
}

async function makeEmptyProject(domain: string, organization: string): Promise<Names> {
  return { ...nothing, ...(await addProject(domain, organization)), domain, organization }
}

/** A project with one of everything. */
async function makeProject(domain: string, organization: string): Promise<Names> {
  const { repository, projectId } = await addProject(domain, organization)
  const jobs = `/v2/agent/${projectId}`
  const { id: job } = await add(`${jobs}/job`, {
    prompt: 'Replace "Old words" with "New words" in the index page',
  })
  const path = `${jobs}/job/${String(job)}`
  const settled = await settledJob(server, path, bearerOf(operator))
  expect(settled).toMatchObject({ status: 'completed', pullRequest: { number: 1 } })
  const commented = await add(`${path}/comments`, { path: 'index.md', line: 3, body: `A word of ${domain}` })
  const { id: webhooks } = await add(`${jobs}/webhooks`, { url: 'https://receiver.invalid/hooks' })
  const { id: messageId } = await add(`${jobs}/webhooks/${String(webhooks)}/test`, {})
  const { id: keys, key } = await add('/admin/keys', { kind: 'assistant', project: domain })
  const parts = [{ type: 'text', text: 'Which words?' }]
  const asked = await server.request('POST', `/discovery/v2/assistant/${domain}/message`, {
    key: String(key),
    body: { fp: domain, messages: [{ id: 'm', role: 'user', parts }] },
  })
  await asked.text()
  const thread = asked.headers.get('x-thread-id') ?? ''
  const { id: pinned } = await add(`/v2/insights/${projectId}/pinned-answers`, {
    questions: [`What is pinned in ${domain}?`],
    answer: 'These words.',
  })
  const { id: automation } = await add(`/v2/automations/${projectId}`, {
    source: `---\nname: Words of ${domain}\n---\n\nReplace "Old words" with "New words" in the index page\n`,
  })
  const { instanceId: run } = await add(`/v1/workflow/${projectId}/${String(automation)}/trigger`, {})
  const { ref } = settled['source'] as { ref: string }
  return {
    ...nothing,
    projectId,
    domain,
    organization,
    job: String(job),
    webhooks: String(webhooks),
    messageId: String(messageId),
    keys: String(keys),
    number: '1',
    thread,
    threadId: thread,
    question: '0',
    pinned: String(pinned),
    statusId: `${projectId}.a1`,
    automation: String(automation),
    run: String(run),
    comment: (commented['comments'] as { id: string }[])[0]?.id ?? '',
    invitation: (await invite(organization, 'viewer')).invitation,
    commit: await git(repository, 'rev-parse', ref),
    oid: await git(repository, 'rev-parse', 'main:plan.svg'),
  }
}

async function invite(organization: string, role: string): Promise<{ invitation: string; token: string }> {
  const made = await add(`/admin/organizations/${organization}/invitations`, { role })
  return {
    invitation: String(made['id']),
    token: new URL(String(made['url'])).searchParams.get('token') ?? '',
  }
}

async function makePerson(of: Names, role: string): Promise<Caller> {
  const { token } = await invite(of['organization'] ?? '', role)
  const name = `${of['domain']} ${role}`
  const answer = await server.request('POST', '/admin/invitations/accept', {
    body: { token, name, email: `${role}@${of['domain']}.test`, password: 'five small words here' },
  })
  const session = (await answer.json()) as { csrfToken: string; person: { id: string } }
  const cookie = answer.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  const caller = { name, headers: { cookie }, csrf: session.csrfToken }
  const listed = await server.request('GET', '/admin/account/sessions', { headers: { cookie } })
  Object.assign(of, {
    person: session.person.id,
    session: ((await listed.json()) as { id: string }[])[0]?.id,
  })
  return caller
}

function bearerOf({ headers }: Caller): string {
  return (headers['authorization'] ?? '').slice('Bearer '.length)
}

interface Answer {
  status: number
  text: string
  location: string
}

async function ask(
  address: Address,
  caller: Caller | undefined,
  names: Names,
  inBody = names,
): Promise<Answer> {
  const { method, verb, isPage } = address
  const body = bodyOf(verb, inBody)
  const headers: Record<string, string> = { ...caller?.headers }
  if (isPage) Object.assign(headers, { accept: 'text/html', 'sec-fetch-site': 'same-origin' })
  const leaving = new AbortController()
  const { organization = '', domain = '' } = inBody
  const query = method === 'GET' && naming.has(verb) ? `?organization=${organization}&project=${domain}` : ''
  const init: RequestInit = { method, headers, redirect: 'manual', signal: leaving.signal }
  if (method !== 'GET' && isPage) {
    const fields = Object.entries(body).map(([name, value]): [string, string] => [name, String(value)])
    init.body = new URLSearchParams([...fields, ['csrf', caller?.csrf ?? '']])
  } else if (method !== 'GET') {
    Object.assign(headers, { 'content-type': 'application/json', 'x-csrf-token': caller?.csrf ?? '' })
    if (method !== 'DELETE') init.body = JSON.stringify(body)
  }
  const response = await fetch(`${server.url}${pathOf(address, names)}${query}`, init)
  const { status } = response
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true
  // Git breaks off where it is asked for nonsense.
  const text = isStream ? 'a stream' : await response.text().catch(() => 'broken off')
  leaving.abort()
  // What was asked for may be repeated.
  return {
    status,
    text: plain(text, names, inBody),
    location: plain(response.headers.get('location') ?? '', names),
  }
}

/** An answer without what was asked for, which it may repeat, and without what is new each time. */
function plain(text: string, ...asked: Names[]): string {
  let same = text.replaceAll(/(?:name="csrf" value="|svc_(?:dsc_)?)\w+/g, '')
  for (const names of asked)
    for (const [key, name] of Object.entries(names))
      if (name.length > 3) same = same.replaceAll(name, nothing[key] ?? '')
  return same.replaceAll(/(?<=pull request (?:\\"|&quot;))\d|(?<=pulls\/)\d/g, '')
}

/** 501 is an answer: there is no such thing here, for nobody. */
function isFailure(status: number): boolean {
  return status >= 500 && status !== 501
}

/** Where two answers differ, apart from what was asked for. */
function difference(one: Answer, other: Answer): string | undefined {
  if (one.status !== other.status)
    return `${one.status} but ${other.status}: ${one.text.slice(0, 200)} | ${other.text.slice(0, 200)}`
  if (one.location !== other.location) return `to ${one.location} but ${other.location}`
  if (one.text === other.text) return undefined
  let at = 0
  while (one.text[at] === other.text[at]) at++
  return `${one.status} ${JSON.stringify(one.text.slice(at - 40, at + 120))} but ${JSON.stringify(other.text.slice(at - 40, at + 120))}`
}

const ofProject = addresses.filter(({ path }) => /\{(?:projectId|domain|organization)\}/.test(path))
const above = { projectId: 'prj_nothing', domain: 'nothing', organization: 'org_nothing' }
/** What ends a session, and what is limited by address. */
const left: ReadonlySet<Verb | undefined> = new Set<Verb>([
  'signOut',
  'deleteAccount',
  'leaveOrganization',
  'endOtherSessions',
  'changePassword',
  'receiveHostEvent',
  // Says the same of every name.
  'getProtectedDocsTools',
])

it('tells somebody of another organization the same as for nothing, at every address', async () => {
  const told: string[] = []
  for (const caller of [undefined, callers.neighbour, ...keys])
    for (const address of ofProject) {
      if (left.has(address.verb)) continue
      const there = await ask(address, caller, own, { ...own, ...above })
      const none = await ask(address, caller, { ...own, ...above })
      const differs = difference(there, none)
      const line = `${caller?.name ?? 'a stranger'}: ${address.method} ${address.path}`
      if (differs !== undefined) told.push(`${line} ${differs}`)
      else if (![401, 403, 404, 303].includes(there.status))
        told.push(`${line} ${there.status} ${there.text.slice(0, 200)}`)
    }
  expect(told).toEqual([])
})

/** What forms and bodies name, besides what paths do. */
const naming: ReadonlySet<Verb | undefined> = new Set<Verb>([
  'createKey',
  'revokeKey',
  'listKeys',
  'addProject',
  'checkRepository',
  'chooseOrganization',
  'changeRole',
  'removePerson',
  'revokeInvitation',
  'createPasswordLink',
  'endSession',
  'listAudit',
  'exportAudit',
  'createAnswerJob',
])

it('finds nothing of another organization where a path below an own project or a body names it', async () => {
  const told: string[] = []
  const { projectId = '', domain = '', organization = '' } = others
  const below = { projectId, domain, organization }
  let found = 0
  for (const address of addresses) {
    const isNamed =
      /\{(?!projectId|domain|organization|provider)\w/.test(address.path) || naming.has(address.verb)
    if (!isNamed || left.has(address.verb) || address.path === '/assets/{name}') continue
    const there = await ask(address, callers.neighbour, { ...own, ...below }, own)
    const none = await ask(address, callers.neighbour, { ...nothing, ...below }, nothing)
    const differs = difference(there, none)
    if (there.status === 404) found++
    if (differs !== undefined) told.push(`${address.method} ${address.path} ${differs}`)
  }
  expect(told).toEqual([])
  expect(found).toBeGreaterThan(60)
})

/** What is refused for another reason than a role. */
const refusesMore: ReadonlySet<Verb> = new Set(['addOrganization', 'listReferences'])

it('lets people do what their role allows, and no more', async () => {
  const told: string[] = []
  const { projectId = '', domain = '', organization = '' } = own
  const names = { ...nothing, projectId, domain, organization }
  for (const role of ['viewer', 'editor'] as const)
    for (const address of addresses) {
      const { method, path, verb } = address
      if (left.has(verb) || (verb !== undefined && (rights[verb].anybody || refusesMore.has(verb)))) continue
      const roles = new Map([[organization, role]])
      const caller = { kind: 'person', person: { id: '', name: '', isOperator: false, roles } } as const
      const may =
        verb === undefined
          ? mayGo(caller, 'get', pathOf(address, names), organization)
          : mayDo(caller, verb, organization)
      const { status, text } = await ask(address, callers[role], names, { ...names, domain: 'nothing' })
      if (may !== (status !== 403)) told.push(`${role} ${method} ${path} ${status} ${text.slice(0, 300)}`)
      if (isFailure(status)) told.push(`${method} ${path} ${status}`)
    }
  expect(told).toEqual([])
})

/** Pages and files that hold nothing of anybody. */
const forEverybody = /^\/(?:widget|assets|reference|sign-in|join|new-password)\b/

it('shows strangers only what is for everybody', async () => {
  const told: string[] = []
  for (const address of addresses) {
    const { method, path, verb } = address
    if ((verb !== undefined && rights[verb].anybody === true) || forEverybody.test(path)) continue
    const { status } = await ask(address, undefined, own)
    if (![401, 303].includes(status)) told.push(`${method} ${path} ${status}`)
  }
  expect(told).toEqual([])
})

it('takes no text that the database cannot hold for a failure of its own', async () => {
  const failed: string[] = []
  const { projectId = '', domain = '', organization = '' } = others
  const names = {
    ...Object.fromEntries(Object.keys(nothing).map((key) => [key, '\0'])),
    projectId,
    domain,
    organization,
  }
  for (const address of addresses) {
    if (left.has(address.verb)) continue
    const { status } = await ask(address, callers.neighbour, names, nothing)
    if (isFailure(status)) failed.push(`${address.method} ${address.path} ${status}`)
    for (const name of address.query) {
      const path = `${pathOf(address, others)}?${name}=%00`
      const answer = await server.request('GET', path, { headers: callers.neighbour.headers })
      await answer.body?.cancel()
      if (isFailure(answer.status)) failed.push(`GET ${path} ${answer.status}`)
    }
  }
  expect(failed).toEqual([])
})
