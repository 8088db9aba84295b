import type { Credential } from '../git/remote.ts'
import type { Comment, Forge } from './forge.ts'

export type HostKind = 'github' | 'gitlab' | 'gitea' | 'bitbucket'

/** How a server proves itself to a host: in plain text here, and nowhere that is kept or shown. */
export type HostCredential =
  /** A fine-grained, project, group or access token; `username` where the host's git wants a certain one. */
  | { kind: 'token'; token: string; username?: string | undefined }
  /** Installation tokens are made from it, for this repository alone and with no more than what is needed. */
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
  /** Waits, for rate limits; rejects when the signal aborts. */
  delay(milliseconds: number, signal: AbortSignal | undefined): Promise<void>
}

/** What a credential may do in a repository. */
export interface HostAccess {
  /** Who acts, as the host names them; undefined where it does not tell. */
  login: string | undefined
  defaultBranch: string
  /** As it is called now: it may have been renamed. */
  path: string
  archived: boolean
  /** What is missing for the work, in the host's own words for its permissions; empty when nothing is. */
  missing: string[]
  /** What it lacks, in the same words, to tell who may write; without that no comment can be obeyed. */
  missingForComments?: string | undefined
  /** When the credential ends, where the host tells. */
  expiresAt?: Date | undefined
}

/** A state that people see beside a commit. */
export interface CommitStatus {
  state: 'pending' | 'success' | 'failure'
  description: string
  link: string
}

/** One repository of a host. Every call can be repeated safely, has a deadline, and waits out rate limits within it. */
export interface HostedRepository {
  forge: Forge
  /**
   * For git over https in the repository, or in the fork where there is one; good for ten more minutes at least.
   * `renew` after it was refused.
   */
  gitCredential(target?: 'repository' | 'fork', renew?: boolean): Promise<Credential>
  /** @throws AppError `unauthorized`, `forbidden`, `not_found` or `unavailable` that says what to do */
  checkAccess(): Promise<HostAccess>
  /** @param marker makes a repeated post find its comment instead of making another */
  postComment(number: number, body: string, marker: string): Promise<void>
  /** Acknowledges a comment: the reaction "eyes" or what the host has like it. */
  react(number: number, commentId: string): Promise<void>
  setStatus(commit: string, status: CommitStatus): Promise<void>
  /**
   * Sees that the host calls `url`, signing with `secret`, and no other address of this server for the same project;
   * false where the credential may not set that up.
   */
  ensureWebhook(url: string, secret: string): Promise<boolean>
  /**
   * Set while the host has told that few of the requests are left that it allows: what can wait should, until then.
   */
  scarceUntil(): Date | undefined
  /** Removes what `ensureWebhook` made, at whatever address the server had then; false where the credential may not. */
  removeWebhook(url: string): Promise<boolean>
}

/** Something that happened on a host. */
export type HostEvent =
  /** `commit` is undefined when the branch was deleted. */
  | { type: 'push'; path: string; branch: string; commit: string | undefined }
  | { type: 'request'; path: string; number: number; state: 'open' | 'merged' | 'closed' }
  /**
   * Somebody, or we (`own`), said something. `comment` is undefined where the host tells too little of it. Ask
   * `forge.commentsSince` for what was said: it has all of them, and knows who may write.
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
  /** Sites that are surely of this kind: `https://github.com`. */
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
  /** Whether some site, asked without a credential, is of this kind. */
  detect(ports: HostPorts, site: string): Promise<boolean>
  /**
   * Verifies the signature over the raw body, and reads what happened; empty for what does not matter here.
   * @throws AppError `unauthorized` for a missing or wrong signature, `invalid` for a body that cannot be read
   */
  readWebhook(headers: Headers, body: Uint8Array, secret: string): HostEvent[]
}
