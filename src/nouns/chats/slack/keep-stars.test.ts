import { createSlackAdapter } from '@chat-adapter/slack'
import { ConsoleLogger } from 'chat'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createMarkdownReader } from '../../../api/render/markdown/read-markdown.ts'
import { slackBot, slackToken, startSlack, type SlackServer } from '../../../../tests/worlds/slack-server.ts'
import { messageOf } from '../bot/show.ts'
import { sendStars } from './keep-stars.ts'

let slack: SlackServer
beforeAll(async () => {
  slack = await startSlack()
})
afterAll(async () => {
  await slack[Symbol.asyncDispose]()
})

it('sends patterns whole, and bold text as Slack writes it', async () => {
  const adapter = createSlackAdapter({
    apiUrl: slack.url,
    botToken: slackToken,
    botUserId: slackBot,
    logger: new ConsoleLogger('silent'),
    webhookVerifier: () => true,
    webClientOptions: { requestInterceptor: sendStars },
  })
  const readMarkdown = createMarkdownReader()
  const written =
    'Set **include** to `**/*.md` or `docs/**/*.mdx`:\n\n```\na: **/*.md, **/*.mdx\n```\n\nA\u{F8A0}B'
  const card = await messageOf({ readMarkdown }, 'prj_1', written)
  const { id } = await adapter.postMessage('slack:C1:1.1', { card })
  const whole = 'Set *include* to `**/*.md` or `docs/**/*.mdx`:\n\n```\na: **/*.md, **/*.mdx\n```\n\nAB'
  expect(slack.messages.map(({ text }) => text)).toEqual([whole])
  await adapter.editMessage('slack:C1:1.1', id, { card })
  expect(slack.messages.map(({ text }) => text)).toEqual([whole])
})
