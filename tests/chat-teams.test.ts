import { afterAll, beforeAll, expect, it } from 'vitest'
import { ChatServer } from './chat-server.ts'
import { runCommand } from './server.ts'
import {
  startTeams,
  teamsApp,
  teamsSecret,
  teamsTenant,
  type TeamsMessage,
  type TeamsServer,
} from './worlds/teams-server.ts'

let chat: ChatServer
let teams: TeamsServer
const channel = '19:general@thread.tacv2'
const ann = { id: '29:ann', name: 'Ann', aadObjectId: 'ann' }
const bob = { id: '29:bob', name: 'Bob', aadObjectId: 'bob' }
const bot = { id: `28:${teamsApp}`, name: 'Docwright' }
const question = 'Where is the data folder?'
let clock = 1_600_000_000_000

beforeAll(async () => {
  teams = await startTeams()
  chat = await ChatServer.start(teams.environment)
})
afterAll(async () => {
  await chat[Symbol.asyncDispose]()
  await teams[Symbol.asyncDispose]()
})

const restartKilled = (): Promise<void> => chat.killAndRestart(() => (teams.unanswered = undefined))

const newId = (): string => String(++clock)

interface Said {
  author?: object
  /** Of a channel, the message that the thread begins with. */
  thread?: string
  personal?: boolean
  mention?: boolean
  id?: string
  tenant?: string
}

function activity(
  more: object,
  { author = ann, thread, personal = false, id = newId(), tenant = teamsTenant }: Said,
) {
  const { id: member } = author as { id: string }
  return {
    type: 'message',
    id,
    timestamp: new Date().toISOString(),
    channelId: 'msteams',
    serviceUrl: teams.serviceUrl,
    from: author,
    recipient: bot,
    conversation: personal
      ? { id: `a:${member}`, conversationType: 'personal', tenantId: tenant }
      : {
          id: `${channel};messageid=${thread ?? id}`,
          conversationType: 'channel',
          isGroup: true,
          tenantId: tenant,
        },
    channelData: { tenant: { id: tenant } },
    ...more,
  }
}

async function send(body: object, token?: string): Promise<number> {
  const authorization = `Bearer ${token ?? (await teams.sign())}`
  const headers = { authorization, 'content-type': 'application/json; charset=utf-8' }
  return (await fetch(chat.events, { method: 'POST', headers, body: JSON.stringify(body) })).status
}

/** Sends what a member wrote, as Teams does. @returns the message’s id */
async function say(text: string, said: Said = {}): Promise<string> {
  const { id = newId(), mention = said.personal !== true } = said
  const tag = '<at>Docwright</at>'
  const written = mention
    ? { text: `${tag}&nbsp;${text}`, entities: [{ type: 'mention', mentioned: bot, text: tag }] }
    : { text }
  expect(await send(activity({ ...written, textFormat: 'plain' }, { ...said, id }))).toBe(200)
  return id
}

async function press(message: TeamsMessage | undefined, label: string, author = ann): Promise<void> {
  const button = message?.buttons.find((one) => one.label === label)
  expect(button?.data, `${label} of ${JSON.stringify(message)}`).toBeDefined()
  const thread = /messageid=(\d+)/.exec(message?.conversation ?? '')?.[1] ?? ''
  const pressed = activity({ value: button?.data, replyToId: message?.id }, { author, thread })
  // Teams tells twice what it thinks was not received.
  expect([await send(pressed), await send(pressed)]).toEqual([200, 200])
}

const inThread = (id: string): TeamsMessage[] =>
  teams.messages.filter(({ conversation }) => conversation === `${channel};messageid=${id}`)
const toldTo = ({ id }: { id: string }): string[] =>
  teams.messages.filter(({ conversation }) => conversation === `a:${id}`).map(({ text }) => text)

it('is connected by the IDs and the secret of an app, which doctor checks', async () => {
  const given = { platform: 'teams', appId: teamsApp.toUpperCase(), workspace: teamsTenant }
  const wrong = await chat.request('POST', chat.workspaces, { ...given, botToken: 'another' })
  expect([wrong.status, await wrong.text()]).toEqual([400, expect.stringContaining('AADSTS7000215')])
  const without = await chat.request('POST', chat.workspaces, { platform: 'teams', botToken: teamsSecret })
  expect([without.status, await without.text()]).toEqual([400, expect.stringContaining('client) ID')])
  const connected = await chat.request('POST', chat.workspaces, { ...given, botToken: teamsSecret })
  expect(connected.status, await connected.clone().text()).toBe(201)
  const { id, name, eventsUrl } = (await connected.json()) as Record<string, string>
  expect([name, eventsUrl]).toEqual(['Microsoft Teams', `${chat.server.url}/chats/${id}/events`])
  chat.events = String(eventsUrl)
  const doctor = await runCommand(chat.server.dataFolder, 'doctor')
  expect(doctor.stdout).toContain('Microsoft Teams')
})

