import type { ColumnType, Generated } from 'kysely'

/** Read as parsed JSON; written through `json()` of database.ts. */
type Json<T> = ColumnType<T, unknown, unknown>
type Time = ColumnType<Date, Date | undefined, Date>
type MaybeTime = ColumnType<Date | null, Date | null | undefined, Date | null>
type Maybe<T> = ColumnType<T | null, T | null | undefined, T | null>

/** The tables that the migrations create, for Kysely. Features narrow the JSON columns. */
export interface Tables {
  organizations: { id: string; name: string; is_default: Generated<boolean>; created_at: Time }
  projects: {
    id: string
    organization_id: string
    domain: string
    kind: 'path' | 'https'
    is_demo: Generated<boolean>
    location: string
    ref: string
    root: string
    site: Maybe<string>
    framework: Maybe<string>
    sync_state: Generated<'pending' | 'syncing' | 'ready' | 'failed'>
    sync_progress: Json<{ phase: string; done: number; total: number | null } | null>
    sync_error: Maybe<string>
    synced_commit: Maybe<string>
    synced_at: MaybeTime
    unreadable_files: Generated<{ path: string; oid: string; parser: number; message: string }[]>
    page_folders: ColumnType<{ folder: string; pages: number }[], unknown, unknown>
    enrichment: ColumnType<unknown, unknown, unknown>
    enrichment_revision: Generated<number>
    fingerprint: Maybe<string>
    generation: Generated<number>
    page_count: Generated<number>
    follows_default: Generated<boolean>
    former_refs: ColumnType<string[], unknown, unknown>
    settings: ColumnType<unknown, unknown, unknown>
    created_at: Time
  }
  keys: {
    id: string
    kind: 'admin' | 'assistant'
    organization_id: string
    project_id: Maybe<string>
    name: string
    hash: string
    hint: string
    origins: Json<string[]>
    scopes: Json<string[]>
    addresses: Json<string[]>
    created_at: Time
    expires_at: MaybeTime
    revoked_at: MaybeTime
    last_used_at: MaybeTime
  }
  limits: { scope: string; uses: number; used_at: Time }
  limit_uses: { scope: string; slot: number; used_at: Time }
  jobs: {
    id: string
    project_id: string
    status: 'active' | 'completed' | 'archived' | 'failed'
    title: Maybe<string>
    model: string
    base: string
    branch: string
    draft: boolean
    draft_for_checks: Generated<boolean>
    budget: Json<BudgetColumn>
    head_commit: Maybe<string>
    base_commit: Maybe<string>
    pull_request: Json<PullRequestColumn | null>
    failure: Json<FailureColumn | null>
    checks: Json<CheckColumn[]>
    changes: Json<ChangeColumn[]>
    revision: Generated<number>
    created_at: Time
    updated_at: Time
    archived_at: MaybeTime
  }
  turns: {
    id: string
    job_id: string
    n: number
    prompt: string
    status: 'queued' | 'running' | 'completed' | 'failed' | 'cancelled'
    start_commit: Maybe<string>
    base_commit: Maybe<string>
    branch: Maybe<string>
    branch_commit: Maybe<string>
    publication: Json<PublicationColumn | null>
    summary: Maybe<string>
    failure: Json<FailureColumn | null>
    outcome: Maybe<OutcomeColumn>
    input_tokens: Generated<number>
    cached_input_tokens: Generated<number>
    output_tokens: Generated<number>
    cost: Maybe<number>
    parents: Json<string[] | null>
    worked: Generated<number>
    starts: Generated<number>
    carried_from: Maybe<string>
    publishes: Generated<boolean>
    parked_until: MaybeTime
    parked_since: MaybeTime
    parks: Generated<number>
    parked_for: Maybe<PassingTroubleColumn>
    waited_for_model: Generated<number>
    material: Json<MaterialColumn | null>
    created_at: Time
    started_at: MaybeTime
    finished_at: MaybeTime
  }
  steps: {
    turn_id: string
    n: number
    response: Json<unknown>
    results: Json<unknown>
    model: Maybe<string>
    input_tokens: Generated<number>
    cached_input_tokens: Generated<number>
    output_tokens: Generated<number>
    cost: Maybe<number>
    created_at: Time
  }
  usage_days: {
    project_id: string
    day: string
    surface: 'agent' | 'assistant' | 'enrichment'
    model: string
    calls: Generated<number>
    input_tokens: Generated<number>
    cached_input_tokens: Generated<number>
    output_tokens: Generated<number>
    cost: Maybe<number>
  }
  idempotent_requests: {
    project_id: string
    operation: string
    key: string
    request_hash: string
    response: string
    created_at: Time
  }
  webhooks: {
    id: string
    project_id: string
    url: string
    secret: string
    events: Json<string[]>
    created_at: Time
    disabled_at: MaybeTime
  }
  webhook_messages: {
    id: string
    webhook_id: string
    job_id: Maybe<string>
    type: string
    payload: string
    state: 'pending' | 'delivered' | 'failed'
    attempts: Generated<number>
    next_attempt_at: MaybeTime
    claimed_until: MaybeTime
    created_at: Time
    delivered_at: MaybeTime
  }
  webhook_attempts: {
    message_id: string
    n: number
    at: Time
    status: Maybe<number>
    error: Maybe<string>
    milliseconds: number
  }
  pull_request_comments: {
    project_id: string
    number: number
    n: number
    author: string
    body: string
    created_at: Time
  }
  project_hosts: {
    project_id: string
    kind: 'github' | 'gitlab' | 'gitea' | 'bitbucket' | 'git'
    site: string
    path: string
    fork_path: Maybe<string>
    credential: Maybe<string>
    login: Maybe<string>
    webhook_secret: Generated<string>
    webhook_state: Generated<'none' | 'active'>
    revision: Generated<number>
    created_at: Time
  }
  host_requests: {
    job_id: string
    project_id: string
    number: number
    due_at: MaybeTime
    comments_since: MaybeTime
    status_due_at: MaybeTime
    looked_at: MaybeTime
    /** How many ends came close together so far. */
    looks: Generated<number>
  }
  host_comments: {
    project_id: string
    comment_id: string
    job_id: string
    number: number
    turn: Maybe<number>
    refusal: Maybe<string>
    acknowledged: Generated<boolean>
    attempts: Generated<number>
    due_at: MaybeTime
    created_at: Time
  }
  host_deliveries: { project_id: string; id: string; created_at: Time }
  overlay_files: { turn_id: string; path: string; content: Maybe<Uint8Array> }
  events: { job_id: string; n: number; turn: number; type: string; data: Json<unknown>; created_at: Time }
  pull_requests: {
    project_id: string
    number: number
    token: string
    title: string
    body: string
    head: string
    base: string
    state: 'open' | 'merged' | 'closed'
    draft: boolean
    head_commit: string
    base_commit: string
    merge_commit: Maybe<string>
    created_at: Time
    closed_at: MaybeTime
  }
  pages: {
    project_id: string
    path: string
    oid: string
    included: Json<Record<string, string>>
    url: string
    title: string
    description: Maybe<string>
    language: Maybe<string>
    version: Maybe<string>
    groups: Json<string[]>
    sections: Json<SectionColumn[]>
    content: string
    hidden: boolean
    generation: number
  }
  navigations: { project_id: string; entries: Json<[path: string, group: string | null][]> }
  enriched_pages: {
    project_id: string
    path: string
    generation: number
    revision: number
    sections: Json<[hash: string, bytes: number][]>
    done: Maybe<string>
  }
  section_questions: {
    project_id: string
    hash: string
    model: string
    questions: Json<string[]>
    context: string
  }
  section_vectors: { project_id: string; hash: string; model: string; scale: number; numbers: Uint8Array }
  threads: {
    project_id: string
    id: string
    minted: boolean
    created_at: Time
    updated_at: Time
  }
  messages: {
    project_id: string
    thread_id: string
    n: number
    id: string
    fp: string
    replaces: Maybe<number>
    role: 'user' | 'assistant'
    text: string
    sources: Json<SourceColumn[]>
    outcome: Maybe<AnswerOutcomeColumn>
    cause: Maybe<string>
    caller: Generated<CallerColumn>
    page: Maybe<string>
    model: Maybe<string>
    milliseconds: Maybe<number>
    chat_id: Maybe<string>
    created_at: Time
  }
  feedback: {
    project_id: string
    thread_id: string
    n: number
    fp: string
    rating: 'up' | 'down'
    reason: Maybe<FeedbackReasonColumn>
    note: Maybe<string>
    caller: CallerColumn
    created_at: Time
  }
  searches: {
    id: Generated<number>
    project_id: string
    query: string
    results: number
    confidence: number
    caller: CallerColumn
    fp: Maybe<string>
    milliseconds: number
    created_at: Time
  }
  answer_streams: {
    project_id: string
    thread_id: string
    n: number
    asker: Json<AskerColumn | null>
    wanted_at: Time
    written_at: MaybeTime
    ended: Generated<boolean>
    delivered: Generated<boolean>
  }
  answer_stream_parts: { project_id: string; thread_id: string; n: number; part: number; text: string }
  sign_in_links: { hash: string; created_at: Time; expires_at: Time; used_at: MaybeTime }
  sessions: { hash: string; csrf_token: string; created_at: Time; expires_at: Time }
}

