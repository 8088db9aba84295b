import type { Generated } from 'kysely'
import type { AskedByColumn, RunCauseColumn } from '../columns.ts'
import type { Json, Maybe, MaybeTime, Time } from './column-types.ts'

/** Rules that give the agent work, what they gave, and what they look at. */
export interface AutomationTables {
  automations: {
    id: string
    project_id: string
    path: Maybe<string>
    name: string
    source: string
    rule: Json<unknown>
    problems: Json<string[]>
    is_on: Generated<boolean>
    next_at: MaybeTime
    author: Json<AskedByColumn | null>
    created_at: Time
    changed_at: Time
    removed_at: MaybeTime
  }
  automation_runs: {
    id: string
    automation_id: string
    project_id: string
    event_key: string
    cause: Json<RunCauseColumn>
    due_at: MaybeTime
    attempts: Generated<number>
    job_id: Maybe<string>
    turn: Maybe<number>
    result: Maybe<'no_change' | 'failed' | 'closed'>
    reasons: Json<string[]>
    findings: Json<string[]>
    merge_tried: Maybe<string>
    created_at: Time
    started_at: MaybeTime
  }
  automation_previews: {
    project_id: string
    repository: string
    number: number
    token: string
    run_id: string
    head: string
    summary: string
    body: string
    is_quiet: boolean
    told: Maybe<string>
    code_state: Maybe<'merged' | 'closed'>
    followed: Maybe<'merged' | 'closed'>
    due_at: MaybeTime
    attempts: Generated<number>
    changed_at: Time
  }
  automation_watches: {
    project_id: string
    repository: string
    location: string
    refs: Json<Record<string, string>>
    due_at: Time
  }
}
