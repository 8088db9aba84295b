import type { DescribedServer } from '../described-server.ts'
import type { FakeMerges } from '../fake-merges.ts'
import type { GitTrouble } from '../git-backend.ts'

export interface GiteaPull {
  number: number
  title: string
  body: string
  head: string
  base: string
  /** Of the repository that it comes from. */
  from: number
  state: 'open' | 'closed'
  merged: boolean
  allow_maintainer_edit?: boolean
  /** Of the head when it was last there. */
  sha: string
  labels: number[]
  reviewers: string[]
  assignees: string[]
}

export interface GiteaComment {
  id: number
  pull: number
  login: string
  body: string
  at: string
  /** Those of a review are on a line, and not in the list of comments. */
  review?: number | undefined
  reactions: string[]
}

export interface GiteaReview {
  id: number
  pull: number
  login: string
  body: string
  at: string
  state: 'COMMENT' | 'PENDING' | 'APPROVED' | 'REQUEST_CHANGES'
}

/** For tests: Gitea with one repository `acme/docs`, and its fork `robot/docs` on the same branches. */
export interface FakeGitea {
  server: DescribedServer
  pulls: GiteaPull[]
  comments: GiteaComment[]
  reviews: GiteaReview[]
  /** Of the organization, those with access to the repository. */
  teams: {
    id: number
    name: string
    permission: string
    units_map: Record<string, string>
    members: string[]
  }[]
  hooks: { id: number; body: Record<string, unknown> }[]
  statuses: { sha: string; body: unknown }[]
  labels: { id: number; name: string }[]
  /** Tokens with their scopes. */
  tokens: Map<string, string[]>
  /** What people may do; others only read. */
  people: Map<string, 'owner' | 'admin' | 'write' | 'read'>
  gitTroubles: GitTrouble[]
  merges: FakeMerges
  settings: {
    /** As it is called now. */
    name: string
    archived: boolean
    /** Whether pull requests are switched on. */
    pulls: boolean
    /** Whether the token's account administers the repository. */
    admin: boolean
    organization: boolean
    /** As 1.16: a wrong token is none. */
    old: boolean
    /** As many items as it gives at most. */
    pageSize: number
    /** What comments and pull requests are shown at: another zone than that of the tests. */
    zone: '+02:00'
  }
  say(said: Partial<GiteaComment> & { pull: number; body: string }): GiteaComment
}

export type GiteaState = Omit<FakeGitea, 'server'>
