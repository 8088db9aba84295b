import { createHmac, randomUUID } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { expect, it } from 'vitest'
import { describeOnStore } from '../../../tests/stores.ts'
import { saveConnection } from '../../features/connections/connections.ts'
import { createOpenConnection } from '../../features/connections/open-connection.ts'
import { insertOrganization } from '../../features/projects/organizations.ts'
import { insertProject } from '../../features/projects/projects.ts'
import { createBitbucket } from '../../integrations/forges/bitbucket/bitbucket.ts'
import { createGitea } from '../../integrations/forges/gitea/gitea.ts'
import { createGitHub } from '../../integrations/forges/github/github.ts'
import { createGitLab } from '../../integrations/forges/gitlab/gitlab.ts'
import { signingToken } from '../../integrations/forges/gitlab/webhooks.ts'
import type { HostKind } from '../../integrations/forges/host.ts'
import { AppError } from '../../lib/errors.ts'
import type { Hosts } from '../../integrations/forges/hosts.ts'
import type { Store } from '../../store/database.ts'
import { createApp } from '../../api/app.ts'
import { pino } from 'pino'
import { receiveWebhookEndpoint } from './receive-webhook.ts'

const kinds = ['github', 'gitlab', 'gitea', 'bitbucket'] as const

describeOnStore('calls of hosts', (store) => {
  it.each(kinds)('of %s are taken when they are signed, once each, and refused otherwise', async (kind) => {
    const world = await createWorld(store(), kind)
    const push = world.push('docs')
    expect(await world.send(push, { delivery: 'one' })).toBe(202)
    await world.later()
    expect(await world.send(push, { delivery: 'one' })).toBe(202)
    expect(world.syncs).toHaveLength(1)
    expect(await world.send(world.push('other-branch'), { delivery: 'two' })).toBe(202)
    expect(await world.send(push, { secret: 'wrong' })).toBe(401)
    expect(await world.send(push, { headers: {} })).toBe(401)
    // As the webhook of an organization reports them.
    expect(await world.send(world.push('docs', 'acme/other'), { delivery: 'three' })).toBe(202)
    expect(await world.send(push, { projectId: 'prj_unknown' })).toBe(401)
    expect(world.syncs).toHaveLength(1)
    // Upper and lower case do not matter in the name of a repository.
    expect(await world.send(world.push('docs', 'ACME/Docs'), { delivery: 'four' })).toBe(202)
    expect(world.syncs).toHaveLength(2)
  })

  it('are answered when they only test the connection', async () => {
    const world = await createWorld(store(), 'github')
    expect(await world.send({ zen: 'Keep it simple' }, { event: 'ping' })).toBe(202)
    expect(await world.send('not json', {})).toBe(400)
    expect(world.syncs).toEqual([])
  })

  it('are refused when they are too large, before all of it is read', async () => {
    const world = await createWorld(store(), 'github')
    expect(await world.send({ padding: 'x'.repeat(6 * 1024 * 1024) }, {})).toBe(413)
  })

  it('that GitLab has signed are refused when they are old', async () => {
    const world = await createWorld(store(), 'gitlab')
    const body = JSON.stringify(world.push('docs'))
    const signed = (at: Date): Record<string, string> => ({
      'x-gitlab-event': 'Push Hook',
      'webhook-id': randomUUID(),
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    })
    for (const [age, status] of [
      [0, 202],
      [3_600_000, 401],
    ] as const) {
      const at = new Date(Date.now() - age)
      const headers = signed(at)
      const id = headers['webhook-id'] ?? ''
      headers['webhook-signature'] = new Webhook(signingToken(world.secret)).sign(id, at, body)
      expect(await world.send(body, { headers })).toBe(status)
    }
  })

  it('follow a rename that the host could not confirm at first, and ask once a minute at most', async () => {
    let asked = 0
    let present: string | AppError = new AppError('unavailable', 'The host is away')
    const world = await createWorld(store(), 'github', async () => {
      asked++
      if (present instanceof AppError) throw present
      return present
    })
    expect(await world.send(world.push('docs', 'acme/manual'), {})).toBe(202)
    expect([asked, world.syncs.length]).toEqual([1, 0])
    present = 'acme/manual'
    expect(await world.send(world.push('docs', 'acme/manual'), {})).toBe(202)
    expect([asked, world.syncs.length]).toEqual([2, 1])
    for (let n = 0; n < 30; n++) await world.send(world.push('docs', `acme/other-${n}`), {})
    expect([asked, world.syncs.length]).toEqual([2, 1])
  })

  it('make one sync together when a thousand come at once', async () => {
    const world = await createWorld(store(), 'github')
    const began = Date.now()
    const calls = Array.from({ length: 1000 }, async (_, n) => {
      for (;;) {
        const status = await world.send(world.push('docs'), { delivery: `n${n}` })
        // A server that is too busy answers 503, and the call is repeated.
        if (status !== 503) return status
      }
    })
    expect(new Set(await Promise.all(calls))).toEqual(new Set([202]))
    // One sync a second, however long a slow machine takes for all calls.
    expect(world.syncs.length).toBeLessThanOrEqual(2 + (Date.now() - began) / 1000)
    expect(world.syncs.every(({ delay }) => delay === 1)).toBe(true)
  })

  it('are not lost after an earlier one, or after one that failed', async () => {
    const world = await createWorld(store(), 'github')
    await world.send(world.push('docs'), { delivery: 'one' })
    await world.later()
    world.failures = 1
    const answers = await Promise.all([
      world.send(world.push('docs'), { delivery: 'one' }),
      world.send(world.push('docs'), { delivery: 'two' }),
      world.send(world.push('docs'), { delivery: 'three' }),
    ])
    expect(answers.filter((status) => status === 202).length).toBeGreaterThanOrEqual(2)
    expect(world.syncs).toHaveLength(2)
  })
})

