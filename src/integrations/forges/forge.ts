/** A pull request, or merge request, as every forge has it. */
export interface ChangeRequest {
  number: number
  /** Where a person opens it: an address, or a path on this server for pull requests of the local forge. */
  link: string
  state: 'open' | 'merged' | 'closed'
  head: string
  base: string
  /** Whether it is a draft; undefined where the forge does not tell. */
  draft?: boolean | undefined
}

export interface ChangeRequestText {
  title: string
  body: string
}

/**
 * A change of an open change request. Fields that are missing stay as they are. Its title is people's from the moment
 * that it is open, and so is what they wrote beside this server's part of the text.
 */
export interface RequestUpdate {
  /** This server's part of its text. */
  body?: string | undefined
  /** What it had written before, by which a part without marks is recognized. */
  former?: string | undefined
  /** Marks a draft as ready. Where the host refuses that, the answer still says that it is a draft. */
  draft?: false | undefined
  /** Another branch to merge into. */
  base?: string | undefined
  /** Closes it without merging, and changes nothing else. One that has ended stays as it is. */
  state?: 'closed' | undefined
}

/** An open change request as others see it. */
export interface OpenRequest {
  number: number
  link: string
  title: string
  head: string
}

/** A person's comment on a change request. Comments of this server are left out. */
export interface Comment {
  /** Stays the same as long as the comment is there. */
  id: string
  author: string
  /** Markdown, untrusted. */
  body: string
  createdAt: Date
  /** Whether the author may write to the repository; undefined where the host does not tell this credential. */
  trusted: boolean | undefined
  /** Set when the host marks the author as a program. Two programs that answer each other would never stop. */
  bot?: true | undefined
  /** The author's permanent id, on hosts where anyone may take the name in `author`. */
  account?: string | undefined
  /** The file of a comment on the diff. */
  path?: string | undefined
  /** The last of its lines; undefined for a comment on the whole file. */
  line?: number | undefined
  /** The first of several lines. */
  startLine?: number | undefined
  /** The lines are of the file as it was before the change. */
  side?: 'old' | undefined
  /** The commit whose file has these lines, where the host tells. */
  commit?: string | undefined
  /** The lines are of an earlier state of the change. */
  outdated?: true | undefined
}

/** Where a comment on the diff is. */
export type CommentPlace = Pick<Comment, 'path' | 'line' | 'startLine' | 'side' | 'commit' | 'outdated'>

/** A new change request, with its branches and the people who shall look at it. */
export interface NewRequest extends ChangeRequestText {
  /** The repository's form for descriptions, which people complete. */
  template?: string | undefined
  head: string
  base: string
  draft: boolean
  /** Whether maintainers of the base may push to the branch of a fork; they may unless this is false. */
  maintainersMayPush?: false | undefined
  /**
   * By name. Labels and people that the host does not know are left out, and never keep the change request from
   * being opened.
   */
  labels?: readonly string[] | undefined
  /** Logins; `group/team` where the host has teams. */
  reviewers?: readonly string[] | undefined
  assignees?: readonly string[] | undefined
}

/** The most comments in one answer of `commentsSince`. */
export const mostComments = 1000

/** The port: what publishing a job needs of one repository's forge. Every call can be repeated safely. */
export interface Forge {
  /** Set where the forge has no change requests: only branches are pushed, and `open` is never called. */
  branchesOnly?: true
  /** The newest change request of a head branch, in any state. */
  findByHead(head: string): Promise<ChangeRequest | undefined>
  /** Opens a change request, or returns the open one of the same head unchanged. */
  open(request: NewRequest): Promise<ChangeRequest>
  update(number: number, change: RequestUpdate): Promise<ChangeRequest>
  /** @param options `within`: what was seen so many milliseconds ago will do, where looking is dear */
  read(number: number, options?: { within?: number }): Promise<ChangeRequest | undefined>
  /** Newest first, at most 50. */
  listOpen(): Promise<OpenRequest[]>
  /**
   * The files that it changes, including old names of renamed ones, at most 3,000; empty when there is no such
   * change request.
   */
  changedPaths(number: number): Promise<string[]>
  /** The comments made at `since` or later, or all of them, oldest first; at most the newest `mostComments`. */
  commentsSince(number: number, since: Date | undefined): Promise<Comment[]>
}
