import { afterAll, beforeAll, expect, it } from 'vitest'
import { ChatServer } from './chat-server.ts'
import { runCommand } from './server.ts'
import {
  discordBot,
  discordGuild,
  discordToken,
  startDiscord,
  type DiscordMessage,
  type DiscordServer,
} from './worlds/discord-server.ts'

let chat: ChatServer
let discord: DiscordServer
const channel = '600000000000000001'
const ann = { id: '500000000000000001', username: 'ann', global_name: 'Ann' }
const bob = { id: '500000000000000002', username: 'bob' }
const question = `<@${discordBot}> Where is the data folder?`
const bot = { id: discordBot, username: 'docwright', bot: true }
let clock = 0

beforeAll(async () => {
  discord = await startDiscord()
  discord.channels.set(channel, { id: channel, type: 0 })
  chat = await ChatServer.start({ DOCWRIGHT_DISCORD_API: discord.url })
})
afterAll(async () => {
  await chat[Symbol.asyncDispose]()
  await discord[Symbol.asyncDispose]()
})

const restartKilled = (meanwhile = (): void => undefined): Promise<void> =>
  chat.killAndRestart(async () => {
    discord.unanswered = undefined
    await expect.poll(() => discord.sockets()).toBe(0)
    meanwhile()
  })

const newId = (): string => String((BigInt(Date.now() - 1_420_070_400_000) << 22n) + BigInt(++clock))

/** Sends what a member wrote, as Discord does. @returns the message’s id, which its thread gets */
function say(
  content: string,
  {
    place = channel,
    author = ann,
    guild = discordGuild,
  }: { place?: string; author?: object; guild?: string } = {},
): string {
  const id = newId()
  const mentions = content.includes(`<@${discordBot}>`) ? [bot] : []
  const inGuild = guild === '' ? {} : { guild_id: guild, member: {} }
  discord.send('MESSAGE_CREATE', { id, type: 0, channel_id: place, content, author, mentions, ...inGuild })
  return id
}

function interact(
  data: object,
  { message, user = ann }: { message?: DiscordMessage; user?: object } = {},
): string {
  const id = newId()
  discord.send('INTERACTION_CREATE', {
    id,
    application_id: discordBot,
    type: message ? 3 : 2,
    token: `token-${id}`,
    guild_id: discordGuild,
    channel: discord.channels.get(message?.channel ?? channel),
    member: { user },
    ...(message && { message: { id: message.id } }),
    data,
  })
  return `token-${id}`
}

function press(message: DiscordMessage | undefined, label: string, user = ann): string {
  const custom = message?.buttons.find((one) => one.label === label)?.custom
  expect(custom, `${label} of ${JSON.stringify(message)}`).toBeDefined()
  return interact({ custom_id: custom }, { ...(message && { message }), user })
}

const command = (name: string, text?: string, user = ann): string =>
  interact(
    {
      name: 'docwright',
      options: [
        { type: 1, name, options: text === undefined ? [] : [{ type: 3, name: 'text', value: text }] },
      ],
    },
    { user },
  )

const inThread = (thread: string): DiscordMessage[] =>
  discord.messages.filter((one) => one.channel === thread)
const toldTo = (token: string): string[] =>
  discord.answers.filter((one) => one.token === token).map(({ text }) => text)

it('is connected by its token alone, and says what the bot may not do', async () => {
  discord.flags = 0
  const wrong = await chat.request('POST', chat.workspaces, { platform: 'discord', botToken: 'another' })
  expect([wrong.status, await wrong.text()]).toEqual([400, expect.stringContaining('Discord refused')])
  const connected = await chat.request('POST', chat.workspaces, {
    platform: 'discord',
    botToken: discordToken,
  })
  expect(connected.status, await connected.clone().text()).toBe(201)
  expect(await connected.json()).toMatchObject({ platform: 'discord', name: 'Acme', eventsUrl: null })
  expect(discord.commands).toMatchObject([
    { name: 'docwright', options: [{ name: 'ask' }, { name: 'change' }, {}, {}, {}, {}] },
  ])
  await expect.poll(() => discord.sockets(), { timeout: 60_000 }).toBe(1)
  const doctor = await runCommand(chat.server.dataFolder, 'doctor')
  expect(doctor.stdout).toContain('Message Content Intent is off')
  discord.flags = 1 << 19
})

it('answers a mention once, in a thread of its own, however often it is told', async () => {
  const id = say(question)
  discord.repeat()
  await expect.poll(() => inThread(id).map(({ buttons }) => buttons.length)).toEqual([2])
  expect(inThread(id)[0]?.text).toMatch(/\]\(http[^)]*\/docs\/docwright\/[^)]*\)/)
  say('And how do I back it up?', { place: id })
  await expect.poll(() => inThread(id).filter(({ buttons }) => buttons.length === 2).length).toBe(2)
  // What others say in the thread, nobody to the app, or another server, is left alone.
  say('Lunch?', { place: id, author: bob })
  say('Nobody asks the app')
  say(question, { guild: '800000000000000009' })
  const token = press(inThread(id)[0], 'Helpful')
  await expect.poll(() => toldTo(token)).toEqual(['Thanks for your feedback.'])
  expect(inThread(id).length).toBe(2)
  expect(discord.acknowledged.map(([, type]) => type)).toEqual([6])
  const threads = await chat.request('GET', `/v2/insights/${chat.welcome.projectId}/threads`)
  expect(await threads.json()).toMatchObject({ threads: [{ questions: 2 }] })
})

it('waits when Discord says that calls are too many', async () => {
  discord.limited = { path: 'POST /channels', times: 3 }
  const id = say(question)
  await expect.poll(() => inThread(id).map(({ buttons }) => buttons.length)).toEqual([2])
  expect(discord.limited.times).toBe(0)
})