async function createWorld(store: Store, kind: HostKind, presentPath?: () => Promise<string>) {
  const key = [Buffer.alloc(32, 7)] as const
  const hosts: Hosts = {
    all: [createGitHub(), createGitLab(), createGitea(), createBitbucket()],
    ports: { fetch, now: () => new Date(), delay: async () => undefined },
    sites: [],
    credentials: [],
  }
  const open = createOpenConnection({ store, hosts, secretKey: key })
  const openConnection: typeof open = async (projectId) => {
    const opened = await open(projectId)
    if (opened === undefined || presentPath === undefined) return opened
    const { repository } = opened.connection
    const credential = { kind: 'token', token: 'any' } as const
    const hosted = opened.host?.open(hosts.ports, credential, repository, undefined)
    return { ...opened, hosted: hosted && { ...hosted, presentPath } }
  }
  const project = await store.transaction(async (tx) => {
    const made = await insertProject(tx, {
      organizationId: (await insertOrganization(tx, 'acme')).id,
      domain: randomUUID(),
      kind: 'https',
      location: 'https://git.example.com/acme/docs.git',
      ref: 'docs',
      root: '',
      site: undefined,
    })
    const repository = { kind, site: 'https://git.example.com', path: 'acme/docs' }
    const place = { projectId: made.id, repository, forkPath: undefined }
    await saveConnection(tx, key, { ...place, credential: undefined, login: undefined })
    return made
  })
  const secret = (await openConnection(project.id))?.connection.webhookSecret ?? ''
  const world = {
    secret,
    syncs: [] as { delay: number | undefined }[],
    failures: 0,
    /** Waits until the collected pushes have been synced. */
    later: () => new Promise((done) => setTimeout(done, 1100)),
    push(branch: string, path = 'acme/docs'): unknown {
      const ref = `refs/heads/${branch}`
      if (kind === 'gitlab') return { ref, after: 'a'.repeat(40), project: { path_with_namespace: path } }
      if (kind !== 'bitbucket') return { ref, after: 'a'.repeat(40), repository: { full_name: path } }
      const moved = { type: 'branch', name: branch, target: { hash: 'a'.repeat(40) } }
      const other = { type: 'branch', name: 'first', target: { hash: 'b'.repeat(40) } }
      const changes = [other, moved].map((one) => ({ old: null, new: one }))
      return { repository: { full_name: path }, push: { changes } }
    },
    async send(
      payload: unknown,
      given: {
        secret?: string
        delivery?: string
        event?: string
        projectId?: string
        headers?: Record<string, string>
      },
    ): Promise<number> {
      const body = typeof payload === 'string' ? payload : JSON.stringify(payload)
      const used = given.secret ?? secret
      const hmac = createHmac('sha256', used).update(body).digest('hex')
      const event = given.event ?? 'push'
      const delivery = given.delivery ?? randomUUID()
      const headers = {
        github: {
          'x-github-event': event,
          'x-hub-signature-256': `sha256=${hmac}`,
          'x-github-delivery': delivery,
        },
        gitlab: { 'x-gitlab-event': 'Push Hook', 'x-gitlab-token': used, 'idempotency-key': delivery },
        gitea: { 'x-forgejo-event': event, 'x-forgejo-signature': hmac, 'x-forgejo-delivery': delivery },
        bitbucket: {
          'x-event-key': 'repo:push',
          'x-hub-signature': `sha256=${hmac}`,
          'x-request-uuid': delivery,
        },
      }[kind]
      const response = await app.request(`/hosts/${given.projectId ?? project.id}/webhook`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...(given.headers ?? headers) },
        body,
      })
      return response.status
    },
  }
  const queue = {
    async send(_tx: unknown, _name: string, _key: string, options?: { delay?: number | undefined }) {
      if (world.failures-- > 0) throw new Error('the store is away')
      world.syncs.push({ delay: options?.delay })
    },
  }
  const app = createApp({ log: pino({ level: 'silent' }), isDraining: () => false }, [
    receiveWebhookEndpoint({ store, queue, openConnection }),
  ])
  return world
}
