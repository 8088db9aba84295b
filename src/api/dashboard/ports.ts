import type { RunLimits } from '../../features/agent/turns/budget.ts'
import type { JobPorts } from '../../features/agent/ports.ts'
import type { WebhookPorts } from '../../features/agent/webhooks/create-webhook.ts'
import type { SiteChecks } from '../../features/docs/problems/site-checks.ts'
import type { ProjectHosts } from '../../features/projects/setup/project-hosts.ts'
import type { ReadHostedRequest } from '../../features/projects/hosted-requests.ts'
import type { Project } from '../../features/projects/projects.ts'
import type { ServerHealth } from '../../features/projects/server/health.ts'
import type { LimitUseNow } from '../../features/projects/limit-uses.ts'
import type { PullRequests } from '../../features/projects/pull-requests.ts'
import type { Ability } from '../../integrations/models/ability.ts'
import type { Repository } from '../../integrations/git/git.ts'
import type { OfferedModels } from '../../integrations/models/offered-model.ts'
import type { Access } from '../access.ts'
import type { RecentAnalytics } from '../../features/assistant/insights/recent-analytics.ts'
import type { AskPorts } from '../discovery/ask-assistant.ts'
import type { SessionPorts } from '../admin/ways-in.ts'
import type { SearchLog } from '../../features/assistant/insights/searches.ts'
import type { SearchDocs } from '../docs/ports.ts'
import type { PageLists } from '../docs/navigation/page-list.ts'
import type { WriteMarkdown } from '../docs/page-markdown.ts'
import type { ReadMarkdown } from '../docs/markdown/read-markdown.ts'
import type { ReadRows } from './review/read-rows.ts'
import type { CountRead } from '../metrics.ts'
import type { ReadWidget } from '../widget/get-widget.ts'

/** What the dashboard needs from the rest of the server. Its pages call the same functions as the API. */
export interface DashboardPorts extends JobPorts, SessionPorts {
  access: Access
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
  /** What a git host says about a pull request, soon or not at all. */
  hostedRequest: ReadHostedRequest
  hosts: ProjectHosts
  /** Seconds between polls of a host that sends no webhooks. */
  hostInterval: number
  /** Where the key that encrypts new secrets comes from. */
  secretKeyOf: 'DOCWRIGHT_SECRET_KEY' | 'file'
  /** Warnings about limits that do not fully apply, such as on cost where no price is known. */
  warningsOf(project: Project): string[]
  webhooks: Pick<WebhookPorts, 'secretKey' | 'toPrivate'>
  siteChecks: SiteChecks
  health(): Promise<ServerHealth>
  offeredModels: OfferedModels
  /** Makes one tiny call. @returns what came of it, for people @throws AppError that says what is wrong */
  testModel(name: string): Promise<string>
  /** What of the limits is used now. */
  limitUses(project: Project): Promise<LimitUseNow[]>
  searchDocs: SearchDocs
  searchLog: Pick<SearchLog, 'record' | 'flush'>
  assistant: AskPorts<Project>['assistant']
  /** Of questions to the assistant. */
  assistantLimits: AskPorts<Project>['limits']
  analytics: RecentAnalytics
  pagesOf: PageLists
  writeMarkdown: WriteMarkdown
  countRead: CountRead
  readWidget: ReadWidget
}

/** The same, with what the pages share. */
export interface PagePorts extends DashboardPorts {
  readMarkdown: ReadMarkdown
  readRows: ReadRows
}
