import type { Generated } from 'kysely'
import type {
  AnswerOutcomeColumn,
  AskedByColumn,
  AskerColumn,
  CallerColumn,
  ContextColumn,
  FeedbackReasonColumn,
  GapCauseColumn,
  NearestColumn,
  SourceColumn,
} from '../columns.ts'
import type { Json, Maybe, MaybeTime, Time } from './column-types.ts'

/** What the assistant writes, and what is learned from its readers. */
export interface AssistantTables {
  agent_feedback: {
    id: Generated<number>
    project_id: string
    path: Maybe<string>
    query: Maybe<string>
    rating: 'up' | 'down'
    note: Maybe<string>
    created_at: Time
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
    context: Json<ContextColumn[]>
    sources: Json<SourceColumn[]>
    outcome: Maybe<AnswerOutcomeColumn>
    cause: Maybe<string>
    missing: Json<string[]>
    caller: Generated<CallerColumn>
    page: Maybe<string>
    model: Maybe<string>
    milliseconds: Maybe<number>
    chat_id: Maybe<string>
    pinned: Maybe<string>
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
  pinned_answers: {
    id: string
    project_id: string
    questions: Json<string[]>
    answer: string
    author: Json<AskedByColumn | null>
    created_at: Time
    changed_by: Json<AskedByColumn | null>
    changed_at: Time
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
}
