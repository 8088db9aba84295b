import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { describeOnStore } from '../../../../tests/stores.ts'
import { mostComments, type Comment } from '../../../integrations/forges/forge.ts'
import type { CommitStatus } from '../../../integrations/forges/host.ts'
import { HostFailure } from '../../../integrations/forges/http/host-failure.ts'
import { AppError } from '../../../lib/errors.ts'
import { readReview } from '../../../lib/prompts/review-prompt.ts'
import { listTurns } from '../turns.ts'
import type { CheckColumn } from '../../../store/columns.ts'
import { updateJob } from '../jobs.ts'
import { archiveJob } from '../archive-job.ts'
import { appendEvents, listEvents } from '../events.ts'
import { createJobWorld, type JobWorld } from '../../../../tests/worlds/job-world.ts'
import { runJob } from '../loop/run-job.ts'
import { brittleModel, scriptedModel } from '../../../../tests/worlds/scripted-model.ts'
import { createHostFollower } from './follow-hosts.ts'
import type { HostFollowPorts } from './ports.ts'
import { makeRequestDue } from './requests.ts'
import { testMachine } from '../../../../tests/worlds/machine.ts'

describeOnStore('following a host', (store) => {
  it('handles a comment once, with several processes, and replies when its turn has ended', async () => {
    await using world = await createJobWorld(store(), brittleModel())
    const { host, follow, job } = await openHost(world)
    // The first commit gets its status before the comment makes the job work again.
    await follow()
    host.say({ body: '@docwright write b.md: two\n' })
    host.say({ body: '@docwright write c.md: three\n', trusted: false })
    await Promise.all([follow(), follow()])
    await follow()
    expect((await world.read(job.id)).turns).toBe(2)
    expect(host.reactions).toEqual(['1'])
    expect(host.posts.size).toBe(0)
    await runJob(world.ports, job.id)
    await Promise.all([follow(), follow()])
    expect([...host.posts.keys()]).toEqual([expect.stringMatching(/^answer:1:[0-9a-f]{20}$/)])
    expect([...host.posts.values()][0]).toContain(`/jobs/${job.id}`)
    await follow()
    expect(host.asked.post).toBe(1)
    const states = [...host.statuses.values()].map(({ state }) => state)
    expect(states).toEqual(['success', 'success'])
  })

  it('posts the question of a turn that a comment asked for, which another comment answers', async () => {
    const model = scriptedModel(({ prompt, step }) => {
      if (prompt === 'Fix it') return [['ask_person', { question: 'Which page, @everyone?' }]]
      return step === 0
        ? [['write_file', { path: /\w+\.md/.exec(prompt)?.[0], content: 'x\n' }]]
        : [['finish', { title: 'Write', summary: 'Wrote.' }]]
    })
    await using world = await createJobWorld(store(), model)
    const { host, follow, job } = await openHost(world)
    host.say({ body: '@docwright Fix it' })
    await follow()
    await runJob(world.ports, job.id)
    expect(await world.read(job.id)).toMatchObject({ outcome: 'needs_input' })
    await follow()
    await follow()
    const [post] = host.posts.values()
    expect(post).toContain('Which page, `@everyone`?')
    expect(post).toContain('Reply in a comment that mentions me')
    expect([...host.statuses.values()].at(-1)).toMatchObject({ state: 'pending' })
    host.say({ body: '@docwright The page b.md' })
    await follow()
    await runJob(world.ports, job.id)
    expect(await world.read(job.id)).toMatchObject({ outcome: 'changed', question: undefined })
  })

  it('keeps a possible task until the host says who has write access, and explains that once', async () => {
    await using world = await createJobWorld(store(), brittleModel())
    const { host, follow, job, comments } = await openHost(world)
    host.say({ body: '@docwright write b.md: two\n', trusted: undefined })
    host.say({ body: '@docwright write c.md: three\n', trusted: undefined, author: 'ann' })
    host.say({ body: 'Just talking', trusted: undefined })
    for (let round = 0; round < 4; round++) await follow()
    expect((await world.read(job.id)).turns).toBe(1)
    expect([...host.posts.values()]).toEqual([expect.stringContaining('“trusted”, such as someone')])
    host.trusted = ['ANN']
    await follow()
    expect((await world.read(job.id)).turns).toBe(2)
    // The credential is mended six days later; on the eighth it would be too late.
    host.now += 6 * 86_400_000
    for (const comment of comments) comment.trusted = true
    await follow()
    await follow()
    expect((await world.read(job.id)).turns).toBe(3)
    host.say({ body: '@docwright write d.md: four\n', trusted: undefined })
    await follow()
    host.now += 2 * 86_400_000
    await follow()
    expect((await world.read(job.id)).turns).toBe(3)
  })

  it('takes no tasks from bots, and stops a loop of two that answer each other', async () => {
    await using world = await createJobWorld(store(), brittleModel())
    const { host, follow, job } = await openHost(world)
    host.say({ body: '@docwright write b.md: two\n', bot: true })
    for (let n = 0; n < 23; n++) host.say({ body: `@docwright write ${n}.md: more\n` })
    await follow()
    await follow()
    expect((await world.read(job.id)).turns).toBe(21)
    for (let round = 0; round < 4; round++) await follow()
    const answers = [...host.posts.values()].filter((text) => text.includes('requests per hour'))
    expect(answers).toHaveLength(1)
  })

  it('marks its replies in a way that cannot be forged without its secret', async () => {
    await using world = await createJobWorld(store(), brittleModel())
    const { host, follow } = await openHost(world)
    host.trusted = []
    for (const secret of ['one', 'two']) {
      host.secret = secret
      host.say({ body: '@docwright write b.md: two\n', trusted: undefined })
      await store().transaction((tx) => tx.deleteFrom('host_comments').execute())
      await follow()
      await follow()
    }
    expect(host.posts.size).toBe(2)
  })

  it('replies when a comment cannot be accepted', async () => {
    await using world = await createJobWorld(store(), brittleModel())
    const { host, follow, job } = await openHost(world, {
      takeLimit: () => Promise.reject(new AppError('rate_limited', 'The limit is reached')),
    })
    host.say({ body: '@docwright write b.md: two\n' })
    await follow()
    await follow()
    expect([...host.posts.values()]).toEqual([expect.stringContaining('The limit is reached')])
    expect(await world.read(job.id)).toMatchObject({ status: 'completed', turns: 1 })

    await archiveJob(world.ports.store, world.project, job.id)
    host.say({ body: '@docwright write c.md: three\n' })
    await follow()
    await follow()
    expect([...host.posts.values()][1]).toContain('archived')
  })

  it('takes a comment on lines for a review of that place', async () => {
    await using world = await createJobWorld(store(), brittleModel())
    const { host, follow, job } = await openHost(world)
    host.say({ body: '@docwright Shorten this', path: 'b.md', line: 3, startLine: 2 })
    host.say({ body: '@docwright Delete this page', path: 'old.md' })
    await follow()
    const prompts = (await listTurns(store().db, world.project.id, job.id)).map(({ prompt }) => prompt)
    expect(prompts.slice(1).map((prompt) => readReview(prompt)?.remarks)).toEqual([
      [{ path: 'b.md', side: 'new', line: 2, endLine: 3, quote: 'second\nof 40', body: 'Shorten this' }],
      [{ path: 'old.md', side: 'new', line: 0, endLine: 0, quote: '', body: 'Delete this page' }],
    ])
  })

  it('quotes the lines that a comment was written about, and none where the host does not tell which', async () => {
    await using world = await createJobWorld(store(), brittleModel())
    const seen = 'd'.repeat(40)
    const { host, follow, job } = await openHost(world, {
      readLines: async (_, commit) => [commit === seen ? 'as it was' : 'something else'],
    })
    const place = { path: 'b.md', line: 1, outdated: true } as const
    host.say({ body: '@docwright Shorten this', ...place, commit: seen })
    host.say({ body: '@docwright Shorten that', ...place })
    await follow()
    const prompts = (await listTurns(store().db, world.project.id, job.id)).map(({ prompt }) => prompt)
    const quotes = prompts.slice(1).map((prompt) => readReview(prompt)?.remarks[0]?.quote)
    expect(quotes).toEqual(['as it was', ''])
  })

  it('checks what people push to the branch, and says so beside their commit', async () => {
    await using world = await createJobWorld(store(), brittleModel())
    const checked: string[] = []
    const problem = { check: 'links', path: 'b.md', line: 1, severity: 'error', message: 'No', hint: null }
    const { host, follow, move, job } = await openHost(world, {
      async checkCommit(_, { commit }) {
        checked.push(commit)
        return checked.length === 1 ? [problem as CheckColumn] : []
      },
    })
    await follow()
    for (const head of ['b'.repeat(40), 'c'.repeat(40)]) {
      await move(head)
      await follow()
      await follow()
    }
    expect(checked).toEqual(['b'.repeat(40), 'c'.repeat(40)])
    expect([...host.statuses.values()].map(({ state }) => state)).toEqual(['success', 'failure', 'success'])
    expect(await world.read(job.id)).toMatchObject({ checks: [] })
  })

  it('checks a commit once, however often the host does not take its status', async () => {
    await using world = await createJobWorld(store(), brittleModel())
    let checks = 0
    const { host, follow, job, move } = await openHost(world, {
      async checkCommit() {
        checks++
        return []
      },
    })
    await follow()
    const head = 'b'.repeat(40)
    await move(head)
    host.awayForStatuses = true
    for (let round = 0; round < 3; round++) {
      await sql`update host_requests set status_due_at = now() where job_id = ${job.id}`.execute(store().db)
      await follow()
      host.now += 600_000
    }
    expect([checks, host.errors.length, host.statuses.has(head)]).toEqual([1, 3, false])
    host.awayForStatuses = false
    await sql`update host_requests set status_due_at = now() where job_id = ${job.id}`.execute(store().db)
    await follow()
    expect([checks, host.statuses.get(head)?.state]).toEqual([1, 'success'])
  })

  it('reads comments while it checks what people have pushed', async () => {
    await using world = await createJobWorld(store(), brittleModel())
    const checking = Promise.withResolvers<void>()
    let checks = 0
    const { host, follow, sweep, job, move } = await openHost(world, {
      async checkCommit() {
        checks++
        await checking.promise
        return []
      },
    })
    await follow()
    await move('b'.repeat(40))
    const patience = { timeout: 120_000 }
    await sweep()
    await expect.poll(() => checks, patience).toBe(1)
    host.say({ body: '@docwright write b.md: two\n' })
    const turns = async (): Promise<number> => {
      await sweep()
      return (await world.read(job.id)).turns
    }
    await expect.poll(turns, patience).toBe(2)
    checking.resolve()
    await follow()
    expect(checks).toBe(1)
  })

  it('keeps the help for a prompt that was not understood off the pull request', async () => {
    await using world = await createJobWorld(store(), brittleModel())
    const { host, follow, job } = await openHost(world)
    host.say({ body: '@docwright frobnicate' })
    await follow()
    await store().transaction((tx) =>
      sql`update turns set status = 'completed', outcome = 'no_change', not_understood = true,
        summary = 'A long list of what can be asked' where job_id = ${job.id} and n = 2`.execute(tx),
    )
    await follow()
    await follow()
    const [post = ''] = host.posts.values()
    expect(post).toContain('This was not understood')
    expect(post).toContain(`/jobs/${job.id}`)
    expect(post).not.toContain('long list')
  })

  it('handles a pull request without activity', async () => {
    await using world = await createJobWorld(store(), brittleModel())
    const { host, follow } = await openHost(world)
    await follow()
    await follow()
    expect(host.errors).toEqual([])
    expect(host.asked.read).toBe(2)
  })

  it('rarely checks for the credential of a project that has none', async () => {
    await using world = await createJobWorld(store(), brittleModel())
    let asked = 0
    const { host, follow } = await openHost(world, {
      async open(projectId) {
        if (projectId === world.project.id) asked++
        return undefined
      },
    })
    for (let round = 0; round < 6; round++) await follow({ due: false })
    // By each of two processes.
    expect(asked).toBe(2)
    host.now += 61_000
    await follow({ due: false })
    expect(asked).toBe(3)
  })

  it('records what people did, and reads a closed pull request only after a webhook', async () => {
    await using world = await createJobWorld(store(), brittleModel())
    const { host, follow, job } = await openHost(world)
    host.state = 'merged'
    await follow()
    expect((await world.read(job.id)).pullRequest?.state).toBe('merged')
    expect(host.merged).toBe(1)
    const looks = host.asked.read
    await follow()
    expect(host.asked.read).toBe(looks)
    host.say({ body: '@docwright write b.md: two\n' })
    await store().transaction((tx) => makeRequestDue(tx, world.project.id, 1))
    await follow({ due: false })
    expect((await world.read(job.id)).turns).toBe(2)
  })

  it('sends no requests to a host until its rate limit is over, and loses nothing', async () => {
    await using world = await createJobWorld(store(), brittleModel())
    const { host, follow, job } = await openHost(world)
    host.say({ body: '@docwright write b.md: two\n' })
    host.trouble = new HostFailure('unavailable', 'Too many requests', {
      refused: true,
      passing: true,
      retryAt: new Date(host.now + 60_000),
    })
    await follow()
    const before = host.asked.read
    host.trouble = undefined
    await follow()
    expect(host.asked.read).toBe(before)
    expect(host.errors).toHaveLength(1)
    host.now += 61_000
    await follow()
    await follow()
    expect((await world.read(job.id)).turns).toBe(2)
  })

  it('polls less often the more webhooks arrive, and at once when there were none', async () => {
    await using world = await createJobWorld(store(), brittleModel())
    const { follow, job } = await openHost(world)
    const at = async (): Promise<number> => {
      const { rows } = await sql<{ pause: number }>`
        select extract(epoch from due_at - looked_at)::float as pause from host_requests where job_id = ${job.id}
      `.execute(store().db)
      return Math.round(rows[0]?.pause ?? -1)
    }
    const call = () => store().transaction((tx) => makeRequestDue(tx, world.project.id, 1))
    const pauses: number[] = []
    for (let round = 0; round < 12; round++) {
      await follow()
      await call()
      pauses.push(await at())
    }
    expect(pauses.slice(3)).toEqual([2, 4, 8, 16, 32, 64, 64, 64, 64])
    await sql`update host_requests set looked_at = now() - interval '3 minutes' where job_id = ${job.id}`.execute(
      store().db,
    )
    await follow()
    await call()
    expect(await at()).toBe(0)
  })

  it('says on the job that comments were skipped, once', async () => {
    await using world = await createJobWorld(store(), brittleModel())
    const { host, follow, job } = await openHost(world)
    for (let n = 0; n < mostComments + 5; n++) host.say({})
    await follow()
    await follow()
    const options = { after: 0, limit: 1000 }
    const events = await listEvents(store().db, world.project.id, job.id, options)
    const skipped = events.filter(({ type }) => type === 'comments.skipped')
    expect(skipped).toMatchObject([{ turn: 1, data: { since: '2026-05-01T10:00:05.000Z' } }])
  })

  it('keeps the last requests that a host allows for urgent work', async () => {
    await using world = await createJobWorld(store(), brittleModel())
    const { host, follow, job } = await openHost(world)
    host.say({ body: '@docwright write b.md: two\n' })
    await follow()
    await follow()
    host.scarce = new Date(host.now + 60_000)
    const looks = host.asked.read
    host.say({ body: '@docwright write c.md: three\n' })
    await runJob(world.ports, job.id)
    await follow()
    expect(host.asked.read).toBe(looks)
    expect([...host.posts.keys()]).toHaveLength(1)
    expect(String(host.errors[0])).toContain('after 2026-05-01 10:01:00 UTC')
    host.scarce = undefined
    await follow()
    expect((await world.read(job.id)).turns).toBe(3)
  })
})

