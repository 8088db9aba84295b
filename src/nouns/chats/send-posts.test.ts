import { sql } from 'kysely'
import { chatApisWith } from '../../../tests/worlds/chat-apis.ts'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createMarkdownReader } from '../../api/render/markdown/read-markdown.ts'
import { appendEvents, type NewEvent } from '../../features/agent/events.ts'
import { insertQuestion } from '../../features/assistant/threads/messages.ts'
import { sealSecret } from '../../lib/secret-box.ts'
import type { ChatPostsColumn } from '../../store/tables/chat-tables.ts'
import {
  slackToken,
  startSlack,
  type PostedMessage,
  type SlackServer,
} from '../../../tests/worlds/slack-server.ts'
import { describeOnBothEngines } from '../../../tests/stores.ts'
import { createWebhookWorld } from '../../../tests/worlds/webhook-world.ts'
import { createBots } from './bots.ts'
import { queueDigests } from './digests.ts'
import { queueReminders } from './posts.ts'
import { sendPosts, type PostPorts } from './send-posts.ts'
import { saveChannel, saveChat } from './table.ts'
import { saveThread } from './threads.ts'

const publicUrl = 'https://docs.example.com'
const opened: NewEvent = { type: 'pull_request.opened', data: { number: 7, link: '/p/7' } }

