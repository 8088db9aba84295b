import type { ActionEvent, Message, SlashCommandEvent } from 'chat'
import { getJob, listJobs } from '../../../features/agent/jobs.ts'
import { stateWords } from '../../../features/agent/job-state.ts'
import { AppError } from '../../../lib/errors.ts'
import { mergePull } from '../../pulls/run.ts'
import { createLink, findChannel, linkMinutes, unlink } from '../table.ts'
import { channelOf, findThread, ifAbout } from '../threads.ts'
import { asAct } from './as-act.ts'
import { askAt, rateAnswer } from './ask.ts'
import { changeInThread } from './change.ts'
import type { BotPorts, Thread, Turn } from './ports.ts'
import { inChannel, inThread, openReply } from './reply.ts'
import { messageOf } from './show.ts'
import { textOf } from '../slack/text-of.ts'
import { callerIn, refusalFor, whyNotAsked, whyNotChanged } from './who.ts'

const help = `Ask a question about the docs, and I answer with links to the pages.

- \`change …\` starts a job that edits the docs, for example “change the limit in Quickstart to 50”
- \`document what was decided here\` turns a thread into a job
- \`/docwright jobs\` lists the last jobs
- \`/docwright link\` links your account, \`/docwright unlink\` takes that back`

const change = /^(?:please\s+)?(?:change|update|document|fix|add|remove|rename|replace)\b/i

/** Answers what somebody wrote: a question, work for a job, or an answer to what a job asks. */
export async function handleMessage(
  ports: BotPorts,
  turn: Turn,
  thread: Thread,
  message: Message,
): Promise<void> {
  const { chat, project } = turn
  const { db } = ports.store
  const member = message.author.userId
  const known = await findThread(db, chat.id, thread.id)
  const isMention = message.isMention === true
  if (!thread.isDM && !isMention) {
    const answers = (await findChannel(db, chat.id, channelOf(thread.id)))?.answers
    // In its threads the bot answers who began them; others mention it.
    if (answers === 'quiet' || (known ? known.starter !== member : answers !== 'everything')) return
  }
  const text = textOf(message.raw, chat.bot)
  const spot = inThread(thread, message.id)
  const say = async (words: string): Promise<void> => {
    await openReply(ports, turn, spot, words)
  }
  if (text === '' || /^help\b/i.test(text)) return say(help)
  if (ifAbout(known, project.id)?.jobId !== undefined || change.test(text))
    return work(ports, turn, { thread, member, prompt: text, message }, say)
  const where = { channel: channelOf(thread.id), member, isDirect: thread.isDM }
  const refusal = await whyNotAsked(db, chat, project, where)
  if (refusal !== undefined) return say(refusalText(refusal))
  await askAt(ports, turn, spot, { member, question: text })
}

interface Work {
  thread: Thread
  member: string
  prompt: string
  message?: Message | undefined
}

async function work(
  ports: BotPorts,
  turn: Turn,
  given: Work,
  say: (words: string) => Promise<void>,
): Promise<void> {
  const { chat } = turn
  const caller = await callerIn(ports.store.db, chat, given.member)
  const refusal = await whyNotChanged(ports.store.db, turn, caller, 'createJob', given.thread.id)
  if (!caller || refusal !== undefined) return say(refusalText(refusal ?? 'link'))
  try {
    await changeInThread(ports, turn, caller, given.thread, given)
  } catch (error) {
    if (!(error instanceof AppError) || error.code === 'internal') throw error
    await say(`That could not be started: ${error.message}`)
  }
}

/** Handles a press of a button. */
export async function handleAction(ports: BotPorts, turn: Turn, pressed: ActionEvent): Promise<void> {
  const { chat, project } = turn
  const { db } = ports.store
  const { actionId, value = '', thread, user } = pressed
  const tell = async (words: string): Promise<void> => {
    await thread?.postEphemeral(user, await messageOf(ports, project.id, words), { fallbackToDM: false })
  }
  const member = user.userId
  if (actionId === 'up' || actionId === 'down') {
    await rateAnswer(ports, turn, { member, rating: actionId, value })
    return tell('Thanks for your feedback.')
  }
  const caller = await callerIn(db, chat, member)
  const verb = actionId === 'merge' ? 'mergePullRequest' : 'sendMessage'
  const refusal = await whyNotChanged(db, turn, caller, verb, thread?.id ?? '')
  if (!caller || refusal !== undefined) return tell(refusalText(refusal ?? 'link'))
  const [jobId = '', turns = ''] = value.split(' ')
  const job = await getJob(db, project.id, jobId)
  if (!job || !thread) return tell('That job no longer exists.')
  try {
    if (actionId === 'merge') {
      // A second press, or an attempt that was cut off after the merge, changes nothing.
      const { pullRequest } = job
      if (pullRequest?.state !== 'open') return
      const target = String(pullRequest.number)
      await asAct(ports, turn, caller, { verb, target }, () => mergePull(ports, project, caller, target, {}))
      return
    }
    const choice = job.question?.choices[Number(actionId.replace('answer-', ''))]
    if (!choice || String(job.turns) !== turns) return tell('That question was answered already.')
    await changeInThread(ports, turn, caller, thread, { prompt: choice.label, member })
  } catch (error) {
    if (!(error instanceof AppError) || error.code === 'internal') throw error
    await tell(error.message)
  }
}

