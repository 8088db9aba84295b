import type {
  Host,
  HostCredential,
  HostedRepository,
  HostPorts,
} from '../../../src/integrations/forges/host.ts'
import type { DescribedServer } from './described-server.ts'
import { createFakeOrigin, type FakeOrigin } from './fake-origin.ts'
import { rememberHeads } from './remember-heads.ts'
import type { FaultyWorld } from './try-faults.ts'

interface Pull {
  number: number
  title: string
  body: string
  head: string
  base: string
  sha: string
  state: 'open' | 'closed'
  labels: unknown[]
}

/** A fake host whose pull requests are as GitHub has them. */
interface FakeHost {
  server: DescribedServer
  pulls: Pull[]
  hooks: unknown[]
  statuses: unknown[]
  say(said: { pull: number; body: string }): unknown
}

/** For tests: an adapter before a fake host with the repository `acme/docs`, and a person's hands in it. */
export interface PullWorld<Fake extends FakeHost> extends FaultyWorld {
  fake: Fake
  origin: FakeOrigin
  ports: HostPorts
  /** Milliseconds that were to be waited, in order. */
  waits: number[]
  open: (credential: HostCredential, fork?: string) => HostedRepository
}

export async function createPullWorld<Fake extends FakeHost>(
  host: Host,
  startFake: (origin: ReturnType<typeof rememberHeads>) => Promise<Fake>,
  its: {
    token: string
    /** Of a pull request that was merged, beside that it is closed. */
    merged: object
    comments: (fake: Fake) => ReturnType<FaultyWorld['comments']>
    /** A title without what marks a draft. */
    plainTitle: (title: string) => string
  },
): Promise<PullWorld<Fake>> {
  const origin = rememberHeads(await createFakeOrigin())
  const fake = await startFake(origin)
  const waits: number[] = []
  const ports: HostPorts = {
    fetch,
    now: () => new Date(),
    delay: async (milliseconds) => void waits.push(milliseconds),
  }
  const site = fake.server.origin
  const open: PullWorld<Fake>['open'] = (credential, fork) =>
    host.open(
      ports,
      credential,
      { site, path: 'acme/docs' },
      fork === undefined ? undefined : { site, path: fork },
    )
  const hosted = open({ kind: 'token', token: its.token })
  const find = (number: number) => {
    const pull = fake.pulls.find((one) => one.number === number)
    if (!pull) throw new Error(`Pull request ${number} not found`)
    return pull
  }
  return {
    forge: hosted.forge,
    hosted,
    fake,
    origin,
    ports,
    waits,
    open,
    push: async (branch, path, content, from) => origin.push(branch, path, content, from),
    deleteBranch: async (branch) => origin.deleteBranch(branch),
    async merge(number) {
      const pull = find(number)
      origin.merge(pull.base, origin.head(pull.head) ?? pull.sha)
      Object.assign(pull, { state: 'closed', ...its.merged })
    },
    close: async (number) => void (find(number).state = 'closed'),
    comments: () => its.comments(fake),
    comment: async (number, body) => void fake.say({ pull: number, body }),
    edit: async (number, text) => void Object.assign(find(number), text),
    readText: async (number) => ({ title: its.plainTitle(find(number).title), body: find(number).body }),
    async [Symbol.asyncDispose]() {
      await fake.server[Symbol.asyncDispose]()
      await origin[Symbol.asyncDispose]()
    },
  }
}
