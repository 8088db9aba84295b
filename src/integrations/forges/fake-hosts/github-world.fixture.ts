import { createGitHub } from '../github/github.ts'
import type { HostCredential, HostedRepository, HostPorts } from '../host.ts'
import { createFakeOrigin } from './fake-origin.fixture.ts'
import type { FakeOrigin } from './fake-origin.fixture.ts'
import { rememberHeads } from './remember-heads.fixture.ts'
import { startFakeGitHub } from './github-server.fixture.ts'
import type { FakeGitHub } from './github-state.fixture.ts'
import type { FaultyWorld } from './try-faults.fixture.ts'

/** For tests: our adapter before a fake GitHub, and a person's hands in it. */
export interface GitHubWorld extends FaultyWorld {
  fake: FakeGitHub
  origin: FakeOrigin
  ports: HostPorts
  /** Milliseconds that were to be waited, in order. */
  waits: number[]
  open: (credential: HostCredential, fork?: string) => HostedRepository
}

export async function createGitHubWorld(): Promise<GitHubWorld> {
  const origin = rememberHeads(await createFakeOrigin())
  const fake = await startFakeGitHub(origin)
  const waits: number[] = []
  const ports: HostPorts = {
    fetch,
    now: () => new Date(),
    delay: async (milliseconds) => void waits.push(milliseconds),
  }
  const site = fake.server.origin
  const host = createGitHub({ request: 500 })
  const open: GitHubWorld['open'] = (credential, fork) =>
    host.open(
      ports,
      credential,
      { site, path: 'acme/docs' },
      fork === undefined ? undefined : { site, path: fork },
    )
  const hosted = open({ kind: 'token', token: 'ghp_all' })
  const find = (number: number) => {
    const pull = fake.pulls.find((one) => one.number === number)
    if (!pull) throw new Error(`There is no pull request ${number}`)
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
      Object.assign(pull, { state: 'closed', mergedAt: '2026-05-01T10:00:00Z' })
    },
    close: async (number) => void (find(number).state = 'closed'),
    comments: () => fake.said,
    comment: async (number, body) => void fake.say({ pull: number, body }),
    readText: async (number) => ({ title: find(number).title, body: find(number).body }),
    async [Symbol.asyncDispose]() {
      await fake.server[Symbol.asyncDispose]()
      await origin[Symbol.asyncDispose]()
    },
  }
}
