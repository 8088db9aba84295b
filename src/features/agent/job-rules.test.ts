import { expect, it, vi } from 'vitest'
import { describeOnStore } from '../../../tests/stores.ts'
import { closePullRequest } from '../../integrations/forges/local/pull-request-state.ts'
import { mergePullRequest } from '../../integrations/forges/local/merge-pull-request.ts'
import { addMessage } from './add-message.ts'
import { archiveJob } from './archive-job.ts'
import { cancelJob } from './cancel-job.ts'
import { createJob } from './create-job.ts'
import { listEvents } from './events.ts'
import { createJobWorld, noLimit } from '../../../tests/worlds/job-world.ts'
import { getJob, listJobs } from './jobs.ts'
import { runJob } from './loop/run-job.ts'
import { scriptedModel, writingModel } from '../../../tests/worlds/scripted-model.ts'
import { sweepJobs } from './loop/sweep-jobs.ts'
import { listTurns } from './turns.ts'

const author = { name: 'Someone', email: 'someone@example.com' }

describeOnStore('the rules of jobs', (store) => {
  it('ends a turn that changes nothing as completed, with the reason and no pull request', async () => {
    await using world = await createJobWorld(store(), writingModel())
    const { id } = await world.create('look around')
    await runJob(world.ports, id)
    expect(await world.read(id)).toMatchObject({ status: 'completed', pullRequest: undefined, changes: [] })
    const [turn] = await listTurns(store().db, world.project.id, id)
    expect(turn).toMatchObject({ status: 'completed', summary: 'Nothing to do for "look around".' })
    expect(world.git('for-each-ref', '--format=%(refname)')).toBe('refs/heads/main')
  })

  it('makes no commit of a change that leaves every file as it was', async () => {
    await using world = await createJobWorld(store(), writingModel())
    const { id } = await world.create('write index.md: # Start\n\nWelcome.\n')
    await runJob(world.ports, id)
    expect(await world.read(id)).toMatchObject({ status: 'completed', pullRequest: undefined })
  })

  it('keeps the pull request when a follow-up undoes everything', async () => {
    await using world = await createJobWorld(store(), writingModel())
    const { id } = await world.create('write index.md: other\n')
    await world.message(id, 'write index.md: # Start\n\nWelcome.\n')
    await runJob(world.ports, id)
    const job = await world.read(id)
    expect(job).toMatchObject({ status: 'completed', pullRequest: { number: 1, state: 'open' }, changes: [] })
    expect(world.git('rev-list', '--count', `main..${job.branch}`)).toBe('2')
  })

  it('does not let a failed turn stop those behind it, and takes its status from the last one', async () => {
    const model = scriptedModel(({ prompt }) => {
      if (prompt === 'fail') throw new Error('the provider is down')
      return [['finish', { title: 't', summary: 'fine', noChange: true }]]
    })
    await using world = await createJobWorld(store(), model)
    const { id } = await world.create('fail')
    await world.message(id, 'go on')
    await runJob(world.ports, id)
    expect(await world.read(id)).toMatchObject({ status: 'completed', failure: undefined })
    expect((await listTurns(store().db, world.project.id, id)).map((turn) => turn.status)).toEqual([
      'failed',
      'completed',
    ])
    await world.message(id, 'fail')
    await runJob(world.ports, id)
    expect(await world.read(id)).toMatchObject({
      status: 'failed',
      failure: { code: 'model_error', message: expect.stringContaining('the provider is down') },
    })
    expect(await world.message(id, 'go on')).toMatchObject({ status: 'active', failure: undefined })
  })

  it('stops a model call within a second of the cancel, and drops the queue', async () => {
    let asked = 0
    const model = scriptedModel(() => {
      asked++
      return new Promise(() => {})
    })
    await using world = await createJobWorld(store(), model)
    const { id } = await world.create('hang')
    await world.message(id, 'never reached')
    const running = runJob(world.ports, id)
    await vi.waitFor(() => expect(asked).toBe(1), { timeout: 120_000 })
    const cancelled = await cancelJob(store(), world.project, id)
    expect(cancelled).toMatchObject({
      status: 'failed',
      failure: { code: 'cancelled', message: 'cancelled' },
    })
    await running
    expect(asked).toBe(1)
    expect((await listTurns(store().db, world.project.id, id)).map((turn) => turn.status)).toEqual([
      'failed',
      'cancelled',
    ])
    expect(await cancelJob(store(), world.project, id)).toEqual(cancelled)
    expect((await world.eventTypes(id)).at(-1)).toBe('cancelled')
  })

  it('goes on from where the branch is after a cancel', async () => {
    await using world = await createJobWorld(store(), writingModel())
    const { id } = await world.create('write a.md: one\n')
    await runJob(world.ports, id)
    await world.message(id, 'write b.md: two\n')
    await cancelJob(store(), world.project, id)
    await runJob(world.ports, id)
    expect(await world.read(id)).toMatchObject({ status: 'failed', pullRequest: { number: 1 } })
    await world.message(id, 'write c.md: three\n')
    await runJob(world.ports, id)
    const job = await world.read(id)
    expect(job).toMatchObject({ status: 'completed', pullRequest: { number: 1 } })
    expect(job.changes.map((change) => change.path)).toEqual(['a.md', 'c.md'])
  })

  it('archives for good: the work stops, and no message is taken', async () => {
    await using world = await createJobWorld(
      store(),
      scriptedModel(() => new Promise(() => {})),
    )
    const { id } = await world.create('hang')
    const running = runJob(world.ports, id)
    await vi.waitFor(async () => expect(await world.eventTypes(id)).toContain('turn.started'), {
      timeout: 120_000,
    })
    const archived = await archiveJob(store(), world.project, id)
    await running
    expect(archived).toMatchObject({ status: 'archived', archivedAt: expect.any(Date) })
    expect(await archiveJob(store(), world.project, id)).toEqual(archived)
    expect(await cancelJob(store(), world.project, id)).toEqual(archived)
    await expect(world.message(id, 'more')).rejects.toMatchObject({ code: 'invalid' })
    expect(await world.read(id)).toEqual(archived)
  })

  it('opens another pull request, from the fresh base, only when a person has merged or closed the first', async () => {
    await using world = await createJobWorld(store(), writingModel())
    const { id } = await world.create('write a.md: one\n')
    await runJob(world.ports, id)
    const first = await world.read(id)
    await mergePullRequest(world.forgePorts, world.project, { number: 1, author })
    expect(await world.read(id)).toMatchObject({ pullRequest: { number: 1, state: 'merged' } })
    await world.message(id, 'write b.md: two\n')
    await runJob(world.ports, id)
    const second = await world.read(id)
    expect(second).toMatchObject({
      status: 'completed',
      title: 'Write b.md',
      pullRequest: { number: 2, state: 'open' },
    })
    expect(second.branch).toBe(`${first.branch}-2`)
    expect(second.changes.map((change) => change.path)).toEqual(['b.md'])
    expect(world.git('merge-base', 'main', second.branch)).toBe(world.git('rev-parse', 'main'))
    await closePullRequest(world.forgePorts, world.project, 2)
    await world.message(id, 'write c.md: three\n')
    await runJob(world.ports, id)
    expect(await world.read(id)).toMatchObject({ branch: `${first.branch}-3`, pullRequest: { number: 3 } })
    expect((await world.read(id)).changes.map((change) => change.path)).toEqual(['c.md'])
  })

  it('keeps what people push to the branch', async () => {
    await using world = await createJobWorld(store(), writingModel())
    const { id, branch } = await world.create('write a.md: one\n')
    await runJob(world.ports, id)
    const commit = world.git('commit-tree', `${branch}^{tree}`, '-p', branch, '-m', 'By hand')
    world.git('update-ref', `refs/heads/${branch}`, commit)
    await world.message(id, 'write b.md: two\n')
    await runJob(world.ports, id)
    expect(world.git('log', '--format=%s', '--reverse', `main..${branch}`)).toBe(
      'Write a.md\nBy hand\nWrite b.md',
    )
  })

  it('fails with what is wrong: no such base, no forge, forbidden files, no end in sight', async () => {
    await using world = await createJobWorld(
      store(),
      scriptedModel(({ prompt, step }) => {
        if (prompt === 'loop') return [['read_file', { path: 'index.md' }]]
        if (step === 0) return [['write_file', { path: '.github/workflows/x.yml', content: 'x' }]]
        return [['finish', { title: 't', summary: 's' }]]
      }),
    )
    const failureOf = async (id: string) => {
      await runJob({ ...world.ports, limits: { ...world.ports.limits, steps: 5 } }, id)
      const { status, failure } = await world.read(id)
      expect(status).toBe('failed')
      return failure
    }
    expect(await failureOf((await world.create('x', { base: 'nowhere' })).id)).toMatchObject({
      code: 'base_not_found',
      message: expect.stringContaining('"nowhere"'),
    })
    expect(await failureOf((await world.create('policy')).id)).toMatchObject({
      code: 'policy',
      message: expect.stringContaining('.github/workflows/x.yml: It is protected'),
    })
    expect(await failureOf((await world.create('loop')).id)).toMatchObject({ code: 'budget' })
    const { id } = await world.create('x')
    await runJob({ ...world.ports, forgeFor: () => undefined }, id)
    expect(await world.read(id)).toMatchObject({
      status: 'failed',
      failure: { code: 'unsupported_repository' },
    })
    expect(world.git('for-each-ref', '--format=%(refname)')).toBe('refs/heads/main')
  })

  it('answers invalid calls, and accepts text as the end after one reminder', async () => {
    const model = scriptedModel(({ step }) => {
      if (step === 0)
        return [
          ['format_disk', {}],
          ['read_file', '{not json'],
          ['write_file', 'null'],
        ]
      return step === 1 ? 'I think that is all.' : 'Nothing to change: it is fine \u0000 as it is.'
    })
    await using world = await createJobWorld(store(), model)
    const { id } = await world.create('x')
    await runJob(world.ports, id)
    expect(await world.read(id)).toMatchObject({ status: 'completed', pullRequest: undefined })
    const [turn] = await listTurns(store().db, world.project.id, id)
    expect(turn?.summary).toContain('Nothing to change: it is fine')
    const told = JSON.stringify(model.doGenerateCalls[1]?.prompt)
    expect(told).toContain('unknown_tool')
    expect(told).toContain('invalid_call')
    expect(told).toContain('path is missing')
    expect(JSON.stringify(model.doGenerateCalls[2]?.prompt)).toContain('without calling a tool')
  })

  it('shows a follow-up what was asked and done before', async () => {
    const model = writingModel()
    await using world = await createJobWorld(store(), model)
    const { id } = await world.create('write a.md: one\n')
    await world.message(id, 'and now?')
    await runJob(world.ports, id)
    const messages = model.doGenerateCalls.at(-1)?.prompt.slice(2)
    expect(messages).toMatchObject([
      { role: 'user', content: [{ text: 'write a.md: one\n' }] },
      { role: 'assistant', content: [{ text: 'Wrote a.md, as asked.' }] },
      {
        role: 'user',
        content: [{ text: expect.stringContaining('"pages":["a.md"]') as string }],
      },
      { role: 'user', content: [{ text: 'and now?' }] },
    ])
  })

  it('shows a job to its own project only', async () => {
    await using world = await createJobWorld(store(), writingModel())
    await using other = await createJobWorld(store(), writingModel())
    const { id } = await world.create('x')
    expect(await getJob(store().db, other.project.id, id)).toBeUndefined()
    expect(await cancelJob(store(), other.project, id)).toBeUndefined()
    expect(await archiveJob(store(), other.project, id)).toBeUndefined()
    expect(await addMessage(world.ports, other.project, id, { prompt: 'y' }, noLimit)).toBeUndefined()
    expect(await listTurns(store().db, other.project.id, id)).toEqual([])
    expect(await listEvents(store().db, other.project.id, id, { after: 0, limit: 10 })).toEqual([])
    expect(await world.read(id)).toMatchObject({ status: 'active', turns: 1 })
  })

  it('lists jobs newest first, page by page, by status', async () => {
    await using world = await createJobWorld(store(), writingModel())
    const ids: string[] = []
    for (let count = 0; count < 5; count++) ids.unshift((await world.create(`job ${count}`)).id)
    const { db } = store()
    const first = await listJobs(db, world.project.id, { limit: 2 })
    const second = await listJobs(db, world.project.id, { limit: 2, cursor: first.next })
    const third = await listJobs(db, world.project.id, { limit: 2, cursor: second.next })
    expect([first, second, third].flatMap((page) => page.rows.map((job) => job.id))).toEqual(ids)
    expect(third.next).toBeUndefined()
    await cancelJob(store(), world.project, ids[1] ?? '')
    const failed = await listJobs(db, world.project.id, { status: 'failed', limit: 10 })
    expect(failed.rows.map((job) => job.id)).toEqual([ids[1]])
  })

  it('writes nothing when the limit refuses', async () => {
    await using world = await createJobWorld(store(), writingModel())
    const refuse = () => Promise.reject(new Error('too many'))
    await expect(createJob(world.ports, world.project, { prompt: 'x' }, refuse)).rejects.toThrow('too many')
    const { id } = await world.create('x')
    const before = await world.read(id)
    await expect(addMessage(world.ports, world.project, id, { prompt: 'y' }, refuse)).rejects.toThrow(
      'too many',
    )
    expect(await world.read(id)).toEqual(before)
    expect((await listJobs(store().db, world.project.id, { limit: 10 })).rows).toHaveLength(1)
  })

  it('numbers events without a gap and changes the revision with everything that is seen', async () => {
    await using world = await createJobWorld(store(), writingModel())
    const { id } = await world.create('write a.md: one\n')
    await Promise.all(['b', 'c', 'd'].map((name) => world.message(id, `write ${name}.md: x\n`)))
    const before = (await world.read(id)).revision
    await runJob(world.ports, id)
    const events = await listEvents(store().db, world.project.id, id, { after: 0, limit: 1000 })
    expect(events.map((event) => event.n)).toEqual(events.map((_, index) => index + 1))
    expect(await listEvents(store().db, world.project.id, id, { after: 3, limit: 2 })).toEqual(
      events.slice(3, 5),
    )
    expect((await world.read(id)).revision).toBeGreaterThan(before)
  })

  it('queues jobs again that have work to do and no message', async () => {
    await using world = await createJobWorld(store(), writingModel())
    const open = await world.create('x')
    const done = await world.create('y')
    await runJob(world.ports, done.id)
    const sent: string[] = []
    let live = 0
    const queue = {
      sendAll: (_: unknown, __: string, keys: readonly string[]) => Promise.resolve(void sent.push(...keys)),
      countWaiting: () => Promise.resolve(live),
    }
    expect(await sweepJobs({ store: store(), queue })).toContain(open.id)
    expect(sent).toContain(open.id)
    expect(sent).not.toContain(done.id)
    live = 1000
    expect(await sweepJobs({ store: store(), queue })).toEqual([])
  })
})
