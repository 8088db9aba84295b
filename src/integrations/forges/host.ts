import type { Credential } from '../git/remote.ts'
import type { Comment, Forge } from './forge.ts'
import type { Merging } from './merging.ts'

export type HostKind = 'github' | 'gitlab' | 'gitea' | 'bitbucket'

/**
 * The credential by which a server authenticates to a host. It is in plain text only in memory, and never stored or
 * shown that way.
 */
export type HostCredential =
  /** A fine-grained, project, group or access token; `username` where the host's git requires a certain one. */
  | { kind: 'token'; token: string; username?: string | undefined }
  /**
   * Installation tokens are created from it, for this repository alone and with only the permissions that are
   * needed.
   */
  | { kind: 'github_app'; appId: string; privateKey: string }

/** A repository on a host: `path` is `owner/name`, with groups where the host has them. */
export interface RepositoryAddress {
  /** Origin of the host's pages, such as https://gitlab.example.com, with a path below it where it lives there. */
  site: string
  path: string
}

/** What talking to a host needs. */
export interface HostPorts {
  /** Honours proxies and the certificates of the machine. */
  fetch: typeof fetch
  now(): Date
  /** Waits, as rate limits require; rejects when the signal aborts. */
  delay(milliseconds: number, signal: AbortSignal | undefined): Promise<void>
}

/** What a credential may do in a repository. */
export interface HostAccess {
  /** The account of the credential, by the host's name; undefined where the host does not tell. */
  login: string | undefined
  defaultBranch: string
  /** The repository's present path, which differs after it was renamed. */
  path: string
  archived: boolean
  /** Permissions that are missing, in the host's own words; empty when none is. */
  missing: string[]
  /** Permissions that are missing to tell who may write, in the same words. Without them no comment is followed. */
  missingForComments?: string | undefined
  /** Permissions that are missing to answer comments and to set labels. Jobs publish without. */
  missingForReplies?: string | undefined
  /** When the credential expires, where the host tells. */
  expiresAt?: Date | undefined
}

/** A state that people see beside a commit. */
export interface CommitStatus {
  state: 'pending' | 'success' | 'failure'
  description: string
  link: string
}

/** An open change request of code, as far as a preview of its documentation needs it. Everything that people wrote is untrusted. */
export interface CodeRequest {
  number: number
  link: string
  title: string
  body: string
  head: string
  base: string
  /** Of its branch. Some hosts shorten it. */
  headCommit: string
  /** It comes from another repository, or from one that is gone. */
  isFork: boolean
  author: string
  labels: readonly string[]
  updatedAt: Date
}

/** Change requests of a repository whose code is documented elsewhere. */
export interface CodeRequests {
  /** Those that changed last first, at most 50. */
  list(): Promise<CodeRequest[]>
  /**
   * Makes the one comment with this marker say this, however often it is called.
   * @param onlyEdit nothing is said where there is no such comment yet
   */
  keepComment(number: number, body: string, marker: string, onlyEdit?: boolean): Promise<void>
}

/** One repository of a host. Every call can be repeated safely, has a deadline, and waits out rate limits within it. */
export interface HostedRepository {
  forge: Forge
  merging: Merging
  codeRequests: CodeRequests
  /**
   * For git over https in the repository, or in the fork where there is one; good for ten more minutes at least.
   * `renew` after it was refused.
   */
  gitCredential(target?: 'repository' | 'fork', renew?: boolean): Promise<Credential>
  /** @throws AppError `unauthorized`, `forbidden`, `not_found` or `unavailable` that says what to do */
  checkAccess(): Promise<HostAccess>
  /**
   * The repository's path as its host calls it now, by one request that reads.
   * @throws AppError as `checkAccess` does
   */
  presentPath(): Promise<string>
  /** @param marker makes a repeated post find its comment instead of making another */
  postComment(number: number, body: string, marker: string): Promise<void>
  /** Acknowledges a comment by the reaction "eyes" or the host's nearest equivalent. */
  react(number: number, commentId: string): Promise<void>
  setStatus(commit: string, status: CommitStatus): Promise<void>
  /**
   * Sets up a webhook that calls `url`, signed with `secret`, and removes those that call other addresses of this
   * server for the same project.
   * @returns false where the credential may not do that
   */
  ensureWebhook(url: string, secret: string): Promise<boolean>
  /**
   * Set while few requests are left of those that the host allows: work that can wait should wait until this time.
   */
  scarceUntil(): Date | undefined
  /**
   * Removes the webhook that `ensureWebhook` made, even if the server had another address then.
   * @returns false where the credential may not do that
   */
  removeWebhook(url: string): Promise<boolean>
}

/** Something that happened on a host. */
export type HostEvent =
  /** `commit` is undefined when the branch was deleted. */
  | { type: 'push'; path: string; branch: string; commit: string | undefined }
  | { type: 'request'; path: string; number: number; state: 'open' | 'merged' | 'closed' }
  /**
   * Somebody, or this server (`own`), wrote a comment. `comment` is undefined where the host tells too little about
   * it. `forge.commentsSince` has all comments, and knows who may write.
   */
  | {
      type: 'comment'
      path: string
      number: number
      comment: Omit<Comment, 'trusted'> | undefined
      own: boolean
    }

/** The port: one kind of git host. */
export interface Host {
  kind: HostKind
  /** As people know it: `GitHub`. */
  name: string
  /** Sites that are known to be of this kind: `https://github.com`. */
  sites: readonly string[]
  /**
   * Opens a repository. `fork` is where branches are pushed when it is not the repository itself.
   */
  open(
    ports: HostPorts,
    credential: HostCredential,
    repository: RepositoryAddress,
    fork: RepositoryAddress | undefined,
  ): HostedRepository
  /** Asks a site without a credential whether it is of this kind. */
  detect(ports: HostPorts, site: string): Promise<boolean>
  /**
   * Verifies the signature over the raw body, and reads what happened. Events of other kinds give an empty list.
   * @throws AppError `unauthorized` for a missing or wrong signature, `invalid` for a body that cannot be read
   */
  readWebhook(headers: Headers, body: Uint8Array, secret: string): HostEvent[]
}
