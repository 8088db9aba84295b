/** A pull request, or merge request, as every forge has it. */
export interface ChangeRequest {
  number: number
  /** Where a person opens it: an address, or a path on this server for what lives here. */
  link: string
  state: 'open' | 'merged' | 'closed'
  head: string
  base: string
  /** Marked as not ready, by whoever; undefined where the forge does not tell. */
  draft?: boolean | undefined
}

export interface ChangeRequestText {
  title: string
  body: string
}

/** What becomes of an open change request; what is not named stays as it is. */
export interface RequestUpdate extends ChangeRequestText {
  /** Marks a draft as ready. Where the host does not let us, it stays a draft, as the answer tells. */
  draft?: false | undefined
  /** Another branch to merge into. */
  base?: string | undefined
}

/** An open change request as others see it. */
export interface OpenRequest {
  number: number
  link: string
  title: string
  head: string
}

/** What a person said on a change request; ours are not among them. */
export interface Comment {
  /** Stays the same as long as the comment is there. */
  id: string
  author: string
  /** Markdown, untrusted. */
  body: string
  createdAt: Date
  /** Of someone who may write to the repository; undefined where the host does not tell this credential. */
  trusted: boolean | undefined
  /** Of a program, as the host marks them: two that answer each other would never end. */
  bot?: true | undefined
  /** What names the author for good, where `author` is only a name that anyone may take. */
  account?: string | undefined
  /** Of a comment on a file of the diff. */
  path?: string | undefined
  line?: number | undefined
}

/** What a new change request is about and from, and who shall look at it. */
export interface NewRequest extends ChangeRequestText {
  head: string
  base: string
  draft: boolean
  /** By name. What a host does not know or take of these three is left out; it never stops the opening. */
  labels?: readonly string[] | undefined
  /** Logins; `group/team` where the host has teams. */
  reviewers?: readonly string[] | undefined
  assignees?: readonly string[] | undefined
}

/** Of one answer to `commentsSince`. */
export const mostComments = 1000

/** The port: what publishing a job needs of one repository's forge. Every call can be repeated safely. */
export interface Forge {
  /** Set where there are no change requests at all: what is pushed is all there is, and `open` is never called. */
  branchesOnly?: true
  /** The newest change request of a head branch, in whatever state. */
  findByHead(head: string): Promise<ChangeRequest | undefined>
  /** Opens one; an open one of the same head is returned as it is. */
  open(request: NewRequest): Promise<ChangeRequest>
  update(number: number, change: RequestUpdate): Promise<ChangeRequest>
  /** @param options `within`: what was seen so many milliseconds ago will do, where looking is dear */
  read(number: number, options?: { within?: number }): Promise<ChangeRequest | undefined>
  /** Newest first, at most 50. */
  listOpen(): Promise<OpenRequest[]>
  /** Files that it touches, the old names of renamed ones among them, at most 3,000; none when there is no such. */
  changedPaths(number: number): Promise<string[]>
  /** Oldest first, made at `since` or later, at most the newest of `mostComments`; all of them when not given. */
  commentsSince(number: number, since: Date | undefined): Promise<Comment[]>
}