describeOnBothEngines('posts of chats', (store) => {
  let slack: SlackServer
  beforeEach(async () => {
    slack = await startSlack()
  })
  afterEach(async () => {
    await slack[Symbol.asyncDispose]()
  })

  const newWorld = async (posts: ChatPostsColumn) => {
    const { projectId, ports: known, newJob } = await createWebhookWorld(store())
    const { secretKey } = known
    const chatId = `cht_${projectId}`
    const channel = `C${projectId}`
    const sealed = sealSecret(secretKey, chatId, JSON.stringify({ botToken: slackToken, signingSecret: 's' }))
    await store().transaction(async (tx) => {
      await saveChat(tx, {
        id: chatId,
        projectId,
        platform: 'slack',
        workspace: 'T1',
        bot: 'U1',
        name: 'Acme',
        sealed,
      })
      const decided = { asks: 'nobody', answers: 'mentions', changes: 'linked', posts, language: '' } as const
      await saveChannel(tx, chatId, { channel, name: '#docs', projectId, ...decided })
    })
    const ports: PostPorts = {
      store: store(),
      readMarkdown: createMarkdownReader(),
      publicUrl: () => publicUrl,
    }
    const processes = [1, 2].map(() =>
      createBots({ secretKey, chatApis: chatApisWith({ slack: slack.url }) }),
    )
    /** Two processes, until nothing is due. */
    const sendAll = async (): Promise<void> => {
      for (let rounds = 0; rounds < 6; rounds++)
        await Promise.all(processes.map((botOf) => sendPosts(ports, botOf)))
    }
    const happen = (jobId: string, ...events: NewEvent[]): Promise<void> =>
      store().transaction(async (tx) => {
        await tx.updateTable('turns').set({ status: 'completed' }).where('job_id', '=', jobId).execute()
        await appendEvents(tx, jobId, 1, events)
      })
    const inChannel = (): PostedMessage[] => slack.messages.filter((one) => one.channel === channel)
    return { chatId, channel, projectId, newJob, ports, sendAll, happen, inChannel }
  }
  const forget = (): Promise<unknown> =>
    store().transaction((tx) =>
      tx
        .updateTable('chat_posts')
        .set({ state: 'waiting', message: null, claimed_until: new Date(0) })
        .execute(),
    )

  it('posts what happens to a job once, below its first message, with two processes', async () => {
    const { newJob, happen, sendAll, inChannel } = await newWorld('everything')
    const [one, two] = [await newJob(), await newJob()]
    await happen(one, opened, { type: 'turn.completed', data: { summary: 'Done' } })
    await happen(two, {
      type: 'turn.asked',
      data: { message: 'Which <!channel> page, `**/*.md` or `**/*.mdx`?' },
    })
    await happen(one, { type: 'pull_request.merged', data: { number: 7 } })
    await sendAll()
    const roots = inChannel().filter(({ thread }) => thread === undefined)
    expect(roots.map(({ text }) => text.split('\n')[0]?.split(':')[0] ?? '').toSorted()).toEqual([
      '*Pull request opened*',
      '*The agent has a question*',
    ])
    expect(roots.map(({ text }) => text).join()).toMatch(/Which +page, `\*\*\/\*\.md` or `\*\*\/\*\.mdx`\?/)
    const root = roots.find(({ text }) => text.includes('opened'))
    expect(root?.text).toContain(`<${publicUrl}/projects/`)
    const below = inChannel().filter(({ thread }) => thread !== undefined)
    expect(below.map(({ text, thread }) => [text.split(':')[0], thread])).toEqual([
      ['*Pull request merged*', root?.ts],
    ])
  })

  it('finds what a process posted that ended before it noted that, and posts it no second time', async () => {
    const { newJob, happen, sendAll, inChannel } = await newWorld('everything')
    const job = await newJob()
    await happen(job, opened, { type: 'pull_request.merged', data: {} })
    await sendAll()
    expect(inChannel().length).toBe(2)
    await forget()
    await sendAll()
    expect(inChannel().length).toBe(2)
    const { rows } = await sql<{ message: string }>`
      select message from chat_posts where job_id = ${job} order by n`.execute(store().db)
    expect(rows.map(({ message }) => message)).toEqual(inChannel().map(({ ts }) => ts))
  })

  it('posts only what needs somebody, nothing, or nothing twice, as the team decided', async () => {
    const failed: NewEvent = { type: 'turn.failed', data: { message: 'The model is away' } }
    const attention = await newWorld('attention')
    await attention.happen(await attention.newJob(), opened, failed)
    await attention.sendAll()
    expect(attention.inChannel().map(({ text }) => text)).toEqual([
      expect.stringMatching(/^\*Job failed\*[^]*The model is away$/),
    ])
    const nothing = await newWorld('nothing')
    await nothing.happen(await nothing.newJob(), opened, failed)
    // A message there shows the job already.
    const shown = await newWorld('everything')
    const job = await shown.newJob()
    const { chatId, channel, projectId } = shown
    await store().transaction((tx) =>
      saveThread(
        tx,
        { chatId, thread: `slack:${channel}:1.1` },
        { projectId, starter: 'UANN', job: { id: job, askedBy: 'message 1' } },
      ),
    )
    await shown.happen(job, opened)
    await shown.sendAll()
    expect([...nothing.inChannel(), ...shown.inChannel()]).toEqual([])
  })

  it('posts a question at once, and everything else in one message a day', async () => {
    const { newJob, happen, sendAll, inChannel } = await newWorld('digest')
    const digest = async (): Promise<string[]> => {
      for (let n = 0; n < 2; n++) await queueDigests(store(), publicUrl)
      await sendAll()
      return inChannel().map(({ text }) => text)
    }
    const [one, two, three] = [await newJob(), await newJob(), await newJob()]
    await happen(one, opened, { type: 'pull_request.merged', data: { number: 7 } })
    await happen(two, { type: 'turn.failed', data: { message: 'The model is away' } })
    await happen(three, { type: 'turn.asked', data: { message: 'Which page?' } })
    const asked = expect.stringMatching(/^\*The agent has a question\*/) as string
    expect(await digest()).toEqual([asked])
    await store().transaction((tx) =>
      sql`update chat_posts set created_at = now() - interval '1 day' where state = 'held'`.execute(tx),
    )
    const lines = ['Since yesterday', 'Pull request opened', 'Pull request merged', 'Job failed']
    expect((await digest()).map((text) => text.match(/(?<=\*)[^*\n]+(?=\*)/g))).toEqual([
      ['The agent has a question'],
      lines,
    ])
    // What comes later waits for the next morning.
    await happen(one, { type: 'turn.failed', data: { message: 'Again' } })
    expect((await digest()).length).toBe(2)
  })

  it('reminds once of a pull request after three days, and of gaps once a week', async () => {
    const { newJob, happen, sendAll, inChannel, projectId } = await newWorld('attention')
    const [early, late] = [await newJob(), await newJob()]
    for (const job of [early, late]) await happen(job, opened)
    await store().transaction(async (tx) => {
      await tx
        .updateTable('events')
        .set({ created_at: sql<Date>`now() - interval '73 hours'` })
        .where('job_id', '=', early)
        .execute()
      await sql`update jobs set status = 'completed', pull_request = '{"number":7,"link":"/p/7","state":"open"}'
        where project_id = ${projectId}`.execute(tx)
      await sql`insert into gaps (id, project_id, name, size, nearest) values (${`gap_${projectId}`}, ${projectId}, 'Proxy [x] <!here>', 2, '[]')`.execute(
        tx,
      )
      for (const id of ['one', 'two']) {
        const about = {
          id,
          fp: id,
          text: 'Which proxy?',
          again: 'no',
          caller: 'web',
          page: undefined,
        } as const
        const { thread } = await insertQuestion(tx, projectId, undefined, about)
        await tx
          .insertInto('gap_questions')
          .values({
            project_id: projectId,
            thread_id: thread.id,
            n: 0,
            gap_id: `gap_${projectId}`,
            cause: 'nothing_found',
            asked_at: new Date(),
          })
          .execute()
      }
    })
    for (let n = 0; n < 2; n++) await queueReminders(store(), publicUrl)
    await sendAll()
    expect(
      inChannel()
        .map(({ text }) => text)
        .toSorted(),
    ).toEqual([
      expect.stringMatching(/^\*Waiting for review for three days\*/),
      expect.stringMatching(
        /^\*What people asked this week[^]*\/gaps\/gap_[^]*Proxy x !here>: asked 2 times$/,
      ),
    ])
  })
})
