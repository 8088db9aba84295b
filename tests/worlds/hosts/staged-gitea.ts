import { createHmac, randomBytes } from 'node:crypto'
import { isOurs } from '../../../src/integrations/forges/comment-marker.ts'
import { createFakeOrigin } from './fake-origin.ts'
import { startFakeGitea } from './gitea/gitea-server.ts'
import type { FakeGitea } from './gitea/gitea-state.ts'
import { hookOf, stateOf, type HostHappening, type StagedHost } from './staged-host.ts'

export async function stageGitea(): Promise<StagedHost> {
  const origin = await createFakeOrigin()
  // The server under test pushes over git, so nothing is remembered of branches.
  const fake = await startFakeGitea({ ...origin, forget: () => undefined })
  const { server, tokens } = fake
  const secrets: string[] = []
  const scopes = tokens.get('all') ?? []
  const find = (number: number) => {
    const pull = fake.pulls.find((one) => one.number === number)
    if (!pull) throw new Error(`Pull request ${number} not found`)
    return pull
  }
  const host: StagedHost = {
    name: 'gitea',
    kind: 'gitea',
    url: `${server.origin}/acme/docs.git`,
    credential: { kind: 'token', token: '' },
    secrets: () => [...secrets, ...fake.hooks.map(({ body }) => hookOf(body).secret)],
    server,
    gitTroubles: fake.gitTroubles,
    origin,
    merges: fake.merges,
    requests: () =>
      fake.pulls.map(({ number, head, state, merged }) => ({
        number,
        head,
        state: merged ? 'merged' : state,
      })),
    say: (pull, body, who) =>
      fake.say({ pull, body, login: who === 'maintainer' ? 'maintainer' : 'reader' }).id,
    answers: (number) =>
      fake.comments.filter((one) => one.pull === number && isOurs(one.body)).map(({ body }) => body),
    reactions: (said) => fake.comments.find(({ id }) => id === said)?.reactions ?? [],
    merge(number) {
      const pull = find(number)
      origin.merge(pull.base, origin.head(pull.head) ?? pull.sha)
      Object.assign(pull, { state: 'closed', merged: true })
    },
    close: (number) => void (find(number).state = 'closed'),
    edit: (number, text) => void Object.assign(find(number), text),
    text: (number) => ({ title: find(number).title, body: find(number).body }),
    rename: (name) => void (fake.settings.name = `acme/${name}`),
    written: () => JSON.stringify([fake.pulls, fake.comments, fake.statuses]),
    status: (commit) => stateOf(fake.statuses.findLast(({ sha }) => sha === commit)?.body),
    renew() {
      const token = randomBytes(20).toString('hex')
      tokens.clear()
      tokens.set(token, scopes)
      secrets.push(token)
      host.credential = { kind: 'token', token }
    },
    tell(happening) {
      const { url, secret } = hookOf(fake.hooks[0]?.body)
      const { event, payload } = payloadOf(fake, happening, origin.head)
      const body = JSON.stringify({ ...payload, repository: { full_name: fake.settings.name } })
      const signature = createHmac('sha256', secret).update(body).digest('hex')
      const id = randomBytes(16).toString('hex')
      const headers = {
        'x-gitea-event': event,
        'x-gitea-delivery': id,
        'x-gitea-signature': signature,
        // It speaks as others do as well.
        'x-gogs-event': event,
        'x-github-event': event,
        'x-github-delivery': id,
        'x-hub-signature-256': `sha256=${signature}`,
      }
      return { url, headers, body }
    },
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]()
      await origin[Symbol.asyncDispose]()
    },
  }
  host.renew()
  return host
}

function payloadOf(
  fake: FakeGitea,
  happening: HostHappening,
  head: (branch: string) => string | undefined,
): { event: string; payload: object } {
  if (happening.type === 'push') {
    const { branch } = happening
    return { event: 'push', payload: { ref: `refs/heads/${branch}`, after: head(branch) } }
  }
  if (happening.type === 'ended') {
    const pull = fake.pulls.find(({ number }) => number === happening.number)
    const pull_request = { state: pull?.state, merged: pull?.merged }
    return { event: 'pull_request', payload: { action: 'closed', number: happening.number, pull_request } }
  }
  const said = fake.comments.find(({ id }) => id === happening.said)
  const comment = { id: said?.id, body: said?.body, user: { login: said?.login }, created_at: said?.at }
  const issue = { number: said?.pull, pull_request: { merged: false } }
  return { event: 'issue_comment', payload: { action: 'created', is_pull: true, issue, comment } }
}
