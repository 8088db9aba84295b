import type { FakeOrigin } from '../fake-origin.ts'
import type { FakeMerges } from '../fake-merges.ts'
import type { GitTrouble } from '../git-backend.ts'

export interface FakeUser {
  id: number
  username: string
  /** In every project; 0 for none. */
  level: number
  /** Of a token of a project or a group, or a service account. */
  bot?: boolean
  /** Of the account; it is active when not given. */
  state?: string
}

export interface FakeMergeRequest {
  id: number
  iid: number
  title: string
  description: string
  state: 'opened' | 'closed' | 'merged'
  source_branch: string
  target_branch: string
  source_project_id: number
  author: FakeUser
  created_at: string
  allow_collaboration?: boolean
  labels: string[]
  reviewers: FakeUser[]
  assignees: FakeUser[]
  /** What it had when it was merged. */
  merged?: { base: string; head: string }
}

export interface FakeNote {
  id: number
  iid: number
  body: string
  author: FakeUser
  created_at: string
  system: boolean
  internal: boolean
  position?: { new_path: string; old_path: string; new_line: number | null; old_line: number | null }
  awards: string[]
}

export interface FakeProject {
  id: number
  path: string
  /** Where it was before: git is served there, and reading is redirected. */
  formerly?: string
  origin: FakeOrigin
  archived: boolean
}

/** What a fake GitLab holds. The first project is the one that is worked in; a second is its fork. */
export interface FakeGitLabState {
  projects: FakeProject[]
  users: FakeUser[]
  /** Who acts, by the token that is known. */
  token: string
  scopes: string[]
  /** The day on which the token ends. */
  expires?: string
  bot: FakeUser
  requests: FakeMergeRequest[]
  notes: FakeNote[]
  statuses: {
    sha: string
    project: number
    status: string
    name: string
    description: string
    target_url: string
  }[]
  hooks: Record<string, unknown>[]
  gitTroubles: GitTrouble[]
  merges: FakeMerges
  /** Of pages. */
  pageSize: number
}

let ids = 1000
let clock = Date.parse('2026-03-01T10:00:00Z')

export function nextId(): number {
  ids += 1
  return ids
}

/** A second later each time. */
export function nextTime(): string {
  clock += 1000
  return new Date(clock).toISOString()
}