it('refuses calls that the Bot Framework has not made for this app', async () => {
  const said = activity({ text: question }, { personal: true, author: { id: '29:eve' } })
  const refused = await Promise.all([
    send(said, await teams.sign({ key: 'unknown' })),
    send(said, await teams.sign({ key: 'other' })),
    send(said, await teams.sign({ audience: 'another' })),
    send(said, await teams.sign({ issuer: 'https://sts.windows.net/' })),
    send(said, await teams.sign({ ends: -600 })),
    send(said, await teams.sign({ serviceurl: 'https://evil.example/' })),
    send({ ...said, serviceUrl: 'https://evil.example/' }),
    send({ ...said, channelId: 'webchat' }),
    send(said, 'none'),
  ])
  expect(refused).toEqual(Array.from({ length: 9 }, () => 401))
  expect((await fetch(chat.events, { method: 'POST', body: JSON.stringify(said) })).status).toBe(401)
  // Another tenant has the app, or the address is not one of Teams: no token goes there.
  expect(await send(activity({ text: question }, { tenant: 'other', personal: true }))).toBe(200)
  expect(teams.messages).toEqual([])
})

it('sends no token to an address that is none of Teams', async () => {
  const [id, serviceUrl] = [newId(), 'http://127.0.0.1:9/']
  const foreign = activity({ text: 'help', serviceUrl }, { personal: true, id })
  expect(await send(foreign, await teams.sign({ serviceurl: serviceUrl }))).toBe(200)
  await expect.poll(() => toldTo(ann).join()).toContain('Ask a question')
  expect(teams.calls).toContain('POST /teams/v3/conversations/a:29:ann/activities')
})

it('answers a mention once, in its thread, however often it is told', async () => {
  const id = newId()
  await Promise.all([say(question, { id }), say(question, { id }), say(question, { id })])
  await expect.poll(() => inThread(id).map(({ buttons }) => buttons.length)).toEqual([2])
  expect(inThread(id)[0]?.text).toMatch(/\]\(http[^)]*\/docs\/docwright\/[^)]*\)/)
  await say('And how do I back it up?', { thread: id })
  await expect.poll(() => inThread(id).filter(({ buttons }) => buttons.length === 2).length).toBe(2)
  teams.withApp.add(ann.id)
  await press(inThread(id)[0], 'Helpful')
  await expect.poll(() => toldTo(ann)).toContain('Thanks for your feedback.')
  expect(inThread(id).length).toBe(2)
  const threads = await chat.request('GET', `/v2/insights/${chat.welcome.projectId}/threads`)
  expect(await threads.json()).toMatchObject({ threads: [{ questions: 2 }] })
})

it('answers questions that come out of order, each once', async () => {
  const ids = Array.from({ length: 12 }, newId)
  const shuffled = [...ids, ...ids].toSorted((a, b) => (a.slice(-1) < b.slice(-1) ? 1 : -1))
  await Promise.all(shuffled.map((id) => say(question, { id })))
  await expect
    .poll(() => ids.map((id) => inThread(id).filter(({ buttons }) => buttons.length === 2).length), {
      timeout: 60_000,
    })
    .toEqual(ids.map(() => 1))
  expect(ids.flatMap(inThread).length).toBe(ids.length)
})

it('waits when Teams says that calls are too many', async () => {
  teams.limited = { path: 'POST /emea', times: 3 }
  const id = await say(question)
  await expect.poll(() => inThread(id).map(({ buttons }) => buttons.length)).toEqual([2])
  expect(teams.limited.times).toBe(0)
})

it('takes changes only from people whose account may, and shows the job to its merge', async () => {
  const prompt = 'replace "Docwright" with "Docwright server" in the quickstart page'
  const first = await say(prompt)
  await expect
    .poll(() => inThread(first).map(({ text }) => text))
    .toEqual([expect.stringContaining('Link your account first')])
  await say('link')
  await expect.poll(() => toldTo(ann).join()).toMatch(/account\/chat\?token=/)
  const [, token = ''] = /token=(\w+)/.exec(toldTo(ann).join()) ?? []
  const { cookie, csrf } = await chat.signUp('editor', 'Ann')
  const linked = await chat.server.request('POST', '/admin/account/chat', {
    body: { token },
    headers: { cookie, 'x-csrf-token': csrf },
  })
  expect([linked.status, await linked.json()]).toEqual([200, { workspace: 'Microsoft Teams', member: 'Ann' }])
  const id = await say(prompt)
  const shown = (): TeamsMessage | undefined => inThread(id)[0]
  await expect.poll(() => shown()?.buttons.map(({ label }) => label)).toContain('Merge')
  expect(inThread(id).length).toBe(1)
  // Nothing of what is Bob’s alone is said where all read it.
  await press(shown(), 'Merge', bob)
  await expect
    .poll(() =>
      inThread(id)
        .map(({ text }) => text)
        .join(),
    )
    .toContain('write to you in private')
  teams.withApp.add(bob.id)
  await press(shown(), 'Merge', bob)
  await expect.poll(() => toldTo(bob).join()).toContain('Link your account first')
  await press(shown(), 'Merge')
  await expect.poll(() => shown()?.text).toContain('Merged')
})