export interface PullRequestColumn {
  link: string
  number: number
  state: 'open' | 'merged' | 'closed'
}

/** Who asked a question, as far as it decides who may resume its answer. */
export interface AskerColumn {
  key?: string | undefined
  origin?: string | undefined
  address?: string | undefined
  /** Whether the thread's id is a secret of this server's making. */
  minted: boolean
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
  | 'unanswered'
  | 'uncited'
  | 'clarified'
  | 'greeting'
  | 'refused'
  | 'failed'
  | 'stopped'

/** What a question or a search came through. `web`: a web page that is not the widget. */
export type CallerColumn = 'web' | 'api' | 'mcp' | 'widget'

export type FeedbackReasonColumn =
  | 'incorrect'
  | 'incomplete'
  | 'outdated'
  | 'irrelevant'
  | 'unclear'
  | 'other'

/** What a turn waits for. */
export type PassingTroubleColumn = 'host' | 'machine' | 'model'

/** What the policy holds against the changes: of one file, or of all together where the path is empty. */
export interface ViolationColumn {
  path: string
  line: number | null
  /** A sentence without the path. */
  message: string
  /** What a person may allow, so that it holds no more. */
  approval?: ApprovalColumn
}

/** A host that pages load from, or a module as a page imports it. */
export interface ApprovalColumn {
  kind: 'host' | 'import'
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
  reason: string
  /** `file:line`, `@repository/file:line` or `the prompt`. */
  sources: string[]
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

interface SectionColumn {
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