const mostJobs = 8

/** Handles a command such as `/docwright ask`. */
export async function handleCommand(
  ports: BotPorts,
  turn: Turn,
  command: SlashCommandEvent,
  threadOf: (id: string) => Thread,
): Promise<void> {
  const { chat, project } = turn
  const { store } = ports
  const { user, channel } = command
  const [name = '', ...words] = command.text.trim().split(/\s+/)
  const rest = words.join(' ')
  const tell = async (text: string): Promise<void> => {
    await channel.postEphemeral(user, await messageOf(ports, project.id, text), { fallbackToDM: true })
  }
  if (name === 'link') {
    const url = await linkUrl(ports, turn, user)
    return tell(`[Link your account](${url}) within ${linkMinutes} minutes.`)
  }
  if (name === 'unlink') {
    const was = await store.transaction((tx) => unlink(tx, chat.id, user.userId))
    return tell(was ? 'Your account is no longer linked.' : 'No account was linked.')
  }
  if (name === 'jobs') {
    const caller = await callerIn(store.db, chat, user.userId)
    const refusal = refusalFor(caller, 'listJobs', project)
    if (refusal !== undefined) return tell(refusalText(refusal))
    const { rows } = await listJobs(store.db, project.id, { limit: mostJobs })
    const list = rows.map(
      (job) =>
        `- ${stateWords[job.state]}: [${job.title.replaceAll(/[[\]()]/g, ' ')}](${jobUrl(ports, turn, job.id)})`,
    )
    return tell(list.length === 0 ? 'No jobs yet.' : list.join('\n'))
  }
  if (name !== 'ask' && name !== 'change') return tell(help)
  if (rest === '') return tell(`Write what to ${name} after it: \`/docwright ${name} …\``)
  // A command has no thread of its own: the reply begins one.
  const spot = inChannel(channel)
  const lead = `**${nameText(user.fullName)}**: ${rest}\n\n`
  if (name === 'ask') {
    const where = { channel: channelOf(channel.id), member: user.userId, isDirect: channel.isDM }
    const refusal = await whyNotAsked(store.db, chat, project, where)
    if (refusal !== undefined) return tell(refusalText(refusal))
    return askAt(ports, turn, spot, { member: user.userId, question: rest, lead })
  }
  const caller = await callerIn(store.db, chat, user.userId)
  const refusal = await whyNotChanged(store.db, turn, caller, 'createJob', channel.id)
  if (!caller || refusal !== undefined) return tell(refusalText(refusal ?? 'link'))
  const reply = await openReply(ports, turn, spot, lead)
  await work(ports, turn, { thread: threadOf(reply.thread), member: user.userId, prompt: rest }, tell)
}

function jobUrl({ publicUrl }: Pick<BotPorts, 'publicUrl'>, { project }: Turn, id: string): string {
  return `${publicUrl()}/projects/${project.domain}/jobs/${id}`
}

async function linkUrl(
  ports: BotPorts,
  { chat }: Turn,
  user: { userId: string; fullName: string },
): Promise<string> {
  const link = { chatId: chat.id, member: user.userId, memberName: user.fullName.slice(0, 200) }
  const token = await ports.store.transaction((tx) => createLink(tx, link))
  return `${ports.publicUrl()}/account/chat?token=${token}`
}

function refusalText(refusal: string): string {
  return refusal === 'link' ? 'Link your account first: `/docwright link`. Then ask again.' : refusal
}

/** A name is a stranger’s text. */
function nameText(name: string): string {
  return name.replaceAll(/[^\p{L}\p{N} .-]/gu, ' ').trim() || 'Somebody'
}
