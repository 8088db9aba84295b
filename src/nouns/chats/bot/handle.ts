import { getJob, listJobs } from '../../../features/agent/jobs.ts'
import { stateWords } from '../../../features/agent/job-state.ts'
import { AppError } from '../../../lib/errors.ts'
import { linkText } from '../../../lib/text/link-text.ts'
import { mergePull } from '../../pulls/run.ts'
import type { Incoming, Member, ThreadSpot } from '../platform.ts'
import { createLink, findChannel, linkMinutes, unlink } from '../table.ts'
import { findThread, ifAbout } from '../threads.ts'
import { asAct } from './as-act.ts'
import { askAt, rateAnswer } from './ask.ts'
import { changeInThread } from './change.ts'
import type { BotPorts, Of, Turn } from './ports.ts'
import { openReply, tellMember } from './reply.ts'
import { callerIn, refusalFor, whyNotAsked, whyNotChanged } from './who.ts'

const help = `Ask a question about the docs, and I answer with links to the pages.

- \`change …\` starts a job that edits the docs, for example “change the limit in Quickstart to 50”
- \`document what was decided here\` turns a thread into a job
- \`/docwright jobs\` lists the last jobs
- \`/docwright link\` links your account, \`/docwright unlink\` takes that back`

const change = /^(?:please\s+)?(?:change|update|document|fix|add|remove|rename|replace)\b/i

/** Whether a message is work for a job: “update the limit”, but not “update it how?”. */
export function asksForWork(text: string): boolean {
  return change.test(text) && !text.trimEnd().endsWith('?')
}

const ownCommand = /^(?:link|unlink|jobs)$/i

/** Answers what somebody did. @throws what went wrong, also at the platform */
export async function handleIncoming(ports: BotPorts, turn: Turn, incoming: Incoming): Promise<void> {
  if (incoming.kind === 'message') return handleMessage(ports, turn, incoming)
  if (incoming.kind === 'button') return handleButton(ports, turn, incoming)
  await handleCommand(ports, turn, incoming)
  await turn.connection.finish?.(incoming, turn.event)
}

/** Answers what somebody wrote: a question, work for a job, or an answer to what a job asks. */
async function handleMessage(ports: BotPorts, turn: Turn, message: Of<'message'>): Promise<void> {
  const { chat, project } = turn
  const { db } = ports.store
  const { place, text, member } = message
  const { channel, thread, isDirect } = place
  const known = await findThread(db, chat.id, thread)
  if (!isDirect && !message.isMention) {
    const answers = (await findChannel(db, chat.id, channel))?.answers
    // In its threads the bot answers who began them; others mention it.
    if (answers === 'quiet' || (known ? known.starter !== member.id : answers !== 'everything')) return
  }
  const spot = { channel, thread }
  const say = async (words: string): Promise<void> => {
    await openReply(ports, turn, spot, words)
  }
  if (text === '' || /^help\b/i.test(text)) return say(help)
  // Commands work as messages too, for platforms that know none in direct messages.
  if (ownCommand.test(text)) return handleCommand(ports, turn, { kind: 'command', place, member, text })
  if (ifAbout(known, project.id)?.jobId !== undefined || asksForWork(text))
    return work(ports, turn, { spot, member: member.id, prompt: text, message: message.id }, say)
  const refusal = await whyNotAsked(db, chat, project, { channel, member: member.id, isDirect })
  if (refusal !== undefined) return say(refusalText(refusal))
  await askAt(ports, turn, spot, { member: member.id, question: text })
}

interface Work {
  spot: ThreadSpot
  member: string
  prompt: string
  /** With which it was asked for. */
  message?: string | undefined
}

async function work(
  ports: BotPorts,
  turn: Turn,
  given: Work,
  say: (words: string) => Promise<void>,
): Promise<void> {
  const { chat } = turn
  const caller = await callerIn(ports.store.db, chat, given.member)
  const refusal = await whyNotChanged(ports.store.db, turn, caller, 'createJob', given.spot.channel)
  if (!caller || refusal !== undefined) return say(refusalText(refusal ?? 'link'))
  try {
    await changeInThread(ports, turn, caller, given.spot, given)
  } catch (error) {
    if (!(error instanceof AppError) || error.code === 'internal') throw error
    await say(`That could not be started: ${error.message}`)
  }
}

