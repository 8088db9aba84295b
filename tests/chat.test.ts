import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ChatServer } from './chat-server.ts'
import { readProject, runCommand } from './server.ts'
import {
  signedCall,
  slackAppToken,
  slackBot,
  slackSecret,
  slackToken,
  startSlack,
  type PostedMessage,
  type SlackServer,
} from './worlds/slack-server.ts'

let chat: ChatServer
let slack: SlackServer
const channel = 'C00000001'
let clock = 1_700_000_000
/** Another project, which a test adds. */
let second = ''

beforeAll(async () => {
  slack = await startSlack()
  chat = await ChatServer.start({ DOCWRIGHT_SLACK_API: slack.url })
  const connected = await chat.request('POST', chat.workspaces, {
    botToken: slackToken,
    signingSecret: slackSecret,
  })
  expect(connected.status).toBe(201)
  const { id, name, eventsUrl } = (await connected.json()) as Record<string, string>
  expect(name).toBe('Acme')
  expect(eventsUrl).toBe(`${chat.server.url}/chats/${id}/events`)
  chat.events = String(eventsUrl)
})
afterAll(async () => {
  await chat[Symbol.asyncDispose]()
  await slack[Symbol.asyncDispose]()
})

const restartKilled = (): Promise<void> => chat.killAndRestart(() => slack.unanswered.clear())

interface Said {
  user?: string
  place?: string
  thread?: string
  type?: 'message' | 'app_mention'
  ts?: string
}

/** Sends what a member wrote, as Slack does. @returns the message's time, which is its id */
async function say(
  text: string,
  { user = 'UANN', place = channel, thread, type = 'app_mention', ts = newTs() }: Said = {},
): Promise<string> {
  const event = {
    type,
    channel: place,
    user,
    text,
    ts,
    ...(thread !== undefined && { thread_ts: thread }),
    ...(type === 'message' && { channel_type: place.startsWith('D') ? 'im' : 'channel' }),
  }
  const sent = await fetch(
    chat.events,
    signedCall({ type: 'event_callback', team_id: 'T0001', event_id: `Ev${ts}${type}`, event }),
  )
  expect([sent.status, await sent.text()]).toEqual([200, ''])
  return ts
}

const newTs = (): string => `${++clock}.000200`

async function press(message: PostedMessage, label: string, user = 'UANN'): Promise<void> {
  const button = message.buttons.find((one) => one.label === label)
  expect(button, `${label} of ${JSON.stringify(message.buttons)}`).toBeDefined()
  const payload = {
    type: 'block_actions',
    trigger_id: `press ${newTs()}`,
    team: { id: 'T0001' },
    user: { id: user, username: user.toLowerCase(), name: user.toLowerCase() },
    channel: { id: message.channel, name: 'docs' },
    container: {
      type: 'message',
      message_ts: message.ts,
      channel_id: message.channel,
      thread_ts: message.thread,
    },
    message: { ts: message.ts, thread_ts: message.thread, text: message.text },
    actions: [{ type: 'button', action_id: button?.id, value: button?.value, block_id: 'b' }],
  }
  const sent = await fetch(chat.events, signedCall(new URLSearchParams({ payload: JSON.stringify(payload) })))
  expect(sent.status).toBe(200)
}

async function command(text: string, user = 'UANN', place = channel): Promise<void> {
  const form = {
    command: '/docwright',
    text,
    user_id: user,
    user_name: user.toLowerCase(),
    channel_id: place,
    channel_name: 'docs',
    team_id: 'T0001',
    trigger_id: `command ${newTs()}`,
  }
  expect((await fetch(chat.events, signedCall(new URLSearchParams(form)))).status).toBe(200)
}

const inThread = (thread: string): PostedMessage[] =>
  slack.messages.filter((one) => one.thread === thread && one.for === undefined)
const onlySeenBy = (user: string): PostedMessage[] => slack.messages.filter((one) => one.for === user)

it('refuses what Slack has not signed, and what is old', async () => {
  const body = { type: 'url_verification', challenge: 'c' }
  const statusOf = async (call: RequestInit): Promise<number> => (await fetch(chat.events, call)).status
  expect(await statusOf(signedCall(body, { secret: 'another' }))).toBe(401)
  expect(await statusOf(signedCall(body, { age: 600 }))).toBe(401)
  expect(await statusOf({ method: 'POST', body: '{}' })).toBe(401)
  const verified = await fetch(chat.events, signedCall(body))
  expect([verified.status, await verified.text()]).toEqual([200, 'c'])
  expect((await fetch(`${chat.server.url}/chats/cht_none/events`, signedCall(body))).status).toBe(401)
})

