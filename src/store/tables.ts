import type { ColumnType, Generated } from 'kysely'
import type {
  AnswerOutcomeColumn,
  AskedByColumn,
  AskerColumn,
  AssistantFileColumn,
  BudgetColumn,
  CallerColumn,
  ChangeColumn,
  CheckColumn,
  EnrichmentColumn,
  FailureColumn,
  FeedbackReasonColumn,
  GapCauseColumn,
  MaterialColumn,
  NearestColumn,
  OutcomeColumn,
  PassingTroubleColumn,
  PublicationColumn,
  PullRequestColumn,
  SourceColumn,
  SectionColumn,
  SiteCheckColumn,
} from './columns.ts'
import type { PeopleTables } from './people-tables.ts'

/** Read as parsed JSON; written through `json()` of database.ts. */
type Json<T> = ColumnType<T, unknown, unknown>
type Time = ColumnType<Date, Date | undefined, Date>
type MaybeTime = ColumnType<Date | null, Date | null | undefined, Date | null>
type Maybe<T> = ColumnType<T | null, T | null | undefined, T | null>

/** The tables that the migrations create, for Kysely. Features narrow the JSON columns. */
export interface Tables extends PeopleTables {
  organizations: {
    id: string
    name: string
    is_default: Generated<boolean>
    first_steps_hidden_at: MaybeTime
    created_at: Time
  }
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
    sync_progress: Json<{ phase: string; done: number; total: number | null; bytes?: number } | null>
    sync_error: Maybe<string>
    synced_commit: Maybe<string>
    synced_at: MaybeTime
    unreadable_files: Generated<{ path: string; oid: string; parser: number; message: string }[]>
    page_folders: ColumnType<{ folder: string; pages: number }[], unknown, unknown>
    enrichment: ColumnType<EnrichmentColumn, unknown, unknown>
    enrichment_revision: Generated<number>
    assistant_file: ColumnType<AssistantFileColumn | null, unknown, unknown>
    fingerprint: Maybe<string>
    generation: Generated<number>
    page_count: Generated<number>
    follows_default: Generated<boolean>
    former_refs: ColumnType<string[], unknown, unknown>
    settings: ColumnType<unknown, unknown, unknown>
    created_at: Time
  }
  site_checks: {
    project_id: string
    subject: string
    progress: Json<{ phase: string; done: number; total: number } | null>
    beat_at: Time
    error: Maybe<string>
    result: Json<SiteCheckColumn | null>
    result_subject: Maybe<string>
    checked_at: MaybeTime
  }
  processes: {
    id: string
    host: string
    pid: number
    kind: 'serve' | 'worker'
    version: string
    memory: number
    free_bytes: number
    trouble: Maybe<string>
    started_at: Date
    seen_at: Time
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
    gap_id: Maybe<string>
    evidence: Maybe<string>
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
    asked_by: Json<AskedByColumn | null>
    not_understood: Generated<boolean>
    parked_until: MaybeTime
    parked_since: MaybeTime
    parks: Generated<number>
    parked_for: Maybe<PassingTroubleColumn>
    waited_for_model: Generated<number>
    material: Json<MaterialColumn | null>
    person_id: Maybe<string>
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
  review_comments: {
    id: string
    job_id: string
    author_id: string
    author: string
    path: string
    side: 'old' | 'new'
    line: number
    end_line: number
    revision: string
    file: string
    quote: string
    body: string
    turn: Maybe<number>
    resolved_at: MaybeTime
    created_at: Time
    updated_at: MaybeTime
  }
  viewed_files: { job_id: string; viewer_id: string; path: string; file: string }
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
  agent_feedback: {
    id: Generated<number>
    project_id: string
    path: Maybe<string>
    query: Maybe<string>
    rating: 'up' | 'down'
    note: Maybe<string>
    created_at: Time
  }
  navigations: { project_id: string; entries: Json<[path: string, ...groups: (string | null)[]][]> }
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
    missing: ColumnType<string[], unknown, unknown>
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
  gaps: {
    id: string
    project_id: string
    name: Maybe<string>
    named_by: Generated<'words' | 'model' | 'person'>
    named_size: Generated<number>
    size: Generated<number>
    nearest: Json<NearestColumn[]>
    nearest_size: Generated<number>
    dismissed_at: MaybeTime
    dismissed_reason: Maybe<string>
    returns_after: Maybe<number>
    checked_job: Maybe<string>
    checked_at: MaybeTime
    verdict: Maybe<'answered' | 'still_open'>
    created_at: Time
  }
  gap_questions: {
    id: Generated<number>
    project_id: string
    gap_id: Maybe<string>
    thread_id: Maybe<string>
    n: Maybe<number>
    search_id: Maybe<number>
    cause: GapCauseColumn
    fp: Maybe<string>
    asked_at: Time
    check_outcome: Maybe<AnswerOutcomeColumn>
    check_cited: Maybe<boolean>
  }
  gap_claims: { project_id: string; claimed_until: Time; read_to: Time }
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
  sign_in_links: {
    hash: string
    makes_owner: Generated<boolean>
    created_at: Time
    expires_at: Time
    used_at: MaybeTime
  }
  sessions: {
    id: string
    hash: string
    csrf_token: string
    person_id: Maybe<string>
    address: Maybe<string>
    device: Maybe<string>
    organization_id: Maybe<string>
    created_at: Time
    expires_at: Time
    last_used_at: Time
  }
}
