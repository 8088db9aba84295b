import { createHmac, generateKeyPairSync, randomBytes } from 'node:crypto'
import { isOurs } from '../../../src/integrations/forges/comment-marker.ts'
import { createFakeOrigin } from './fake-origin.ts'
import { startFakeGitHub } from './github/github-server.ts'
import type { FakeGitHub } from './github/github-state.ts'
import { hookOf, stateOf, type HostHappening, type StagedHost } from './staged-host.ts'

export interface StagedGitHub extends StagedHost {
  fake: FakeGitHub
  /** What was issued so far is accepted no longer, as after its hour. */
  endTokens: () => void
}

const permissions = {
  contents: 'write',
  pull_requests: 'write',
  metadata: 'read',
  statuses: 'write',
  repository_hooks: 'write',
  // More than is needed.
  administration: 'write',
  actions: 'write',
}

/** GitHub Enterprise Server, reached as an app. */
export async function stageGitHubApp(): Promise<StagedGitHub> {
  const origin = await createFakeOrigin()
  // The server under test pushes over git, so nothing is remembered of branches.
  const fake = await startFakeGitHub({ ...origin, forget: () => undefined })
  const { server } = fake
  const secrets: string[] = []
  fake.tokens.clear()
  fake.settings.tail = `_${randomBytes(20).toString('hex')}`
  secrets.push(fake.settings.tail)
  const find = (number: number) => {
    const pull = fake.pulls.find((one) => one.number === number)
    if (!pull) throw new Error(`Pull request ${number} not found`)
    return pull
  }
  const keys = (): string => {
    const { publicKey, privateKey } = generateKeyPairSync('rsa', {
      modulusLength: 2048,
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    })
    fake.settings.app = { id: '4711', publicKey, permissions, suspended: false }
    secrets.push(privateKey.split('\n')[5] ?? '')
    return privateKey
  }
  const endTokens = (): void => fake.tokens.clear()
  const host: StagedGitHub = {
    name: 'github',
    kind: 'github',
    url: `${server.origin}/acme/docs.git`,
    credential: { kind: 'github_app', appId: '4711', privateKey: '' },
    secrets: () => [...secrets, ...fake.hooks.map(({ body }) => hookOf(body).secret)],
    server,
    gitTroubles: fake.gitTroubles,
    origin,
    merges: fake.merges,
    fake,
    endTokens,
    requests: () =>
      fake.pulls.map(({ number, head, state, mergedAt }) => ({
        number,
        head,
        state: mergedAt === null ? state : 'merged',
      })),
    say: (pull, body, who) =>
      fake.say({ pull, body, login: who === 'maintainer' ? 'octocat' : 'stranger' }).id,
    answers: (number) => fake.said.filter((one) => one.pull === number && isOurs(one.body)).map(textOf),
    reactions: (said) => fake.said.find(({ id }) => id === said)?.reactions ?? [],
    merge(number) {
      const pull = find(number)
      origin.merge(pull.base, origin.head(pull.head) ?? pull.sha)
      Object.assign(pull, { state: 'closed', mergedAt: '2026-05-01T10:00:00Z' })
    },
    close: (number) => void (find(number).state = 'closed'),
    edit: (number, text) => void Object.assign(find(number), text),
    text: (number) => ({ title: find(number).title, body: find(number).body }),
    rename: (name) => void (fake.settings.name = `acme/${name}`),
    written: () => JSON.stringify([fake.pulls, fake.said, fake.statuses]),
    status: (commit) => stateOf(fake.statuses.findLast(({ sha }) => sha === commit)?.body),
    renew() {
      endTokens()
      host.credential = { kind: 'github_app', appId: '4711', privateKey: keys() }
    },
    tell(happening) {
      const { url, secret } = hookOf(fake.hooks[0]?.body)
      const { event, payload } = payloadOf(fake, happening, origin.head)
      const body = JSON.stringify({ repository: { full_name: fake.settings.name }, ...payload })
      const headers = {
        'x-github-event': event,
        'x-github-delivery': randomBytes(16).toString('hex'),
        'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
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

function textOf({ body }: { body: string }): string {
  return body
}

function payloadOf(
  fake: FakeGitHub,
  happening: HostHappening,
  head: (branch: string) => string | undefined,
): { event: string; payload: object } {
  if (happening.type === 'push') {
    const { branch } = happening
    return { event: 'push', payload: { ref: `refs/heads/${branch}`, after: head(branch), deleted: false } }
  }
  if (happening.type === 'ended') {
    const pull = fake.pulls.find(({ number }) => number === happening.number)
    const pull_request = { number: happening.number, state: pull?.state, merged_at: pull?.mergedAt }
    return { event: 'pull_request', payload: { action: 'closed', number: happening.number, pull_request } }
  }
  const said = fake.said.find(({ id }) => id === happening.said)
  const comment = { id: said?.id, body: said?.body, user: { login: said?.login }, created_at: said?.at }
  const issue = { number: said?.pull, pull_request: { url: '' } }
  return { event: 'issue_comment', payload: { action: 'created', issue, comment } }
}