it('answers a question once, with links, however often it is told', async () => {
  const ts = newTs()
  const question = `<@${slackBot}> Where is the data folder?`
  for (const type of ['message', 'app_mention', 'app_mention', 'message'] as const)
    await say(question, { ts, type })
  await expect.poll(() => inThread(ts).map(({ buttons }) => buttons.length)).toEqual([2])
  const [answer] = inThread(ts)
  expect(answer?.text).toMatch(/<http[^|>]*\/docs\/docwright\/[^|>]*\|[^>]+>/)
  await say('And how do I back it up?', { thread: ts, type: 'message' })
  await expect.poll(() => inThread(ts).filter(({ buttons }) => buttons.length === 2).length).toBe(2)
  // What others say to each other in the thread is left alone, and not kept.
  await say('Lunch?', { thread: ts, type: 'message', user: 'UBOB' })
  await say('Nobody asks the app', { type: 'message' })
  if (answer) await press(answer, 'Helpful')
  await expect.poll(() => onlySeenBy('UANN').map(({ text }) => text)).toContain('Thanks for your feedback.')
  expect(inThread(ts).length).toBe(2)
  const threads = await chat.request('GET', `/v2/insights/${chat.welcome.projectId}/threads`)
  expect(await threads.json()).toMatchObject({
    threads: [{ questions: 2, lastQuestion: 'And how do I back it up?' }],
  })
})

it('answers a command where it was given, and lists what it can do', async () => {
  await command('ask How do I start the server?')
  await expect
    .poll(() =>
      slack.messages.find(
        ({ text, thread, buttons }) =>
          thread === undefined && buttons.length > 0 && text.includes('How do I start the server?'),
      ),
    )
    .toBeDefined()
  await command('')
  await expect
    .poll(() =>
      onlySeenBy('UANN')
        .map(({ text }) => text)
        .join(),
    )
    .toContain('/docwright link')
})

it('takes changes only from people whose account may, and shows the job to its merge', async () => {
  const prompt = `<@${slackBot}> replace "Docwright" with "Docwright server" in the quickstart page`
  const first = await say(prompt)
  await expect
    .poll(() => inThread(first).map(({ text }) => text))
    .toEqual([expect.stringContaining('Link your account first')])
  await command('link')
  await expect.poll(() => onlySeenBy('UANN').at(-1)?.text ?? '').toMatch(/account\/chat\?token=/)
  const [, token = ''] = /token=(\w+)/.exec(onlySeenBy('UANN').at(-1)?.text ?? '') ?? []
  const { cookie, csrf } = await chat.signUp('editor', 'Ann')
  const linked = await chat.server.request('POST', '/admin/account/chat', {
    body: { token },
    headers: { cookie, 'x-csrf-token': csrf },
  })
  expect([linked.status, await linked.json()]).toEqual([200, { workspace: 'Acme', member: 'Member UANN' }])
  const again = await chat.server.request('POST', '/admin/account/chat', {
    body: { token },
    headers: { cookie, 'x-csrf-token': csrf },
  })
  expect(again.status).toBe(404)
  const ts = await say(prompt)
  const shown = (): PostedMessage | undefined => inThread(ts)[0]
  await expect.poll(() => shown()?.buttons.map(({ label }) => label)).toContain('Merge')
  expect(shown()?.text).toContain('Open')
  expect(inThread(ts).length).toBe(1)
  const message = shown()
  // Another member may look, and not merge.
  if (message) await press(message, 'Merge', 'UBOB')
  await expect
    .poll(() =>
      onlySeenBy('UBOB')
        .map(({ text }) => text)
        .join(),
    )
    .toContain('Link your account first')
  if (message) await press(message, 'Merge')
  await expect.poll(() => shown()?.text).toContain('Merged')
  const jobs = (await (await chat.request('GET', `/v2/agent/${chat.welcome.projectId}/jobs`)).json()) as {
    jobs: unknown[]
  }
  expect(jobs.jobs).toMatchObject([{ createdBy: { kind: 'person', name: 'Ann' } }])
  const audit = JSON.stringify(await (await chat.request('GET', '/admin/audit')).json())
  for (const verb of ['createJob', 'mergePullRequest', 'linkChatAccount']) expect(audit).toContain(verb)
})