/** Handles a press of a button. */
async function handleButton(ports: BotPorts, turn: Turn, pressed: Of<'button'>): Promise<void> {
  const { chat, project } = turn
  const { db } = ports.store
  const { action, value, place, member } = pressed
  const tell = (words: string): Promise<void> => tellMember(ports, turn, pressed, words)
  if (action === 'up' || action === 'down') {
    await rateAnswer(ports, turn, { member: member.id, rating: action, value })
    return tell('Thanks for your feedback.')
  }
  const chosen = /^answer-(\d+)$/.exec(action)?.[1]
  // A link that was followed.
  if (action !== 'merge' && chosen === undefined) return
  const caller = await callerIn(db, chat, member.id)
  const verb = action === 'merge' ? 'mergePullRequest' : 'sendMessage'
  const refusal = await whyNotChanged(db, turn, caller, verb, place.channel)
  if (!caller || refusal !== undefined) return tell(refusalText(refusal ?? 'link'))
  const [jobId = '', turns = ''] = value.split(' ')
  const job = await getJob(db, project.id, jobId)
  if (!job) return tell('That job no longer exists.')
  try {
    if (chosen === undefined) {
      // A second press, or an attempt that was cut off after the merge, changes nothing.
      const { pullRequest } = job
      if (pullRequest?.state !== 'open') return
      const target = String(pullRequest.number)
      await asAct(ports, turn, caller, { verb, target }, () => mergePull(ports, project, caller, target, {}))
      return
    }
    const choice = job.question?.choices[Number(chosen)]
    if (!choice || String(job.turns) !== turns) return tell('That question was answered already.')
    await changeInThread(ports, turn, caller, place, { prompt: choice.label, member: member.id })
  } catch (error) {
    if (!(error instanceof AppError) || error.code === 'internal') throw error
    await tell(error.message)
  }
}

const mostJobs = 8

/** Handles a command such as `/docwright ask`. */
async function handleCommand(ports: BotPorts, turn: Turn, command: Of<'command'>): Promise<void> {
  const { chat, project, connection } = turn
  const { store } = ports
  const { member, place } = command
  const [first = '', ...words] = command.text.trim().split(/\s+/)
  const name = first.toLowerCase()
  const rest = words.join(' ')
  const tell = (text: string): Promise<void> => tellMember(ports, turn, command, text)
  if (name === 'link') {
    const url = await linkUrl(ports, turn, member)
    return tell(`[Link your account](${url}) within ${linkMinutes} minutes.`)
  }
  if (name === 'unlink') {
    const was = await store.transaction((tx) => unlink(tx, chat.id, member.id))
    return tell(was ? 'Your account is no longer linked.' : 'No account was linked.')
  }
  if (name === 'jobs') {
    const caller = await callerIn(store.db, chat, member.id)
    const refusal = refusalFor(caller, 'listJobs', project)
    if (refusal !== undefined) return tell(refusalText(refusal))
    const { rows } = await listJobs(store.db, project.id, { limit: mostJobs })
    const list = rows.map(
      (job) =>
        `- ${stateWords[job.state]}: [${linkText(job.title, 'Job')}](${ports.publicUrl()}/projects/${project.domain}/jobs/${job.id})`,
    )
    return tell(list.length === 0 ? 'No jobs yet.' : list.join('\n'))
  }
  if (name !== 'ask' && name !== 'change') return tell(help)
  if (rest === '') return tell(`Write what to ${name} after it: \`/docwright ${name} …\``)
  // Outside of threads the reply begins one.
  const spot = { channel: place.channel, ...(place.thread !== '' && { thread: place.thread }) }
  const refusal =
    name === 'ask'
      ? await whyNotAsked(store.db, chat, project, { ...place, member: member.id })
      : await whyNotChanged(
          store.db,
          turn,
          await callerIn(store.db, chat, member.id),
          'createJob',
          place.channel,
        )
  if (refusal !== undefined) return tell(refusalText(refusal))
  const lead = `**${nameText(await connection.nameOf(member))}**: ${rest}\n\n`
  if (name === 'ask') return askAt(ports, turn, spot, { member: member.id, question: rest, lead })
  const { thread } = await openReply(ports, turn, spot, lead)
  await work(ports, turn, { spot: { channel: place.channel, thread }, member: member.id, prompt: rest }, tell)
}

async function linkUrl(ports: BotPorts, { chat, connection }: Turn, member: Member): Promise<string> {
  const memberName = (await connection.nameOf(member)).slice(0, 200)
  const link = { chatId: chat.id, member: member.id, memberName }
  const token = await ports.store.transaction((tx) => createLink(tx, link))
  return `${ports.publicUrl()}/account/chat?token=${token}`
}

function refusalText(refusal: string): string {
  return refusal === 'link' ? 'Link your account first: `/docwright link`. Then ask again.' : refusal
}

/** A name is a stranger’s text. */
function nameText(name: string): string {
  return name.replaceAll(/[^\p{L}\p{N} .-]/gu, ' ').trim() || 'Someone'
}
