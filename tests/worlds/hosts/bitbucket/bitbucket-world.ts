import { createBitbucket } from '../../../../src/integrations/forges/bitbucket/bitbucket.ts'
import type { ForgeWorld } from '../forge-contract.ts'
import type { HostCredential, HostedRepository, HostPorts } from '../../../../src/integrations/forges/host.ts'
import { addRemark } from './bitbucket-remarks.ts'
import { bitbucketWords, startFakeBitbucket } from './bitbucket-server.ts'
import type { FakeAccount, FakeBitbucketState, FakePull } from './bitbucket-state.ts'
import type { DescribedServer } from '../described-server.ts'
import { fakeMerges } from '../fake-merges.ts'
import { createFakeOrigin, type FakeOrigin } from '../fake-origin.ts'
import { planFault, type Fault } from '../fault.ts'

export interface BitbucketWorld extends ForgeWorld {
  server: DescribedServer
  /** The next requests that fit go wrong. */
  fail: (fault: Fault, method: string, path: RegExp, times?: number) => void
  state: FakeBitbucketState
  hosted: HostedRepository
  /** With another credential. */
  open: (credential: HostCredential) => HostedRepository
  /** Where branches are pushed. */
  origin: FakeOrigin
  maintainer: FakeAccount
  stranger: FakeAccount
  pull: (id: number) => FakePull
  /** Milliseconds that were waited. */
  waits: number[]
}

const path = 'docs-team/handbook'

/** For tests: a repository of a fake Bitbucket, or with `fork` a fork of one, and Bitbucket's adapter on it. */
export async function createBitbucketWorld(
  options: { fork?: boolean; requestLimit?: number } = {},
): Promise<BitbucketWorld> {
  const target = { full_name: path, origin: await createFakeOrigin() }
  const forked = options.fork ? await createFakeOrigin(target.origin) : target.origin
  const fork = { full_name: 'bots/handbook', origin: forked }
  const person = (digit: string, nickname: string, permission: FakeAccount['permission']): FakeAccount => ({
    uuid: `{${digit.repeat(8)}-0000-4000-8000-000000000000}`,
    nickname,
    permission,
  })
  const [bot, maintainer, stranger] = [
    person('1', 'docs-bot', 'admin'),
    person('2', 'maintainer', 'write'),
    person('3', 'stranger', 'none'),
  ] as const
  const state: FakeBitbucketState = {
    repositories: options.fork ? [target, fork] : [target],
    accounts: [bot, maintainer, stranger],
    authorization: 'Bearer ATCTT-of-the-test',
    scopes: ['repository:write', 'repository:admin', 'pullrequest:write', 'webhook', 'account'],
    bot,
    pulls: [],
    remarks: [],
    statuses: [],
    hooks: [],
    gitTroubles: [],
    merges: fakeMerges(),
    pageSize: 100,
    api: 'https://api.bitbucket.org/2.0',
  }
  const server = await startFakeBitbucket(state)
  const waits: number[] = []
  let ahead = 0
  const ports: HostPorts = {
    // As on the internet, the API has a host of its own.
    fetch: (input, init) =>
      fetch(
        String(input instanceof Request ? input.url : input).replace(
          'https://api.bitbucket.org',
          server.origin,
        ),
        init,
      ),
    now: () => new Date(Date.now() + ahead),
    async delay(milliseconds) {
      waits.push(milliseconds)
      ahead += milliseconds
    },
  }
  const site = 'https://bitbucket.org'
  const open = (credential: HostCredential): HostedRepository =>
    createBitbucket({ request: options.requestLimit ?? 10_000 }).open(
      ports,
      credential,
      { site, path },
      options.fork ? { site, path: fork.full_name } : undefined,
    )
  const hosted = open({ kind: 'token', token: 'ATCTT-of-the-test' })
  const pull = (id: number): FakePull => {
    const found = state.pulls.find((one) => one.id === id)
    if (!found) throw new Error(`there is no pull request ${id}`)
    return found
  }
  return {
    server,
    fail: (fault, method, path, times = 1) =>
      planFault(server, fault, bitbucketWords, { method, path, times }),
    state,
    hosted,
    open,
    origin: forked,
    maintainer,
    stranger,
    pull,
    waits,
    forge: hosted.forge,
    push: async (branch, file, content, from) => forked.push(branch, file, content, from),
    deleteBranch: async (branch) => forked.deleteBranch(branch),
    async merge(number) {
      const merged = pull(number)
      const base = target.origin.head(merged.base) ?? ''
      const head = forked.head(merged.head) ?? ''
      target.origin.merge(merged.base, head)
      Object.assign(merged, { state: 'MERGED', merged: { base, head } })
    },
    async close(number) {
      pull(number).state = 'DECLINED'
    },
    async comment(number, body) {
      addRemark(state, number, body, maintainer)
    },
    async edit(number, { title, body }) {
      Object.assign(pull(number), { ...(title && { title }), ...(body && { description: body }) })
    },
    async readText(number) {
      const { title, description } = pull(number)
      return { title, body: description }
    },
    async [Symbol.asyncDispose]() {
      await forked[Symbol.asyncDispose]()
      await target.origin[Symbol.asyncDispose]()
      await server[Symbol.asyncDispose]()
    },
  }
}
