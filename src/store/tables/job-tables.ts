import type { Generated } from 'kysely'
import type {
  AboutChangeColumn,
  AskedByColumn,
  BudgetColumn,
  ChangeColumn,
  ChoiceColumn,
  CheckColumn,
  FailureColumn,
  MaterialColumn,
  OutcomeColumn,
  PassingTroubleColumn,
  PublicationColumn,
  PullRequestColumn,
} from '../columns.ts'
import type { Json, Maybe, MaybeTime, Time } from './column-types.ts'

/** Jobs, their turns and reviews, and what their hosts and webhooks are told. */
export interface JobTables {
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
    checked_commit: Maybe<string>
    changes: Json<ChangeColumn[]>
    revision: Generated<number>
    gap_id: Maybe<string>
    evidence: Maybe<string>
    about_change: Json<AboutChangeColumn | null>
    about_thread: Maybe<string>
    about_question: Maybe<number>
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
    choices: Json<ChoiceColumn[] | null>
    parked_until: MaybeTime
    parked_since: MaybeTime
    parks: Generated<number>
    parked_for: Maybe<PassingTroubleColumn>
    waited_for_model: Generated<number>
    material: Json<MaterialColumn | null>
    about_change: Json<AboutChangeColumn | null>
    evidence: Maybe<string>
    traceparent: Maybe<string>
    person_id: Maybe<string>
    slices: Generated<number>
    yielded_at: MaybeTime
    created_at: Time
    started_at: MaybeTime
    finished_at: MaybeTime
  }
  job_claims: { job_id: string; id: string; claimed_until: Date }
  project_turns: { project_id: string; taken_at: Date }
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
}