it('answers a command in its channel, and tells its member alone what is theirs', async () => {
  const asked = command('ask', 'How do I start the server?')
  const posted = (): DiscordMessage | undefined =>
    inThread(channel).find(({ text, buttons }) => buttons.length > 0 && text.includes('**Ann**'))
  await expect.poll(posted).toBeDefined()
  expect(toldTo(asked)).toEqual([])
  expect(discord.calls).toContain(`DELETE /webhooks/${discordBot}/${asked}/messages/@original`)
  const helped = command('help')
  await expect.poll(() => toldTo(helped).join()).toContain('/docwright link')
  // As a message, it is told in a direct message.
  say(`<@${discordBot}> link`, { author: bob })
  await expect
    .poll(() =>
      inThread(`7${bob.id}`)
        .map(({ text }) => text)
        .join(),
    )
    .toMatch(/account\/chat/)
})

it('takes changes only from people whose account may, and shows the job to its merge', async () => {
  const prompt = `<@${discordBot}> replace "Docwright" with "Docwright server" in the quickstart page`
  const first = say(prompt)
  await expect
    .poll(() => inThread(first).map(({ text }) => text))
    .toEqual([expect.stringContaining('Link your account first')])
  const linking = command('link')
  await expect.poll(() => toldTo(linking).join()).toMatch(/account\/chat\?token=/)
  const [, token = ''] = /token=(\w+)/.exec(toldTo(linking).join()) ?? []
  const { cookie, csrf } = await chat.signUp('editor', 'Ann')
  const linked = await chat.server.request('POST', '/admin/account/chat', {
    body: { token },
    headers: { cookie, 'x-csrf-token': csrf },
  })
  expect([linked.status, await linked.json()]).toEqual([200, { workspace: 'Acme', member: 'Ann' }])
  const id = say(prompt)
  const shown = (): DiscordMessage | undefined => inThread(id)[0]
  await expect.poll(() => shown()?.buttons.map(({ label }) => label)).toContain('Merge')
  expect(inThread(id).length).toBe(1)
  const refused = press(shown(), 'Merge', { ...bob, global_name: 'Bob' })
  await expect.poll(() => toldTo(refused).join()).toContain('Link your account first')
  press(shown(), 'Merge')
  await expect.poll(() => shown()?.text).toContain('Merged')
})

it('says nothing of a private project to a channel, and answers those who may read it alone', async () => {
  const settings = '/admin/projects/docwright/settings'
  expect((await chat.request('PATCH', settings, { visibility: 'signed-in' })).status).toBe(200)
  const id = say(question)
  await expect.poll(() => inThread(id).map(({ text }) => text)).toEqual([expect.stringContaining('private')])
  const [annDirect, bobDirect] = ['700000000000000001', '700000000000000002']
  for (const one of [annDirect, bobDirect]) discord.channels.set(one, { id: one, type: 1 })
  say('Where is the data folder?', { place: annDirect, guild: '' })
  await expect.poll(() => inThread(annDirect).map(({ buttons }) => buttons.length)).toEqual([2])
  say('Where is the data folder?', { place: bobDirect, author: bob, guild: '' })
  await expect
    .poll(() => inThread(bobDirect).map(({ text }) => text))
    .toEqual([expect.stringContaining('Link your account first')])
  expect((await chat.request('PATCH', settings, { visibility: 'public' })).status).toBe(200)
})

it.each(['POST /channels', 'PATCH /channels'])(
  'answers once when the server is killed while Discord has not answered %s',
  async (call) => {
    discord.unanswered = call
    const before = discord.calls.filter((one) => one.startsWith(call)).length
    const id = say(question)
    await expect
      .poll(() => discord.calls.filter((one) => one.startsWith(call)).length)
      .toBeGreaterThan(before)
    await restartKilled()
    await expect.poll(() => inThread(id).map(({ buttons }) => buttons.length)).toEqual([2])
  },
)

it('answers what was written while no server ran', async () => {
  const before = discord.resumed
  let id = ''
  await restartKilled(() => {
    id = say(question)
  })
  await expect.poll(() => inThread(id).map(({ buttons }) => buttons.length)).toEqual([2])
  expect(discord.resumed).toBeGreaterThan(before)
})

it('posts in a chosen channel, and forgets a server that the bot was removed from', async () => {
  const listed = (await (await chat.request('GET', chat.workspaces)).json()) as {
    workspaces: { id: string }[]
  }
  const path = `${chat.workspaces}/${listed.workspaces[0]?.id ?? ''}/channels`
  const set = { name: '#changes', asks: 'nobody', answers: 'mentions', posts: 'everything' }
  expect((await chat.request('POST', `${path}/C1`, set)).status).toBe(400)
  const changes = '600000000000000003'
  discord.channels.set(changes, { id: changes, type: 0 })
  expect((await chat.request('POST', `${path}/${changes}`, set)).status).toBe(200)
  const prompt = 'replace "Docwright" with "Docwright itself" in the quickstart page'
  const started = await chat.server.request('POST', `/v2/agent/${chat.welcome.projectId}/job`, {
    key: chat.welcome.adminKey,
    body: { prompt },
  })
  expect(started.ok, await started.clone().text()).toBe(true)
  await expect
    .poll(() => inThread(changes).map(({ text }) => text))
    .toEqual([expect.stringMatching(/^\*\*Pull request opened\*\*: \[/)])
  discord.send('GUILD_DELETE', { id: discordGuild })
  await expect
    .poll(
      async () =>
        ((await (await chat.request('GET', chat.workspaces)).json()) as { workspaces: unknown[] }).workspaces,
    )
    .toEqual([])
  await expect.poll(() => discord.sockets()).toBe(0)
})
