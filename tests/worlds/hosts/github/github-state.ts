import type { DescribedServer } from '../described-server.ts'
import type { FakeMerges } from '../fake-merges.ts'
import type { GitTrouble } from '../git-backend.ts'

export interface FakePull {
  number: number
  title: string
  body: string
  /** `owner:branch`, of the fork when it comes from there. */
  owner: string
  head: string
  base: string
  draft: boolean
  maintainer_can_modify: boolean
  state: 'open' | 'closed'
  mergedAt: string | null
  /** Of the head when it was last there. */
  sha: string
  labels: string[]
  reviewers: string[]
  assignees: string[]
}

export interface FakeSaid {
  id: number
  pull: number
  kind: 'comment' | 'line' | 'review'
  login: string
  body: string
  at: string
  reactions: string[]
}

/** For tests: GitHub Enterprise Server with one repository `acme/docs`, and its fork `robot/docs` on the same branches. */
export interface FakeGitHub {
  server: DescribedServer
  pulls: FakePull[]
  said: FakeSaid[]
  hooks: { id: number; body: Record<string, unknown> }[]
  statuses: { sha: string; body: unknown }[]
  /** Tokens with what they may do, by GitHub's names; `undefined` may everything. */
  tokens: Map<string, Record<string, string> | undefined>
  /** What people may do; others have none. */
  people: Map<string, 'admin' | 'write' | 'read'>
  settings: {
    archived: boolean
    drafts: boolean
    /** Whether its fork belongs to an organization. */
    organizationFork: boolean
    /** How far its clock is ahead, in milliseconds. */
    ahead: number
    app:
      | { id: string; publicKey: string; permissions: Record<string, string>; suspended: boolean }
      | undefined
    installed: boolean
    /** Milliseconds that installation tokens last. */
    lasting: number
    /** What its installation tokens end in. */
    tail: string
    /** As it is called now. */
    name: string
    /** When tokens end, as its header says it. */
    expires?: string
  }
  /** What tokens of the app were asked for. */
  issued: unknown[]
  merges: FakeMerges
  gitTroubles: GitTrouble[]
  say(said: Partial<FakeSaid> & { pull: number; body: string }): FakeSaid
}

export type GitHubState = Omit<FakeGitHub, 'server'>
