import type { RunLimits } from '../../features/agent/turns/budget.ts'
import type { JobPorts } from '../../features/agent/ports.ts'
import type { WebhookPorts } from '../../features/agent/webhooks/create-webhook.ts'
import type { ProjectHosts } from '../../features/projects/connections/project-hosts.ts'
import type { Project } from '../../features/projects/projects.ts'
import type { PullRequests } from '../../features/projects/pull-requests.ts'
import type { Ability } from '../../integrations/models/ability.ts'
import type { Repository } from '../../integrations/git/git.ts'
import type { Access } from '../access.ts'
import type { SessionPorts } from '../admin/sessions.ts'
import type { SearchLog } from '../../features/assistant/insights/searches.ts'
import type { SearchDocs } from '../docs/ports.ts'
import type { PageLists } from '../docs/page-list.ts'
import type { WriteMarkdown } from '../docs/page-markdown.ts'
import type { ReadMarkdown } from '../docs/read-markdown.ts'
import type { CountRead } from '../metrics.ts'

/** What the dashboard needs from the rest of the server. Its pages call the same functions as the API. */
export interface DashboardPorts extends JobPorts, SessionPorts {
  access: Pick<Access, 'project' | 'server'>
  /** Aborts when streams must end, because the server stops. */
  stopping: AbortSignal
  /** Logs an error of a page, with its cause. */
  reportError(error: Error, requestId: string): void
  now(): Date
  /** The mirror of a project, with these commits unless the host no longer has them. */
  mirror(project: Project, commits?: readonly string[], options?: { fresh?: boolean }): Promise<Repository>
  pullRequests: PullRequests
  /** What the server allows for a prompt. */
  runLimits: RunLimits
  /** What the built-in model can be asked for, as forms. */
  abilities: readonly Ability[]
  hosts: ProjectHosts
  /** Seconds between polls of a host that sends no webhooks. */
  hostInterval: number
  /** Where the key that encrypts new secrets comes from. */
  secretKeyOf: 'DOCWRIGHT_SECRET_KEY' | 'file'
  /** Warnings about limits that do not fully apply, such as on cost where no price is known. */
  warningsOf(project: Project): string[]
  webhooks: Pick<WebhookPorts, 'secretKey' | 'toPrivate'>
  searchDocs: SearchDocs
  searchLog: Pick<SearchLog, 'record'>
  pagesOf: PageLists
  writeMarkdown: WriteMarkdown
  countRead: CountRead
}

/** The same, with what the pages share. */
export interface PagePorts extends DashboardPorts {
  readMarkdown: ReadMarkdown
}
