import type { ForgeWorld } from '../forge-contract.ts'
import { createGitLab } from '../../../../src/integrations/forges/gitlab/gitlab.ts'
import { plainTitle } from '../../../../src/integrations/forges/gitlab/written-text.ts'
import type { HostedRepository, HostPorts } from '../../../../src/integrations/forges/host.ts'
import { fakeMerges } from '../fake-merges.ts'
import { createFakeOrigin, type FakeOrigin } from '../fake-origin.ts'
import type { DescribedServer } from '../described-server.ts'
import { planFault, type Fault } from '../fault.ts'
import { addNote } from './gitlab-notes.ts'
import { gitLabWords, startFakeGitLab } from './gitlab-server.ts'
import type { FakeGitLabState, FakeMergeRequest, FakeUser } from './gitlab-state.ts'

export interface GitLabWorld extends ForgeWorld {
  server: DescribedServer
  /** The next requests that fit go wrong. */
  fail: (fault: Fault, method: string, path: RegExp, times?: number) => void
  state: FakeGitLabState
  ports: HostPorts
  hosted: HostedRepository
  /** Where branches are pushed. */
  origin: FakeOrigin
  maintainer: FakeUser
  stranger: FakeUser
  request: (number: number) => FakeMergeRequest
  /** Milliseconds that were waited. */
  waits: number[]
}

const path = 'docs/team/handbook'

/** For tests: a project of a fake GitLab, or with `fork` a fork of one, and GitLab's adapter on it. */
export async function createGitLabWorld(
  options: { fork?: boolean; requestLimit?: number } = {},
): Promise<GitLabWorld> {
  const target = { id: 7, path, origin: await createFakeOrigin(), archived: false }
  const forked = options.fork ? await createFakeOrigin(target.origin) : target.origin
  const fork = { id: 8, path: 'bots/handbook', origin: forked, archived: false }
  const [bot, maintainer, stranger] = [
    { id: 1, username: 'docs-bot', level: 40 },
    { id: 2, username: 'maintainer', level: 40 },
    { id: 3, username: 'stranger', level: 0 },
  ] as const
  const state: FakeGitLabState = {
    projects: options.fork ? [target, fork] : [target],
    users: [bot, maintainer, stranger].map((user) => ({ ...user })),
    token: 'glpat-of-the-test',
    scopes: ['api'],
    bot: { ...bot },
    requests: [],
    notes: [],
    statuses: [],
    hooks: [],
    gitTroubles: [],
    merges: fakeMerges(),
    pageSize: 100,
  }
  const server = await startFakeGitLab(state)
  const waits: number[] = []
  let ahead = 0
  const ports: HostPorts = {
    fetch: (input, init) => fetch(input, init),
    now: () => new Date(Date.now() + ahead),
    async delay(milliseconds) {
      waits.push(milliseconds)
      ahead += milliseconds
    },
  }
  const site = `${server.origin}/gitlab`
  const hosted = createGitLab({ request: options.requestLimit ?? 10_000 }).open(
    ports,
    { kind: 'token', token: state.token },
    { site, path },
    options.fork ? { site, path: fork.path } : undefined,
  )
  const request = (number: number): FakeMergeRequest => {
    const found = state.requests.find((one) => one.iid === number)
    if (!found) throw new Error(`there is no merge request ${number}`)
    return found
  }
  return {
    server,
    fail: (fault, method, path, times = 1) => planFault(server, fault, gitLabWords, { method, path, times }),
    state,
    ports,
    hosted,
    origin: forked,
    maintainer,
    stranger,
    request,
    waits,
    forge: hosted.forge,
    push: async (branch, file, content, from) => forked.push(branch, file, content, from),
    deleteBranch: async (branch) => forked.deleteBranch(branch),
    async merge(number) {
      const merged = request(number)
      const base = target.origin.head(merged.target_branch) ?? ''
      const head = forked.head(merged.source_branch) ?? ''
      target.origin.merge(merged.target_branch, head)
      Object.assign(merged, { state: 'merged', merged: { base, head } })
    },
    async close(number) {
      request(number).state = 'closed'
    },
    async comment(number, body) {
      addNote(state, number, body, maintainer)
    },
    async edit(number, { title, body }) {
      Object.assign(request(number), { ...(title && { title }), ...(body && { description: body }) })
    },
    async readText(number) {
      const { title, description } = request(number)
      return { title: plainTitle(title), body: description }
    },
    async [Symbol.asyncDispose]() {
      await forked[Symbol.asyncDispose]()
      await target.origin[Symbol.asyncDispose]()
      await server[Symbol.asyncDispose]()
    },
  }
}
