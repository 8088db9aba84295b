import { readFile, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createTestDatabase } from '../prepared-stores.ts'
import { startServer } from '../server.ts'
import { googleNumber, startGoogle } from '../worlds/google-server.ts'
import { signedCall, slackBot, slackSecret, slackToken, startSlack } from '../worlds/slack-server.ts'
import { startTeams, teamsApp, teamsSecret, teamsTenant } from '../worlds/teams-server.ts'

const count = 200

/** A message of the app, in the thread that an event of a member has begun. */
interface Reply {
  event: number
  hasButtons: boolean
}

/** A platform that calls servers. */
interface Platform extends AsyncDisposable {
  environment: Record<string, string>
  connection: object
  /** How it tells of the event with a number, for the time with another one. */
  callOf(event: number, text: string, time: number): Promise<RequestInit>
  replies(): Reply[]
  /** Replies that may come twice, because the platform has no key for calls. */
  mayRepeat: number
}

async function slackPlatform(): Promise<Platform> {
  const slack = await startSlack()
  const tsOf = (event: number): string => `1700000${String(event).padStart(3, '0')}.000200`
  return {
    environment: { DOCWRIGHT_SLACK_API: slack.url },
    connection: { botToken: slackToken, signingSecret: slackSecret },
    callOf(event, text, time) {
      const type = time % 3 === 0 ? 'message' : 'app_mention'
      const place = { channel: 'C00000001', channel_type: 'channel', user: 'UANN', ts: tsOf(event) }
      const message = { type, ...place, text: `<@${slackBot}> ${text}` }
      const body = { type: 'event_callback', team_id: 'T0001', event_id: `Ev${time}`, event: message }
      return Promise.resolve(signedCall(body))
    },
    replies: () =>
      slack.messages.map(({ thread, buttons }) => ({
        event: Number(thread?.slice(7, 10)),
        hasButtons: buttons.length > 0,
      })),
    mayRepeat: 0,
    [Symbol.asyncDispose]: () => slack[Symbol.asyncDispose](),
  }
}

async function googlePlatform(): Promise<Platform> {
  const google = await startGoogle()
  return {
    environment: google.environment,
    connection: { platform: 'google-chat', appId: googleNumber, botToken: google.accountKey },
    async callOf(event, text, time) {
      const thread = { name: `spaces/AAAAroom/threads/E${event}` }
      const body = {
        type: 'MESSAGE',
        eventTime: new Date(time).toISOString(),
        user: { name: 'users/1001', displayName: 'Ann', type: 'HUMAN' },
        space: { name: 'spaces/AAAAroom', spaceType: 'SPACE', spaceThreadingState: 'THREADED_MESSAGES' },
        message: { name: `spaces/AAAAroom/messages/E${event}.E${event}`, text, argumentText: text, thread },
        thread,
      }
      const headers = { authorization: `Bearer ${await google.sign()}`, 'content-type': 'application/json' }
      return { method: 'POST', headers, body: JSON.stringify(body) }
    },
    replies: () =>
      google.messages.map(({ thread, buttons }) => ({
        event: Number(thread.slice(thread.lastIndexOf('/E') + 2)),
        hasButtons: buttons.length > 0,
      })),
    mayRepeat: 0,
    [Symbol.asyncDispose]: () => google[Symbol.asyncDispose](),
  }
}

async function teamsPlatform(): Promise<Platform> {
  const teams = await startTeams()
  const idOf = (event: number): string => String(1_600_000_000_000 + event)
  const bot = { id: `28:${teamsApp}`, name: 'Docwright' }
  return {
    environment: teams.environment,
    connection: { platform: 'teams', appId: teamsApp, workspace: teamsTenant, botToken: teamsSecret },
    async callOf(event, text) {
      const tag = '<at>Docwright</at>'
      const body = {
        type: 'message',
        id: idOf(event),
        channelId: 'msteams',
        serviceUrl: teams.serviceUrl,
        from: { id: '29:ann', name: 'Ann' },
        recipient: bot,
        conversation: {
          id: `19:general@thread.tacv2;messageid=${idOf(event)}`,
          conversationType: 'channel',
          isGroup: true,
          tenantId: teamsTenant,
        },
        channelData: { tenant: { id: teamsTenant } },
        text: `${tag} ${text}`,
        entities: [{ type: 'mention', mentioned: bot, text: tag }],
      }
      const headers = { authorization: `Bearer ${await teams.sign()}`, 'content-type': 'application/json' }
      return { method: 'POST', headers, body: JSON.stringify(body) }
    },
    replies: () =>
      teams.messages.map(({ conversation, buttons }) => ({
        event: Number(/messageid=(\d+)/.exec(conversation)?.[1]) - 1_600_000_000_000,
        hasButtons: buttons.length > 0,
      })),
    // What the killed server was answering.
    mayRepeat: 8,
    [Symbol.asyncDispose]: () => teams[Symbol.asyncDispose](),
  }
}

describe.each([
  ['Slack', slackPlatform],
  ['Google Chat', googlePlatform],
  ['Microsoft Teams', teamsPlatform],
])('%s', (_, start) => {
  it('gets one answer to each of 200 events with two servers, told twice and out of order, when one is killed', async () => {
    await using platform = await start()
    const dataFolder = await mkdtemp(join(tmpdir(), 'docwright-chats-'))
    const environment = { ...platform.environment, DATABASE_URL: await createTestDatabase() }
    const options = { dataFolder, environment }
    const first = await startServer(options)
    await using second = await startServer(options)
    const key = (await readFile(join(dataFolder, 'operator-token'), 'utf8')).trim()
    const projects = (await (await first.request('GET', '/admin/projects', { key })).json()) as {
      id: string
    }[]
    const connected = await first.request('POST', `/v2/chat/${projects[0]?.id}/workspaces`, {
      key,
      body: platform.connection,
    })
    const path = new URL(((await connected.json()) as { eventsUrl: string }).eventsUrl).pathname

    // A question after each nine cheaper ones.
    const textOf = (event: number): string => (event % 10 === 0 ? 'Where is the data folder?' : 'help')
    const deliveries = Array.from({ length: 2 * count }, (_one, n) => n % count)
      .map((event, n) => ({ event, place: (n * 7919) % (2 * count) }))
      .toSorted((one, other) => one.place - other.place)
    let isKilled = false
    for (const [time, { event }] of deliveries.entries()) {
      const server = time % 2 === 0 || isKilled ? second : first
      const call = await platform.callOf(event, textOf(event), time)
      expect((await fetch(`${server.url}${path}`, call)).status).toBe(200)
      if (time === count) {
        await first.stop('SIGKILL')
        isKilled = true
      }
    }
    const repliesTo = (event: number): Reply[] => platform.replies().filter((one) => one.event === event)
    const events = Array.from({ length: count }, (_one, event) => event)
    await expect
      .poll(() => events.filter((event) => repliesTo(event).length > 0).length, { timeout: 300_000 })
      .toBe(count)
    // What a second worker would say too, it has said by now.
    await expect
      .poll(() => events.filter((event) => repliesTo(event).some((one) => one.hasButtons)).length, {
        timeout: 120_000,
      })
      .toBe(count / 10)
    const repeated = events.filter((event) => repliesTo(event).length > 1)
    expect(repeated.length).toBeLessThanOrEqual(platform.mayRepeat)
  }, 600_000)
})
