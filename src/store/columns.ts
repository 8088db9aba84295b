export interface PullRequestColumn {
  link: string
  number: number
  state: 'open' | 'merged' | 'closed'
}

/** Who asked a question, as far as it decides who may resume its answer. */
export interface AskerColumn {
  key?: string | undefined
  person?: string | undefined
  origin?: string | undefined
  address?: string | undefined
  /** Whether the thread's id is a secret of this server's making. */
  minted: boolean
}

/** A page in the order of the site's navigation. */
export interface NavigationColumn {
  path: string
  groups?: string[]
  label?: string
  isOutside?: boolean
}

export interface FailureColumn {
  code: string
  message: string
  /** What is in the way of publishing the changes that the turn has left: at most 200. */
  files?: ViolationColumn[] | undefined
}

export interface CheckColumn {
  check: string
  /** Errors are new and make the pull request a draft. Warnings are only shown. */
  severity: 'error' | 'warning'
  path: string
  line: number | null
  message: string
  /** What to do about it. */
  hint: string | null
  /** What a person may allow, where the policy refused it. */
  approval?: ApprovalColumn
}

/**
 * What a turn that has not failed came to. `nothing_done`: the agent said that it was done, but no file was changed.
 */
export type OutcomeColumn = 'changed' | 'no_change' | 'nothing_done' | 'needs_input'

/** What a question of the assistant came to. */
export type AnswerOutcomeColumn =
  | 'answered'
  | 'partial'
  | 'weak'
  | 'unanswered'
  | 'uncited'
  | 'clarified'
  | 'greeting'
  | 'refused'
  | 'failed'
  | 'stopped'

/** Why a question belongs to a gap. */
export type GapCauseColumn = 'nothing_found' | 'weak' | 'uncited' | 'partial' | 'downvoted' | 'search'

/** A section that comes close to what a gap asks for. */
export interface NearestColumn {
  path: string
  url: string
  title: string
  heading: string | null
}

/** What a question or a search came through. `web`: a web page that is not the widget. */
export type CallerColumn = 'web' | 'api' | 'mcp' | 'widget' | 'chat'

export type FeedbackReasonColumn =
  | 'incorrect'
  | 'incomplete'
  | 'outdated'
  | 'irrelevant'
  | 'unclear'
  | 'other'

/** What a turn waits for. */
export type PassingTroubleColumn = 'host' | 'machine' | 'model'

/** Who asked for a prompt. `comment`: the author of a comment on a git host, whose name is untrusted. */
/** An answer that the agent offers with its question. */
export interface ChoiceColumn {
  label: string
  note?: string
  suggested?: boolean
}

export interface AskedByColumn {
  kind: 'person' | 'key' | 'operator' | 'comment' | 'automation'
  name: string
  /** Of the person, the key, or the automation. */
  id?: string
}

/** What the policy holds against the changes: of one file, or of all together where the path is empty. */
export interface ViolationColumn {
  path: string
  line: number | null
  /** A sentence without the path. */
  message: string
  /** It is published nevertheless, as a draft, for a person to look at. */
  degree?: 'look'
  /** What a person may allow, so that it holds no more. */
  approval?: ApprovalColumn
}

/** A host that pages load from, a module as a page imports it, or a part of a page by its name. */
export interface ApprovalColumn {
  kind: 'host' | 'import' | 'part'
  value: string
}

/** Limits of the work on one prompt; absent: the next wider limit holds. */
export interface BudgetColumn {
  /** Model calls. */
  steps?: number | undefined
  /** Tokens in and out together. */
  tokens?: number | undefined
  /** Millionths of a US dollar. */
  cost?: number | undefined
  /** Minutes of work. */
  minutes?: number | undefined
}

export interface ChangeColumn {
  path: string
  oldPath: string | null
  status: 'added' | 'modified' | 'deleted' | 'renamed'
  additions: number
  deletions: number
  /** Set for a file whose newest changes were not published and are kept; never stored. */
  kept?: boolean
}

export interface PublicationColumn {
  commit: string
  /** The base's commit that the branch stands on: what the changes are counted against. */
  base: string
  title: string
  body: string
  summary: string
  /** What the whole pull request changes, with the turns before this one. Absent: the summary says it. */
  description?: string
  checks: CheckColumn[]
  changes: ChangeColumn[]
  /** The pull request is opened as a draft: problems are left, or a person decided to publish what was kept. */
  draft: boolean
  /** Files that the turn has changed and that are not in the commit: they are kept. Absent: none. */
  leftOut?: string[]
  /** Why this turn changed what it changed. */
  pages: PageColumn[]
  /** The branch's commit when the work was rebased onto people's pushes, and how often that happened. */
  onto: string | null
  moves: number
}

export interface PageColumn {
  path: string
  /** Empty where it is not known. */
  reason: string
  /** `file:line`, `@repository/file:line`, an address, `commit …` or `the prompt`: what the model was shown. */
  sources: string[]
  /** Addresses by source, where there is a page for it. */
  links?: Record<string, string>
  /** A tool changed it along with other pages. */
  follows?: true
}

/** A change of code: a commit, a pull request or a range, of a context repository or the project's own. */
export interface AboutChangeColumn {
  /** The name of a context repository. */
  repository?: string
  /** Beside a pull request: its newest commit, where that is known. */
  commit?: string
  pullRequest?: number
  range?: string
}