it('says nothing of a private project to a channel, before its team allows that', async () => {
  const project = `/admin/projects/docwright`
  expect((await chat.request('PATCH', `${project}/settings`, { visibility: 'signed-in' })).status).toBe(200)
  const ts = await say(`<@${slackBot}> Where is the data folder?`)
  await expect.poll(() => inThread(ts).map(({ text }) => text)).toEqual([expect.stringContaining('private')])
  // Alone with somebody who may read it, it answers.
  const direct = await say('Where is the data folder?', { place: 'D0000000A', type: 'message' })
  const inDirect = (): PostedMessage[] => slack.messages.filter(({ channel: place }) => place === 'D0000000A')
  await expect.poll(() => inDirect().at(-1)?.buttons.length, { message: direct }).toBe(2)
  await say('Where is the data folder?', { place: 'D0000000B', type: 'message', user: 'UBOB' })
  await expect
    .poll(() => slack.messages.filter(({ channel: place }) => place === 'D0000000B').map(({ text }) => text))
    .toEqual([expect.stringContaining('Link your account first')])
  const listed = (await (await chat.request('GET', chat.workspaces)).json()) as {
    workspaces: { id: string; events: unknown[] }[]
  }
  const id = listed.workspaces[0]?.id ?? ''
  const allowed = await chat.request('POST', `${chat.workspaces}/${id}/channels/${channel}`, {
    name: '#docs',
    asks: 'anyone',
    answers: 'everything',
  })
  expect(allowed.status).toBe(200)
  const open = await say('Where is the data folder?', { type: 'message' })
  await expect.poll(() => inThread(open).map(({ buttons }) => buttons.length)).toEqual([2])
  expect((await chat.request('PATCH', `${project}/settings`, { visibility: 'public' })).status).toBe(200)
})

it('is about the project of a channel there, with its rules', async () => {
  const location = join(chat.server.dataFolder, 'repositories', 'docwright.git')
  const created = await chat.request('POST', '/admin/projects', { location, domain: 'second' })
  expect(created.status).toBe(201)
  ;({ id: second } = (await created.json()) as { id: string })
  await expect
    .poll(async () => (await readProject(chat.server, 'second')).sync.state, { timeout: 120_000 })
    .toBe('ready')
  const asked = `<@${slackBot}> Where is the data folder?`
  const set = async (body: object): Promise<Response> => {
    const listed = (await (await chat.request('GET', chat.workspaces)).json()) as {
      workspaces: { id: string }[]
    }
    return chat.request('POST', `${chat.workspaces}/${listed.workspaces[0]?.id ?? ''}/channels/C00000002`, {
      name: '#second',
      asks: 'anyone',
      answers: 'mentions',
      ...body,
    })
  }
  expect((await set({ project: 'nobody-has-this' })).status).toBe(404)
  const saved = await set({ project: 'second', changes: 'nobody' })
  expect(await saved.json()).toMatchObject({
    channels: [{ project: 'docwright' }, { project: 'second', changes: 'nobody', posts: 'nothing' }],
  })
  const first = await say(asked, { place: 'C00000002' })
  await expect.poll(() => inThread(first)[0]?.buttons.length).toBe(2)
  expect(inThread(first)[0]?.text).toContain('/docs/second/')
  const change = await say(`<@${slackBot}> change the quickstart`, { place: 'C00000002' })
  await expect
    .poll(() => inThread(change).map(({ text }) => text))
    .toEqual(['Changes are turned off in this channel.'])
  // What is left out stays.
  expect((await set({ answers: 'quiet' })).status).toBe(200)
  await say('And how do I back it up?', { place: 'C00000002', thread: first, type: 'message' })
  // A thread goes on where its channel is about another project now, with nothing of the one before.
  expect((await set({ project: 'docwright', answers: 'quiet' })).status).toBe(200)
  await say(asked, { place: 'C00000002', thread: first })
  await expect.poll(() => inThread(first).filter(({ buttons }) => buttons.length === 2).length).toBe(2)
  expect(inThread(first).at(-1)?.text).toContain('/docs/docwright/')
  expect(inThread(first).length).toBe(2)
  const threads = await chat.request('GET', `/v2/insights/${second}/threads`)
  expect(await threads.json()).toMatchObject({ threads: [{ questions: 1 }] })
})

it.each(['chat.postMessage', 'chat.update'])(
  'answers once when the server is killed while Slack has not answered %s',
  async (method) => {
    slack.unanswered.add(method)
    const before = slack.calls.filter((one) => one === method).length
    const ts = await say(`<@${slackBot}> Where is the data folder?`)
    await expect.poll(() => slack.calls.filter((one) => one === method).length).toBeGreaterThan(before)
    await restartKilled()
    await expect.poll(() => inThread(ts).map(({ buttons }) => buttons.length)).toEqual([2])
  },
)

