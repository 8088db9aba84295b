import type { Generated } from 'kysely'
import type {
  AssistantFileColumn,
  EnrichmentColumn,
  NavigationColumn,
  SectionColumn,
  SiteCheckColumn,
} from './columns.ts'
import type { AssistantTables } from './tables/assistant-tables.ts'
import type { ChatTables } from './tables/chat-tables.ts'
import type { AutomationTables } from './tables/automation-tables.ts'
import type { Json, Maybe, MaybeTime, Time } from './tables/column-types.ts'
import type { JobTables } from './tables/job-tables.ts'
import type { PeopleTables } from './tables/people-tables.ts'

/** The tables that the migrations create, for Kysely. Features narrow the JSON columns. */
export interface Tables extends PeopleTables, JobTables, AssistantTables, AutomationTables, ChatTables {
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
    framework: Maybe<string>
    language: Maybe<string>
    sync_state: Generated<'pending' | 'syncing' | 'ready' | 'failed'>
    sync_progress: Json<{ phase: string; done: number; total: number | null; bytes?: number } | null>
    sync_error: Maybe<string>
    synced_commit: Maybe<string>
    synced_at: MaybeTime
    unreadable_files: Generated<{ path: string; oid: string; parser: number; message: string }[]>
    page_folders: Json<{ folder: string; pages: number }[]>
    enrichment: Json<EnrichmentColumn>
    enrichment_revision: Generated<number>
    assistant_file: Json<AssistantFileColumn | null>
    fingerprint: Maybe<string>
    generation: Generated<number>
    page_count: Generated<number>
    follows_default: Generated<boolean>
    former_refs: Json<string[]>
    blocking_branch: Maybe<string>
    former_branch_prefixes: Json<string[]>
    settings: Json<unknown>
    sync_due_at: Generated<Date>
    created_at: Time
  }
  remote_descriptions: {
    project_id: string
    address: string
    content: Maybe<string>
    oid: Maybe<string>
    failure: Maybe<string>
    tried_at: MaybeTime
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
    problems: number | null
  }
  impact_still_true: { project_id: string; commit: string; path: string; created_at: Time }
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
    asked_on_site_at: MaybeTime
  }
  duties: { name: string; holder: string; held_until: Date }
  limits: { scope: string; uses: number; used_at: Time }
  recent_uses: { scope: string; n: number; used_at: Time }
  limit_sizes: { organization_id: string | null; name: string; count: number }
  limit_uses: { scope: string; slot: number; used_at: Time }
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
  named_sites: { origin: string; created_at: Time }
  host_deliveries: { project_id: string; id: string; created_at: Time }
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
    tags: Json<string[]>
    names: Json<Record<string, unknown>>
    sections: Json<SectionColumn[]>
    content: string
    hidden: boolean
    generation: number
  }
  navigations: { project_id: string; entries: Json<NavigationColumn[]> }
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
  vector_probes: { project_id: string; model: string; scale: number; numbers: Uint8Array; checked_at: Date }
  section_vectors: { project_id: string; hash: string; model: string; scale: number; numbers: Uint8Array }
}