/** The event that gave a rule a run. Titles and names in it are strangers'. */
export interface RunCauseColumn {
  kind: 'push' | 'merged' | 'pull' | 'tag' | 'schedule' | 'gap' | 'call'
  /** The name of a context repository; absent: the project's own. */
  repository?: string
  branch?: string
  tag?: string
  /** The commits before and after. */
  from?: string
  to?: string
  /** Of the pull request. */
  number?: number
  /** What its authors call it. */
  title?: string
  /** Its authors say that it is a feature or breaks something. */
  isNotable?: boolean
  /** The pull request comes from a fork. */
  isFork?: boolean
  /** Its authors want no preview, in their words. */
  optOut?: string
  /** Pushes that were gathered into one run. */
  events?: number
  gapId?: string
  /** The time that a schedule names, as ISO text. */
  at?: string
  by?: AskedByColumn
}

/** A change of code as it was found, with what the documentation says of it. */
export interface CodeChangeColumn {
  /** `@name` of a context repository; null for the project's own. */
  repository: string | null
  /** What people call it. */
  name: string
  /** The commit after the change, and the one before. */
  id: string
  parent: string
  /** Of the commit, or the subjects of all of them. */
  message: string
  files: {
    path: string
    oldPath?: string
    status: string
    additions: number
    deletions: number
    /** Why its lines are not in the diff. */
    folded?: 'test' | 'generated' | 'binary'
  }[]
  /** Files that are not named. */
  moreFiles: number
  /** With line numbers; empty where there is none. */
  diff: string
  truncated: boolean
  names: ChangedNameColumn[]
  /** Pages that changed together with these files before, with how often. */
  together: { path: string; count: number }[]
  /** The pages that it touches most likely, the first first. Absent in turns of older versions. */
  pages?: { path: string; level: string; why: string[] }[]
  /** Pages that are made by a program, of those that name something. */
  generated: string[]
  /** Why names were not looked up. */
  unread?: string
}

/** A name that a change has changed, and where the documentation names it, in any spelling. */
export interface ChangedNameColumn {
  name: string
  change: 'removed' | 'new' | 'changed'
  places: { path: string; line: number; text: string }[]
  /** Pages that are not listed. */
  morePages: number
}

/** What a turn starts with beside its prompt. It is found once and stays the same after every restart. */
export interface MaterialColumn {
  /** The base that was merged into the branch before the turn, or could not be. */
  merge: { base: string; state: 'merged' | 'refused'; conflicts: ConflictColumn[] } | null
  /** Changed files that were taken over from a turn that did not publish them. */
  carried: { turn: number; reason: string; paths: string[]; conflicts: ConflictColumn[] } | null
  /** What earlier turns did, as lines of JSON within a budget. Absent in turns of older versions. */
  history?: string[] | undefined
  /** The commits that conflict markers name. */
  markers: string[]
  /** Open pull requests that touch pages which the prompt is likely about. */
  related: RelatedColumn[]
  /** The change of code that the job documents. */
  change?: CodeChangeColumn | undefined
  /** People's comments on the job's pull request since the turn before. */
  comments: CommentColumn[]
}

export interface ConflictColumn {
  path: string
  /** `markers`: in the text, to be resolved. `kept`: no text, so it stays as the branch had it. */
  state: 'markers' | 'kept'
  /** Lines of seven equals signs that belong to the text itself. */
  rules: number
}

export interface RelatedColumn {
  number: number
  /** Null for a pull request of the local forge, whose link opens it without a session. */
  link: string | null
  title: string
  pages: string[]
}

export interface CommentColumn {
  id: string
  author: string
  body: string
  at: string
  /** Of someone who may write to the repository. */
  trusted: boolean
  path: string | null
  line: number | null
}

/** What the repository asks of the assistant. */
export interface AssistantFileColumn {
  /** Of the file; null where there is none. */
  path: string | null
  /** The commit that was read. */
  commit: string
  guidance: {
    instructions?: string | undefined
    starters?: string[] | undefined
    refuse?: string[] | undefined
    contact?: string | undefined
  }
  /** What is wrong with the file. */
  problems: string[]
}

/** How far the enrichment of a project is. Empty before it began. */
export interface EnrichmentColumn {
  /** `ceiling`: it goes on with the next month, or when the ceiling is raised. `failed`: it is tried again. */
  state?: 'running' | 'ready' | 'ceiling' | 'failed'
  /** Sections. */
  done?: number
  total?: number
  error?: string
  /** ISO time. */
  retryAt?: string
  notice?: string
  /** ISO time from which the model of vectors is looked at again. */
  checkAt?: string
  /** The settings and the generation of the pages that it is about. */
  settings?: { questions?: string | undefined; vectors?: string | undefined; ceiling?: number | undefined }
  generation?: number
}

export interface SectionColumn {
  headings: string[]
  anchor: string | null
  text: string
}

/** A page or section that an answer links to. Older rows hold only path, address and title. */
export interface SourceColumn {
  path: string
  url: string
  title: string
  /** The section's heading path; undefined for the page as a whole. */
  heading?: string | undefined
  anchor?: string | undefined
  /** Git's id of the file as it was indexed; undefined for a page that is gone. */
  revision?: string | undefined
  /** The words of the answer that the link stands for, as plain text. */
  words?: string[]
}

/** Text or code that a reader had selected for a question, or was looking at. */
export interface ContextColumn {
  type: 'code' | 'textSelection' | null
  value: string
  /** The file or page it is from. */
  path: string | null
}

/** What a check of a whole site found. */
export interface SiteCheckColumn {
  pages: number
  checkedLinks: number
  /** How many problems there are of each kind. */
  counts: Record<string, number>
  /** How many of them may be meant so; results of older versions do not tell. */
  doubtful?: Record<string, number>
  /** The first of them, as a page shows no more. */
  problems: {
    kind: string
    path: string
    line: number
    message: string
    hint?: string
    isWarning?: true
  }[]
  notLookedAt: { kind: string; count: number }[]
  /** What the repository says is no problem; results of older versions do not tell. */
  ignored?: { count: number; wrong: { line: number; message: string }[] }
}
