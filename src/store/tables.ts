import type { ColumnType, Generated } from 'kysely'

/** Read as parsed JSON; written through `json()` of database.ts. */
type Json<T> = ColumnType<T, unknown, unknown>
type Time = ColumnType<Date, Date | undefined, Date>
type MaybeTime = ColumnType<Date | null, Date | null | undefined, Date | null>
type Maybe<T> = ColumnType<T | null, T | null | undefined, T | null>

/** What the migrations make, as Kysely sees it. Feature modules narrow the JSON columns. */
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
    fingerprint: Maybe<string>
    generation: Generated<number>
    page_count: Generated<number>
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
    input_tokens: Generated<number>
    output_tokens: Generated<number>
    created_at: Time
    started_at: MaybeTime
    finished_at: MaybeTime
  }
  steps: { turn_id: string; n: number; response: Json<unknown>; results: Json<unknown>; created_at: Time }
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
    outcome: Maybe<'answered' | 'unanswered' | 'stopped' | 'failed'>
    cause: Maybe<string>
    created_at: Time
  }
  sign_in_links: { hash: string; created_at: Time; expires_at: Time; used_at: MaybeTime }
  sessions: { hash: string; csrf_token: string; created_at: Time; expires_at: Time }
}

export interface PullRequestColumn {
  link: string
  number: number
  state: 'open' | 'merged' | 'closed'
}

export interface FailureColumn {
  code: string
  message: string
}

export interface CheckColumn {
  check: string
  path: string
  line: number | null
  message: string
}

export interface ChangeColumn {
  path: string
  oldPath: string | null
  status: 'added' | 'modified' | 'deleted' | 'renamed'
  additions: number
  deletions: number
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
}

interface SectionColumn {
  headings: string[]
  anchor: string | null
  text: string
}

export interface SourceColumn {
  path: string
  url: string
  title: string
}
