import type { FakeOrigin } from '../fake-origin.ts'
import type { FakeMerges } from '../fake-merges.ts'
import type { GitTrouble } from '../git-backend.ts'

export interface FakeAccount {
  uuid: string
  nickname: string
  /** As Bitbucket calls what is no person. */
  type?: 'app_user'
  permission: 'admin' | 'write' | 'read' | 'none'
}

export interface FakePull {
  id: number
  title: string
  description: string
  state: 'OPEN' | 'MERGED' | 'DECLINED' | 'SUPERSEDED'
  draft: boolean
  close_source_branch: boolean
  head: string
  base: string
  /** Of the repository that has the head. */
  from: string
  reviewers: FakeAccount[]
  created_on: string
  /** What it had when it was merged. */
  merged?: { base: string; head: string }
}

export interface FakeRemark {
  id: number
  pull: number
  raw: string
  user: FakeAccount | null
  created_on: string
  deleted: boolean
  pending: boolean
  inline?: { path: string; to: number | null; from: number | null }
}

export interface FakeRepository {
  full_name: string
  /** It answers by this name too. */
  formerly?: string
  origin: FakeOrigin
}

/** What a fake Bitbucket holds. The first repository is the one that is worked in; a second is its fork. */
export interface FakeBitbucketState {
  repositories: FakeRepository[]
  accounts: FakeAccount[]
  /** What the header `authorization` has to be. */
  authorization: string
  scopes: string[]
  bot: FakeAccount
  pulls: FakePull[]
  remarks: FakeRemark[]
  statuses: Record<string, unknown>[]
  hooks: Record<string, unknown>[]
  /** What each group with access may do. */
  groups?: FakeAccount['permission'][]
  gitTroubles: GitTrouble[]
  merges: FakeMerges
  pageSize: number
  /** Where it says that its API is. */
  api: string
}

let ids = 5000
let clock = Date.parse('2026-03-01T10:00:00Z')

export function nextId(): number {
  ids += 1
  return ids
}

/** A second later each time, as Bitbucket writes it. */
export function nextTime(): string {
  clock += 1000
  return new Date(clock).toISOString().replace('Z', '123+00:00')
}
