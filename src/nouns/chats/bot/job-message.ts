import { pullRequestUrl } from '../../../lib/pull-request-url.ts'
import type { Job } from '../../../features/agent/jobs.ts'
import { stateWords } from '../../../features/agent/job-state.ts'
import { withoutChoices } from '../../../features/agent/choices.ts'
import { linkText } from '../../../lib/text/link-text.ts'
import { counted } from '../../../lib/text/counted.ts'
import type { Project } from '../../../features/projects/projects.ts'
import { channelOf, type Button } from '../platform.ts'
import type { ChatThread } from '../threads.ts'
import type { Bot, BotPorts } from './ports.ts'
import { messageOf } from './reply.ts'

/** Files that are listed before the rest is counted. */
const mostListed = 8

/**
 * Shows how a job is in its thread.
 * @returns the id of the message, which is edited from then on
 */
export async function showJob(
  ports: Pick<BotPorts, 'publicUrl' | 'readMarkdown'>,
  { connection, platform }: Bot,
  project: Project,
  job: Job,
  { thread, progress }: ChatThread,
): Promise<string> {
  const publicUrl = ports.publicUrl()
  const jobUrl = `${publicUrl}/projects/${project.domain}/jobs/${job.id}`
  const buttons = [choiceButtons(job), jobButtons(job, { jobUrl, publicUrl })]
  const content = await messageOf(ports, { platform, project }, jobText(job, jobUrl), ...buttons)
  const spot = { channel: channelOf(thread), thread }
  if (progress === undefined)
    return connection.post(spot, content, { mark: `job ${job.id} ${thread}`, since: job.createdAt })
  await connection.edit(spot, progress, content)
  return progress
}

interface Addresses {
  jobUrl: string
  publicUrl: string
}

/** How a job is: what it asks, or what became of it. */
function jobText(job: Job, jobUrl: string): string {
  const { question, failure } = job
  const parts = [`**${stateWords[job.state]}**: [${linkText(job.title, 'Job')}](${jobUrl})`]
  if (question) parts.push(withoutChoices(question.text, question.choices))
  if (failure) parts.push(failure.message)
  if (job.waiting) parts.push(job.waiting.message)
  if (!question && job.changes.length > 0) parts.push(filesText(job))
  if (job.status !== 'active' && job.checks.length > 0)
    parts.push(`${counted(job.checks.length, 'finding')} of the checks to look at.`)
  if (question)
    parts.push(
      question.choices.length > 0 ? 'Choose an answer, or reply in this thread.' : 'Reply in this thread.',
    )
  return parts.join('\n\n')
}

/** The answers that the agent offers. */
function choiceButtons({ id, question, turns }: Job): Button[] {
  return (question?.choices ?? []).map(({ label, suggested }, index) => ({
    id: `answer-${index}`,
    label,
    value: `${id} ${turns}`,
    isPrimary: suggested,
  }))
}

function jobButtons(job: Job, { jobUrl, publicUrl }: Addresses): Button[] {
  const { id, pullRequest, status } = job
  if (!pullRequest || status === 'active') return [{ label: 'Open job', url: jobUrl }]
  const isReady = pullRequest.state === 'open' && !job.draft && !job.draftForChecks
  return [
    { label: pullRequest.state === 'open' ? 'Review' : 'Open job', url: jobUrl },
    { label: `Pull request #${pullRequest.number}`, url: pullRequestUrl(publicUrl, pullRequest.link) },
    ...(isReady ? [{ id: 'merge', label: 'Merge', value: `${id} ${pullRequest.number}` }] : []),
  ]
}

/** Whether nothing more is expected of a job until somebody gives it more work. */
export function isSettled({ status, pullRequest }: Job): boolean {
  return status !== 'active' && pullRequest?.state !== 'open'
}

function filesText({ changes }: Job): string {
  const listed = changes.slice(0, mostListed).map(({ path }) => `\`${path.replaceAll('`', "'")}\``)
  const rest = changes.length - listed.length
  return `${counted(changes.length, 'file')}: ${listed.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`
}
