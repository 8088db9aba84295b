import { closePullRequest, reopenPullRequest } from '../../integrations/forges/local/pull-request-state.ts'
import type { LocalForgePorts, LocalProject } from '../../integrations/forges/local/local-project.ts'
import {
  mergeability,
  mergePullRequest,
  type Merger,
  type Mergeability,
} from '../../integrations/forges/local/merge-pull-request.ts'
import {
  addComment,
  readComments,
  type PullRequestComment,
} from '../../integrations/forges/local/pull-request-comments.ts'
import {
  listPullRequests,
  opensPullRequest,
  pullRequestDiff,
  readPullRequestDetail,
  type PullRequest,
} from '../../integrations/forges/local/pull-request-detail.ts'
import type { Repository } from '../../integrations/git/git.ts'
import type { Committer } from '../../integrations/git/trees/commit-tree.ts'
import type { Project } from './projects.ts'
import { withDefaults } from './settings/schemas.ts'

/** What people can do with the pull requests of projects whose repository is a folder on this server. */
export interface PullRequests {
  /** Newest first. */
  list(
    project: Project,
    options: { state?: PullRequest['state'] | undefined; limit: number },
  ): Promise<PullRequest[]>
  find(project: Project, number: number): Promise<PullRequest | undefined>
  /** Whether the token of a link lets a reader without a session see the pull request. */
  opens(project: Project, number: number, token: string): Promise<boolean>
  /** Unified diff from its base. */
  diff(project: Project, request: PullRequest): Promise<string>
  /** The same as two commits of a repository. */
  difference(
    project: Project,
    request: PullRequest,
  ): Promise<{ repository: Repository; from: string; to: string }>
  mergeability(project: Project, number: number): Promise<Mergeability>
  /**
   * @param head the commit that was looked at; another one is not merged
   * @throws AppError `conflict` when it cannot be merged now, saying why
   */
  merge(project: Project, number: number, by: Merger, head?: string): Promise<void>
  /** @throws AppError `conflict` when it is merged already */
  close(project: Project, number: number, by: Merger): Promise<void>
  /** @throws AppError `conflict` when it is merged, or there is nothing left to merge */
  reopen(project: Project, number: number, by: Merger): Promise<void>
  /** Oldest first. */
  comments(project: Project, number: number): Promise<PullRequestComment[]>
  /** @throws AppError `invalid` for an empty or too long comment */
  comment(project: Project, number: number, body: string, author: string): Promise<void>
}

export function createPullRequests({
  forge,
  open,
  author,
}: {
  forge: LocalForgePorts
  open(project: Project): Promise<LocalProject>
  /** Who makes merge commits. */
  author: Committer
}): PullRequests {
  const { store } = forge
  return {
    list: async (project, options) => listPullRequests(forge, await open(project), options),
    find: async (project, number) =>
      project.kind === 'path' ? readPullRequestDetail(forge, await open(project), number) : undefined,
    opens: ({ id }, number, token) => opensPullRequest(store.db, id, number, token),
    diff: async (project, request) => (await pullRequestDiff(await open(project), request)).text,
    difference: async (project, { baseCommit, headCommit }) => ({
      repository: (await open(project)).repository,
      from: baseCommit,
      to: headCommit,
    }),
    mergeability: async (project, number) => mergeability(forge, await open(project), number),
    async merge(project, number, by, head) {
      const { signOff } = withDefaults(project.settings)
      await mergePullRequest(forge, await open(project), { number, author, by, signOff, seen: head })
    },
    close: async (project, number, { name }) => closePullRequest(forge, await open(project), number, name),
    reopen: async (project, number, { name }) => reopenPullRequest(forge, await open(project), number, name),
    comments: ({ id }, number) => readComments(store.db, id, number, { limit: 200 }),
    comment: ({ id }, number, body, by) => addComment(store, id, number, { author: by.slice(0, 200), body }),
  }
}
