import { createHmac, randomBytes, randomUUID } from 'node:crypto'
import { z } from 'zod'
import { isOurs } from '../../../src/integrations/forges/bitbucket/pull-request-comments.ts'
import { addRemark } from './bitbucket/bitbucket-remarks.ts'
import { startFakeBitbucket } from './bitbucket/bitbucket-server.ts'
import type { FakeAccount, FakeBitbucketState, FakeRepository } from './bitbucket/bitbucket-state.ts'
import { fakeMerges } from './fake-merges.ts'
import { createFakeOrigin } from './fake-origin.ts'
import type { HostHappening, StagedHost } from './staged-host.ts'

const path = 'docs-team/handbook'
const states: Record<string, 'open' | 'merged'> = { OPEN: 'open', MERGED: 'merged' }

export async function stageBitbucket(): Promise<StagedHost> {
  const origin = await createFakeOrigin()
  const person = (digit: string, nickname: string, permission: FakeAccount['permission']): FakeAccount => ({
    uuid: `{${digit.repeat(8)}-0000-4000-8000-000000000000}`,
    nickname,
    permission,
  })
  const bot = person('1', 'docs-bot', 'admin')
  const [maintainer, stranger] = [person('2', 'maintainer', 'write'), person('3', 'stranger', 'none')]
  const repository: FakeRepository = { full_name: path, origin }
  const state: FakeBitbucketState = {
    repositories: [repository],
    accounts: [bot, maintainer, stranger],
    authorization: '',
    scopes: ['repository:write', 'repository:admin', 'pullrequest:write', 'webhook', 'account'],
    bot,
    pulls: [],
    remarks: [],
    statuses: [],
    hooks: [],
    gitTroubles: [],
    merges: fakeMerges(),
    pageSize: 100,
    api: '',
  }
  const server = await startFakeBitbucket(state)
  const secrets: string[] = []
  state.api = `${server.origin}/2.0`
  const find = (number: number) => {
    const pull = state.pulls.find((one) => one.id === number)
    if (!pull) throw new Error(`Pull request ${number} not found`)
    return pull
  }
  const host: StagedHost = {
    name: 'bitbucket',
    kind: 'bitbucket',
    url: `${server.origin}/${path}.git`,
    credential: { kind: 'token', token: '' },
    secrets: () => [...secrets, ...state.hooks.map((hook) => hookOf(hook).secret)],
    server,
    gitTroubles: state.gitTroubles,
    origin,
    merges: state.merges,
    requests: () =>
      state.pulls.map((one) => ({ number: one.id, head: one.head, state: states[one.state] ?? 'closed' })),
    say: (number, body, who) =>
      addRemark(state, number, body, who === 'maintainer' ? maintainer : stranger).id,
    answers: (number) =>
      state.remarks.filter((one) => one.pull === number && isOurs(one.raw)).map(({ raw }) => raw),
    // It knows none.
    reactions: () => [],
    merge(number) {
      const pull = find(number)
      const [base, head] = [origin.head(pull.base) ?? '', origin.head(pull.head) ?? '']
      origin.merge(pull.base, head)
      Object.assign(pull, { state: 'MERGED', merged: { base, head } })
    },
    close: (number) => void (find(number).state = 'DECLINED'),
    edit: (number, { title, body }) =>
      void Object.assign(find(number), { ...(title && { title }), ...(body && { description: body }) }),
    text: (number) => ({ title: find(number).title, body: find(number).description }),
    rename(name) {
      Object.assign(repository, { formerly: repository.full_name, full_name: `docs-team/${name}` })
      for (const pull of state.pulls) pull.from = repository.full_name
    },
    written: () => JSON.stringify([state.pulls, state.remarks, state.statuses]),
    status: (commit) =>
      z
        .object({ state: z.string() })
        .optional()
        .parse(state.statuses.findLast((one) => one['commit'] === commit))?.state,
    renew() {
      const token = `ATCTT3xFf${randomBytes(20).toString('hex')}`
      state.authorization = `Bearer ${token}`
      secrets.push(token)
      host.credential = { kind: 'token', token }
    },
    tell(happening) {
      const hook = hookOf(state.hooks[0])
      const { event, payload } = payloadOf(state, happening, origin.head)
      const body = JSON.stringify({
        ...payload,
        repository: { type: 'repository', full_name: repository.full_name },
      })
      const headers = {
        'x-event-key': event,
        'x-request-uuid': randomUUID(),
        'x-attempt-number': '1',
        'x-hub-signature': `sha256=${createHmac('sha256', hook.secret).update(body).digest('hex')}`,
      }
      return { url: hook.url, headers, body }
    },
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]()
      await origin[Symbol.asyncDispose]()
    },
  }
  host.renew()
  return host
}

function hookOf(hook: unknown): { url: string; secret: string } {
  return z.object({ url: z.string(), secret: z.string() }).parse(hook)
}

function payloadOf(
  state: FakeBitbucketState,
  happening: HostHappening,
  head: (branch: string) => string | undefined,
): { event: string; payload: object } {
  if (happening.type === 'push') {
    const target = { type: 'commit', hash: head(happening.branch) }
    const moved = { type: 'branch', name: happening.branch, target }
    return { event: 'repo:push', payload: { push: { changes: [{ new: moved, old: null }] } } }
  }
  if (happening.type === 'ended') {
    const isMerged = state.pulls.some((one) => one.id === happening.number && one.state === 'MERGED')
    const event = isMerged ? 'pullrequest:fulfilled' : 'pullrequest:rejected'
    return { event, payload: { pullrequest: { type: 'pullrequest', id: happening.number } } }
  }
  const said = state.remarks.find(({ id }) => id === happening.said)
  const comment = {
    id: said?.id,
    created_on: said?.created_on,
    content: { raw: said?.raw },
    user: said?.user,
  }
  return { event: 'pullrequest:comment_created', payload: { pullrequest: { id: said?.pull }, comment } }
}