it('posts in a chosen channel what happens to jobs, once, also when the server is killed meanwhile', async () => {
  const listed = (await (await chat.request('GET', chat.workspaces)).json()) as {
    workspaces: { id: string }[]
  }
  const set = { name: '#changes', asks: 'nobody', answers: 'mentions', posts: 'everything' }
  const saved = await chat.request(
    'POST',
    `${chat.workspaces}/${listed.workspaces[0]?.id ?? ''}/channels/C00000003`,
    set,
  )
  expect(saved.status).toBe(200)
  const posted = (): PostedMessage[] => slack.messages.filter(({ channel: place }) => place === 'C00000003')
  slack.unanswered.add('chat.postMessage')
  const prompt = 'replace "Docwright" with "Docwright itself" in the quickstart page'
  const started = await chat.server.request('POST', `/v2/agent/${chat.welcome.projectId}/job`, {
    key: chat.welcome.adminKey,
    body: { prompt },
  })
  expect(started.ok, await started.clone().text()).toBe(true)
  await expect.poll(() => posted().length, { timeout: 60_000 }).toBe(1)
  await restartKilled()
  const [opened] = posted()
  expect(opened?.text).toMatch(/^\*Pull request opened\*: <http/)
  const [, number = ''] = /\|#(\d+)>/.exec(opened?.text ?? '') ?? []
  const merged = await chat.request('POST', `/admin/projects/docwright/pulls/${number}/merge`, {})
  expect(merged.ok, await merged.clone().text()).toBe(true)
  await expect.poll(() => posted().length, { timeout: 120_000 }).toBe(2)
  expect(posted()[1]).toMatchObject({
    thread: opened?.ts,
    text: expect.stringMatching(/^\*Pull request merged\*/) as string,
  })
}, 240_000)

it('answers what comes over a socket, where Slack cannot call the server', async () => {
  const path = `/v2/chat/${second}/workspaces`
  const tokens = { botToken: slackToken, appToken: slackAppToken }
  expect((await chat.request('POST', path, { botToken: slackToken })).status).toBe(400)
  const connected = (await (await chat.request('POST', path, tokens)).json()) as { id: string }
  await expect.poll(() => slack.sockets(), { timeout: 60_000 }).toBe(1)
  const ts = newTs()
  const event = { type: 'message', channel: 'D0000000S', channel_type: 'im', user: 'UANN', ts }
  const payload = {
    type: 'event_callback',
    team_id: 'T0001',
    event: { ...event, text: 'Where is the data folder?' },
  }
  // The project is private, so that a member without a linked account gets no answer. Sent twice, as when the
  // acknowledgement was lost.
  for (const id of ['one', 'two']) slack.send({ type: 'events_api', envelope_id: id, payload })
  const command = {
    command: '/docwright',
    text: 'help',
    user_id: 'UANN',
    user_name: 'ann',
    channel_id: 'D0000000S',
  }
  const form = { ...command, channel_name: 'directmessage', team_id: 'T0001', trigger_id: 'over a socket' }
  slack.send({ type: 'slash_commands', envelope_id: 'three', payload: form })
  const direct = (): PostedMessage[] => slack.messages.filter(({ channel: place }) => place === 'D0000000S')
  await expect
    .poll(() =>
      direct().map(({ text, buttons, for: only }) => [
        buttons.length,
        only,
        text.includes('/docwright link'),
      ]),
    )
    .toEqual(
      expect.arrayContaining([
        [0, undefined, true],
        [0, 'UANN', true],
      ]),
    )
  expect(direct().length).toBe(2)
  expect(slack.acknowledged.toSorted()).toEqual(['one', 'three', 'two'])
  // Another process takes the socket over from one that was killed.
  await restartKilled()
  await expect.poll(() => slack.sockets(), { timeout: 60_000 }).toBe(1)
  expect((await chat.request('DELETE', `${path}/${connected.id}`)).status).toBe(200)
  await expect.poll(() => slack.sockets()).toBe(0)
}, 240_000)

it('is listed and disconnected by the terminal, and deletes its tokens', async () => {
  const { stdout } = await runCommand(chat.server.dataFolder, 'chat', 'list', '--project', 'docwright')
  expect(stdout).toContain('Acme')
  const doctor = await runCommand(chat.server.dataFolder, 'doctor')
  expect(doctor.stdout).toContain('✓ chat Acme of docwright: the token works and has all scopes')
  const [id = ''] = /cht_\S+/.exec(stdout) ?? []
  expect(
    (await runCommand(chat.server.dataFolder, 'chat', 'disconnect', id, '--project', 'docwright')).code,
  ).toBe(0)
  expect((await fetch(chat.events, signedCall({ type: 'url_verification', challenge: 'c' }))).status).toBe(
    401,
  )
})
