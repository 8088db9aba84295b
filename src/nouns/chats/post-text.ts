import { pullRequestUrl } from '../../lib/pull-request-url.ts'
import type { Job } from '../../features/agent/jobs.ts'
import type { Project } from '../../features/projects/projects.ts'
import { linkText } from '../../lib/text/link-text.ts'
import type { ChatPostKindColumn } from '../../store/tables/chat-tables.ts'

/** What each kind of post begins with. */
export const postHeads: Readonly<Record<ChatPostKindColumn, string>> = {
  opened: 'Pull request opened',
  waiting: 'Waiting for review for three days',
  asked: 'The agent has a question',
  merged: 'Pull request merged',
  failed: 'Job failed',
  gaps: 'What people asked this week and the docs don’t answer',
  digest: 'Since yesterday',
}

/** What happened to which job, in a line of Markdown. */
export function postLine(
  publicUrl: string,
  kind: ChatPostKindColumn,
  { domain }: Pick<Project, 'domain'>,
  { id, title, pullRequest }: Job,
): string {
  const links = [
    `[${linkText(title, 'Job')}](${publicUrl}/projects/${domain}/jobs/${id})`,
    ...(pullRequest ? [`[#${pullRequest.number}](${pullRequestUrl(publicUrl, pullRequest.link)})`] : []),
  ]
  return `**${postHeads[kind]}**: ${links.join(' ')}`
}