it('lets a viewer ask and start nothing', async () => {
  await say('link', { author: bob, personal: true })
  await expect.poll(() => toldTo(bob).join()).toMatch(/account\/chat\?token=/)
  const [, token = ''] = /token=(\w+)/.exec(toldTo(bob).join()) ?? []
  const { cookie, csrf } = await chat.signUp('viewer', 'Bob')
  await chat.server.request('POST', '/admin/account/chat', {
    body: { token },
    headers: { cookie, 'x-csrf-token': csrf },
  })
  const refused = await say('change the quickstart page', { author: bob })
  await expect
    .poll(() => inThread(refused).map(({ text }) => text))
    .toEqual([expect.stringContaining('Your account can’t do that')])
  const asked = await say(question, { author: bob })
  await expect.poll(() => inThread(asked).map(({ buttons }) => buttons.length)).toEqual([2])
})

it('says that it cannot read a thread when it is to document one', async () => {
  const id = await say('document what was decided here')
  await expect
    .poll(() => inThread(id).map(({ text }) => text))
    .toEqual([expect.stringContaining('can’t read what others wrote')])
})

it('says nothing of a private project to a channel, and answers those who may read it alone', async () => {
  const settings = '/admin/projects/docwright/settings'
  expect((await chat.request('PATCH', settings, { visibility: 'signed-in' })).status).toBe(200)
  const id = await say(question)
  await expect.poll(() => inThread(id).map(({ text }) => text)).toEqual([expect.stringContaining('private')])
  const eve = { id: '29:eve', name: 'Eve' }
  await say(question, { author: eve, personal: true })
  await expect.poll(() => toldTo(eve)).toEqual([expect.stringContaining('Link your account first')])
  const before = toldTo(ann).length
  await say(question, { personal: true })
  await expect.poll(() => toldTo(ann).slice(before).join()).toMatch(/\]\(http[^)]*\/docs\/docwright\//)
  expect((await chat.request('PATCH', settings, { visibility: 'public' })).status).toBe(200)
})

it('answers once when the server is killed while Teams has not answered an edit', async () => {
  teams.unanswered = 'PUT /emea'
  const before = teams.calls.filter((one) => one.startsWith('PUT')).length
  const id = await say(question)
  await expect.poll(() => teams.calls.filter((one) => one.startsWith('PUT')).length).toBeGreaterThan(before)
  await restartKilled()
  await expect.poll(() => inThread(id).map(({ buttons }) => buttons.length)).toEqual([2])
})

it('answers a question that was kept when the server is killed before it posts', async () => {
  teams.limited = { path: 'POST /emea', times: 1000 }
  const id = await say(question)
  await restartKilled()
  teams.limited = undefined
  await expect.poll(() => inThread(id).map(({ buttons }) => buttons.length), { timeout: 60_000 }).toEqual([2])
})

it('posts in a chosen channel, until the app is removed from it, and forgets a member who removes it', async () => {
  const listed = (await (await chat.request('GET', chat.workspaces)).json()) as {
    workspaces: { id: string }[]
  }
  const path = `${chat.workspaces}/${listed.workspaces[0]?.id ?? ''}/channels`
  const set = { name: 'General', asks: 'anyone', answers: 'mentions', posts: 'everything' }
  expect((await chat.request('POST', `${path}/C1`, set)).status).toBe(400)
  expect((await chat.request('POST', `${path}/${encodeURIComponent(channel)}`, set)).status).toBe(200)
  const prompt = 'replace "Docwright" with "Docwright itself" in the quickstart page'
  const started = await chat.server.request('POST', `/v2/agent/${chat.welcome.projectId}/job`, {
    key: chat.welcome.adminKey,
    body: { prompt },
  })
  expect(started.ok, await started.clone().text()).toBe(true)
  const opened = (): TeamsMessage | undefined =>
    teams.messages.find(({ text }) => text.startsWith('**Pull request opened**: ['))
  await expect.poll(opened).toBeDefined()
  expect(opened()?.conversation).toBe(`${channel};messageid=${opened()?.id}`)
  const left = (said: Said): object =>
    activity({ type: 'installationUpdate', action: 'remove', id: undefined }, said)
  expect(await send(left({}))).toBe(200)
  const after = (await (await chat.request('GET', chat.workspaces)).json()) as {
    workspaces: { channels: unknown[] }[]
  }
  expect(after.workspaces.map(({ channels }) => channels)).toEqual([[]])
  expect(await send(left({ personal: true }))).toBe(200)
  const id = await say('change the quickstart page')
  await expect
    .poll(() => inThread(id).map(({ text }) => text))
    .toEqual([expect.stringContaining('Link your account first')])
})
