import { z } from 'zod'
import type { HostCredential, HostKind } from '../../../src/integrations/forges/host.ts'
import type { DescribedServer } from './described-server.ts'
import type { FakeMerges } from './fake-merges.ts'
import type { FakeOrigin } from './fake-origin.ts'
import type { GitTrouble } from './git-backend.ts'

/** Something that happens on a host, of which it tells whom it was asked to tell. */
export type HostHappening =
  | { type: 'push'; branch: string }
  | { type: 'comment'; said: number }
  | { type: 'ended'; number: number }

/** For tests of the whole product: one fake host with its git, and what people do and see there. */
export interface StagedHost extends AsyncDisposable {
  name: string
  kind: HostKind
  /** Of the repository, as people give it. */
  url: string
  /** What it accepts now. */
  credential: HostCredential
  /** Everything that nobody but the host and the server may ever see, of now and before. */
  secrets: () => string[]
  server: DescribedServer
  gitTroubles: GitTrouble[]
  origin: FakeOrigin
  merges: FakeMerges
  requests: () => { number: number; head: string; state: 'open' | 'merged' | 'closed' }[]
  /** @returns the id of the comment */
  say: (number: number, body: string, who: 'maintainer' | 'stranger') => number
  /** Comments of ours on a request. */
  answers: (number: number) => string[]
  reactions: (said: number) => string[]
  merge: (number: number) => void
  close: (number: number) => void
  /** What a person writes in place of title and text. */
  edit: (number: number, text: { title?: string; body?: string }) => void
  text: (number: number) => { title: string; body: string }
  /** Gives the repository another name. The one before leads to it. */
  rename: (name: string) => void
  /** All that stands there for people to read, but for the repository. */
  written: () => string
  /** The newest state of a commit; undefined without one. */
  status: (commit: string) => string | undefined
  /** Another credential takes the place of the present one, which is refused from now on. */
  renew: () => void
  /** How it tells of something: where, and signed with what it was set up with. */
  tell: (happening: HostHappening) => { url: string; headers: Record<string, string>; body: string }
}

/** Where a webhook of GitHub or Gitea calls, and what it signs with. */
export function hookOf(body: unknown): { url: string; secret: string } {
  const { config } = z.object({ config: z.object({ url: z.string(), secret: z.string() }) }).parse(body)
  return config
}

/** The state in a status of GitHub or Gitea. */
export function stateOf(body: unknown): string | undefined {
  return z.object({ state: z.string() }).optional().parse(body)?.state
}