/** A job with an open pull request on a host of nothing but memory. */
async function openHost(world: JobWorld, more: Partial<HostFollowPorts> = {}) {
  const { store } = world.ports
  await store.transaction((tx) =>
    tx
      .insertInto('project_hosts')
      .values({ project_id: world.project.id, kind: 'gitea', site: 'https://git.example.com', path: 'a/b' })
      .execute(),
  )
  const comments: Comment[] = []
  const host = {
    state: 'open' as 'open' | 'merged' | 'closed',
    trusted: [] as string[],
    secret: 'secret',
    trouble: undefined as Error | undefined,
    now: Date.parse('2026-05-01T10:00:00Z'),
    merged: 0,
    scarce: undefined as Date | undefined,
    awayForStatuses: false,
    asked: { read: 0, post: 0 },
    reactions: [] as string[],
    posts: new Map<string, string>(),
    statuses: new Map<string, CommitStatus>(),
    errors: [] as unknown[],
    say(said: Partial<Comment>) {
      const id = String(comments.length + 1)
      const createdAt = new Date(Date.parse('2026-05-01T10:00:00Z') + comments.length * 1000)
      comments.push({ id, author: 'someone', body: 'Just talking', createdAt, trusted: true, ...said })
    },
  }
  const { id } = await world.create('write a.md: one\n')
  await runJob(world.ports, id)
  const job = await world.read(id)
  const hosted = {
    forge: {
      ...world.forge,
      async read(number: number) {
        host.asked.read++
        if (host.trouble) throw host.trouble
        const { link = '' } = job.pullRequest ?? {}
        return { number, link, state: host.state, head: job.branch, base: 'main' }
      },
      commentsSince: async (_: number, since: Date | undefined) =>
        comments.filter(({ createdAt }) => since === undefined || createdAt >= since).slice(-mostComments),
    },
    merging: {
      look: () => Promise.reject(new Error('not here')),
      merge: () => Promise.reject(new Error('not here')),
    },
    gitCredential: () => Promise.reject(new Error('not here')),
    checkAccess: () => Promise.reject(new Error('not here')),
    presentPath: () => Promise.reject(new Error('not here')),
    ensureWebhook: () => Promise.resolve(false),
    removeWebhook: () => Promise.resolve(false),
    async postComment(_: number, body: string, marker: string) {
      host.asked.post++
      host.posts.set(marker, body)
    },
    scarceUntil: () => host.scarce,
    react: async (_: number, commentId: string) => void host.reactions.push(commentId),
    codeRequests: { list: async () => [], keepComment: async () => undefined },
    async setStatus(commit: string, status: CommitStatus) {
      if (host.awayForStatuses) throw new AppError('unavailable', 'The host is away')
      host.statuses.set(commit, status)
    },
  }
  const ports: HostFollowPorts = {
    store,
    queue: world.ports.queue,
    machine: testMachine(),
    // Other tests leave projects that have something to do.
    async open(projectId) {
      if (projectId !== world.project.id) return undefined
      return {
        id: projectId,
        domain: world.project.domain,
        hosted,
        names: ['docwright'],
        trusted: host.trusted,
        secret: host.secret,
        interval: 3600,
      }
    },
    readLines: async (_, commit, path) => (path === 'b.md' ? ['first', 'second', `of ${commit.length}`] : []),
    checkCommit: async () => [],
    takeLimit: async () => undefined,
    onMerge: async () => void host.merged++,
    jobLink: world.ports.jobLink,
    reportError: (error) => host.errors.push(error),
    now: () => new Date(host.now),
    stopping: new AbortController().signal,
    ...more,
  }
  const followers = [createHostFollower(ports), createHostFollower(ports)]
  let next = 0
  const makeDue = () =>
    sql`update host_requests set due_at = now() where job_id = ${id} and due_at is not null`.execute(store.db)
  /** A round of one of two processes; what is watched is due unless said otherwise. */
  const follow = async ({ due } = { due: true }): Promise<void> => {
    if (due) await makeDue()
    const follower =
      more.takeLimit || host.trouble || host.errors.length > 0 ? followers[0] : followers[next++ % 2]
    await follower?.sweep()
    await follower?.settled()
  }
  /** A round of the first process, without waiting for its end. */
  const sweep = async (): Promise<void> => {
    await makeDue()
    await followers[0]?.sweep()
  }
  /** People push to the job's branch. */
  const move = (head: string): Promise<void> =>
    store.transaction(async (tx) => {
      await updateJob(tx, id, { head_commit: head })
      await appendEvents(tx, id, 1, [{ type: 'branch.moved', data: { head } }])
    })
  return { host, follow, sweep, move, job, comments }
}
