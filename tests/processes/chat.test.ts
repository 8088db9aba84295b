import { readFile, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createTestDatabase } from '../prepared-stores.ts'
import { startServer } from '../server.ts'
import { signedCall, slackBot, slackSecret, slackToken, startSlack } from '../worlds/slack-server.ts'

const count = 200

it('answers each of 200 events once with two servers, told twice and out of order, when one is killed', async () => {
  await using slack = await startSlack()
  const dataFolder = await mkdtemp(join(tmpdir(), 'docwright-chats-'))
  const environment = { DOCWRIGHT_SLACK_API: slack.url, DATABASE_URL: await createTestDatabase() }
  const options = { dataFolder, environment }
  const first = await startServer(options)
  await using second = await startServer(options)
  const key = (await readFile(join(dataFolder, 'operator-token'), 'utf8')).trim()
  const projects = (await (await first.request('GET', '/admin/projects', { key })).json()) as { id: string }[]
  const connected = await first.request('POST', `/v2/chat/${projects[0]?.id}/workspaces`, {
    key,
    body: { botToken: slackToken, signingSecret: slackSecret },
  })
  const path = new URL(((await connected.json()) as { eventsUrl: string }).eventsUrl).pathname

  // A question after each nine cheaper ones.
  const events = Array.from({ length: count }, (_, n) => ({
    ts: `1700000${String(n).padStart(3, '0')}.000200`,
    text: `<@${slackBot}> ${n % 10 === 0 ? 'Where is the data folder?' : 'help'}`,
  }))
  const deliveries = [...events, ...events]
    .map((event, n) => ({ event, place: (n * 7919) % (2 * count) }))
    .toSorted((one, other) => one.place - other.place)
  let isKilled = false
  for (const [n, { event }] of deliveries.entries()) {
    const server = n % 2 === 0 || isKilled ? second : first
    const type = n % 3 === 0 ? 'message' : 'app_mention'
    const message = { type, channel: 'C00000001', channel_type: 'channel', user: 'UANN', ...event }
    const body = { type: 'event_callback', team_id: 'T0001', event_id: `Ev${n}`, event: message }
    const answer = await fetch(`${server.url}${path}`, signedCall(body))
    expect(answer.status).toBe(200)
    if (n === count) {
      await first.stop('SIGKILL')
      isKilled = true
    }
  }
  const replies = (): number[] =>
    events.map(({ ts }) => slack.messages.filter(({ thread }) => thread === ts).length)
  await expect.poll(() => replies().filter((one) => one > 0).length, { timeout: 300_000 }).toBe(count)
  // What a second worker would say too, it has said by now.
  await expect
    .poll(() => slack.messages.filter(({ buttons }) => buttons.length > 0).length, { timeout: 120_000 })
    .toBe(count / 10)
  expect(replies().every((one) => one === 1)).toBe(true)
}, 600_000)
