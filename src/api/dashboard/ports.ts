import type { JobPorts } from '../../features/agent/ports.ts'
import type { WebhookPorts } from '../../features/agent/webhooks/create-webhook.ts'
import type { AddProjectInput } from '../../features/projects/add-project.ts'
import type { ConnectInput } from '../../features/projects/connections/connect-project.ts'
import type { HostDescription } from '../../features/projects/connections/describe-host.ts'
import type { Project } from '../../features/projects/projects.ts'
import type { Git, Repository } from '../../integrations/git/git.ts'
import type { Access } from '../access.ts'
import type { RequestContext } from '../endpoint.ts'
import type { ReadMarkdown } from '../docs/read-markdown.ts'
import type { SearchDocs } from '../docs/ports.ts'

/** What the pages need of the rest; main.ts gives it. Writing jobs down takes the same ports as the API. */
export interface DashboardPorts extends JobPorts {
  access: Pick<Access, 'docsProject'>
  /** Address that people reach the server at, without a slash at the end. */
  publicUrl(): string
  clientAddress(context: RequestContext): string
  /** For the log: what a page could not do, with its cause. */
  reportError(error: Error, requestId: string): void
  now(): Date
  git: Git
  /** With these commits in it, unless the host does not have them any more. */
  mirror(project: Project, commits?: readonly string[]): Promise<Repository>
  pullRequests: PullRequests
  hosts: ProjectHosts
  /** What the limits of a project do not hold for. */
  warningsOf(project: Project): string[]
  webhooks: Pick<WebhookPorts, 'secretKey' | 'toPrivate'>
  searchDocs: SearchDocs
}

/** The same with what the pages share among themselves. */
export interface PageDependencies extends DashboardPorts {
  readMarkdown: ReadMarkdown
}

/** A pull request of the local forge. */
export interface PullRequest {
  number: number
  title: string
  /** Markdown, untrusted. */
  body: string
  head: string
  base: string
  state: 'open' | 'merged' | 'closed'
  draft: boolean
  headCommit: string
  baseCommit: string
  createdAt: Date
  closedAt: Date | undefined
}

export interface Mergeability {
  /** `missing`: one of the branches is gone. */
  state: 'clean' | 'conflicts' | 'merged' | 'closed' | 'missing'
  /** Paths, of `conflicts` only. */
  conflicts: string[]
}

/** What a person said on a pull request. */
export interface PullRequestComment {
  n: number
  author: string
  /** Markdown, untrusted. */
  body: string
  createdAt: Date
}

interface PullRequests {
  /** Newest first. */
  list(
    project: Project,
    options: { state?: PullRequest['state'] | undefined; limit: number },
  ): Promise<PullRequest[]>
  find(project: Project, number: number): Promise<PullRequest | undefined>
  /** Whether the token of a link opens it to a reader without a session. */
  opens(project: Project, number: number, token: string): Promise<boolean>
  /** Unified diff of what it brings to its base. */
  diff(project: Project, request: PullRequest): Promise<string>
  mergeability(project: Project, number: number): Promise<Mergeability>
  /** @throws AppError `conflict` when it cannot be merged now, saying why */
  merge(project: Project, number: number): Promise<void>
  close(project: Project, number: number): Promise<void>
  /** Oldest first. */
  comments(project: Project, number: number): Promise<PullRequestComment[]>
  /** @throws AppError `invalid` for an empty or too long comment */
  comment(project: Project, number: number, body: string): Promise<void>
}

/** How repositories elsewhere are reached. */
interface ProjectHosts {
  /** Undefined for folders on this server. Waits for the host no longer than a page may take. */
  describe(project: Project): Promise<ShownHost | undefined>
  /** Only addresses, of sites that people in browsers may name. @throws AppError that says what to give instead */
  add(input: AddProjectInput): Promise<Project>
  /** @throws AppError what trying it brought; nothing is changed then */
  connect(project: Project, input: ConnectInput): Promise<void>
  /** As `namedRepository`; only addresses, as for `add`. @throws AppError that says what to give instead */
  addContext(
    project: Project,
    input: { name: string; location: string; ref?: string | undefined },
  ): Promise<void>
  forgetCredential(project: Project): Promise<void>
  /** Asks the host again, and has it call this server if it does not yet. */
  check(project: Project): Promise<void>
  /** Seconds between questions to a host that does not call. */
  interval: number
  /** What new secrets are encrypted with. */
  secretKey: 'DOCWRIGHT_SECRET_KEY' | 'file'
}

export interface ShownHost extends HostDescription {
  /** Why the host does not call this server, when that was tried lately. */
  webhookNotes: string[]
  /** What the last change of the connection left to do, when that was lately. */
  changeNotes: string[]
}
