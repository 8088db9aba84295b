import type { JobPorts } from '../../features/agent/ports.ts'
import type { WebhookPorts } from '../../features/agent/webhooks/create-webhook.ts'
import type { ProjectHosts } from '../../features/projects/connections/project-hosts.ts'
import type { Project } from '../../features/projects/projects.ts'
import type { PullRequests } from '../../features/projects/pull-requests.ts'
import type { Repository } from '../../integrations/git/git.ts'
import type { Access } from '../access.ts'
import type { SessionPorts } from '../admin/sessions.ts'
import type { SearchDocs } from '../docs/ports.ts'
import type { ReadMarkdown } from '../docs/read-markdown.ts'

/** What the pages need of the rest; `start/` gives it. They call the same functions as the API. */
export interface DashboardPorts extends JobPorts, SessionPorts {
  access: Pick<Access, 'project'>
  /** For the log: what a page could not do, with its cause. */
  reportError(error: Error, requestId: string): void
  now(): Date
  /** With these commits in it, unless the host does not have them any more. */
  mirror(project: Project, commits?: readonly string[]): Promise<Repository>
  pullRequests: PullRequests
  hosts: ProjectHosts
  /** Seconds between questions to a host that does not call. */
  hostInterval: number
  /** What new secrets are encrypted with. */
  secretKeyOf: 'DOCWRIGHT_SECRET_KEY' | 'file'
  /** What the limits of a project do not hold for. */
  warningsOf(project: Project): string[]
  webhooks: Pick<WebhookPorts, 'secretKey' | 'toPrivate'>
  searchDocs: SearchDocs
}

/** The same with what the pages share among themselves. */
export interface PagePorts extends DashboardPorts {
  readMarkdown: ReadMarkdown
}
