import { expect, it } from 'vitest'
import { describeOnStore } from '../../../../tests/stores.ts'
import { pushFiles } from '../../../../tests/worlds/follow-up.ts'
import { createJobWorld, noLimit, type JobWorld } from '../../../../tests/worlds/job-world.ts'
import { runUntil } from '../../../../tests/worlds/mortal-ports.ts'
import { brittleModel, scriptedModel } from '../../../../tests/worlds/scripted-model.ts'
import { closePullRequest } from '../../../integrations/forges/local/pull-request-state.ts'
import { mergePullRequest } from '../../../integrations/forges/local/merge-pull-request.ts'
import {
  readPullRequestDetail,
  type PullRequest,
} from '../../../integrations/forges/local/pull-request-detail.ts'
import { fetchMirror } from '../../../integrations/git/mirrors/fetch-mirror.ts'
import { publishKept } from '../add-message.ts'
import { archiveJob } from '../archive-job.ts'
import { listEvents } from '../events.ts'
import type { Job } from '../jobs.ts'
import { listTurns } from '../turns.ts'
import { jobDiff, recordAllPushes, withKeptChanges } from '../workspace/job-work.ts'
import { runJob } from './run-job.ts'

const author = { name: 'Someone', email: 'someone@example.com' }

describeOnStore('kept work', (store) => {
  const shown = (world: JobWorld) => ({
    id: world.project.id,
    open: async () => {
      await fetchMirror(world.project.repository, world.project.remote)
      return world.project.repository
    },
  })
  const look = async (world: JobWorld, id: string): Promise<Job> =>
    withKeptChanges(store(), shown(world), await world.read(id))
  const run = async (world: JobWorld, id: string): Promise<Job> => {
    await runJob(world.ports, id)
    return world.read(id)
  }
  const publish = async (world: JobWorld, id: string): Promise<Job> => {
    await publishKept(world.ports, world.project, id, noLimit)
    return run(world, id)
  }
  const detail = (world: JobWorld, number = 1): Promise<PullRequest | undefined> =>
    readPullRequestDetail(world.forgePorts, world.project, number)

  it('is shown as kept beside what was published and what people pushed', async () => {
    await using world = await createJobWorld(store(), brittleModel())
    const { id, branch } = await world.create('write a.md: one\n')
    await runJob(world.ports, id)
    pushFiles(world, branch, { 'by-hand.md': 'hand\n' })
    expect(await jobDiff(store(), shown(world), id)).toContain('+hand')
    expect((await world.read(id)).changes.map(({ path }) => path)).toEqual(['a.md', 'by-hand.md'])
    // As after a sync, without anybody looking at the job.
    pushFiles(world, branch, { 'synced.md': 'synced\n' })
    await shown(world).open()
    await recordAllPushes(store(), world.project.id, world.project.repository)
    expect((await world.read(id)).changes).toHaveLength(3)
    // A mirror that is behind is no reason to believe that somebody took it back.
    world.git('update-ref', `refs/heads/${branch}`, `${branch}^`)
    await shown(world).open()
    await recordAllPushes(store(), world.project.id, world.project.repository)
    expect(await jobDiff(store(), shown(world), id)).toContain('+synced')
    await world.message(id, 'break b.md: two\n')
    await runJob(world.ports, id)
    pushFiles(world, branch, { 'later.md': 'later\n' })
    const diff = await jobDiff(store(), shown(world), id)
    for (const line of ['+one', '+hand', '+two', '+later']) expect(diff).toContain(line)
    const job = await look(world, id)
    expect(job).toMatchObject({ status: 'failed', kept: { turn: 2 } })
    expect(job.changes.map(({ path, kept }) => [path, kept === true])).toEqual([
      ['a.md', false],
      ['b.md', true],
      ['by-hand.md', false],
      ['later.md', false],
    ])
    expect((await world.eventTypes(id)).filter((type) => type === 'branch.moved')).toHaveLength(3)
  })

  it('is published as a draft that says that a person decided, and why the turn had ended', async () => {
    await using world = await createJobWorld(store(), brittleModel())
    const { id, branch } = await world.create('break a.md: BROKEN\n')
    await runJob(world.ports, id)
    expect(await look(world, id)).toMatchObject({ changes: [{ path: 'a.md', kept: true }] })
    expect(await publish(world, id)).toMatchObject({
      status: 'completed',
      failure: undefined,
      kept: undefined,
      checks: [{ path: 'a.md', message: 'It is broken' }],
    })
    expect(world.git('show', `${branch}:a.md`)).toBe('BROKEN')
    const request = await detail(world)
    expect(request).toMatchObject({ draft: true })
    expect(request?.body).toMatch(
      /^> \*\*Draft:\*\* Published manually from turn 1 before the agent finished\. Reason the agent stopped: .*the provider is down[^]*One problem remains[^]*`a\.md:1`/,
    )
    expect(request?.body).toContain('> break a.md: BROKEN')
    await expect(publishKept(world.ports, world.project, id, noLimit)).rejects.toMatchObject({
      code: 'conflict',
    })
    // What comes later goes on from the draft, which becomes ready.
    await world.message(id, 'write a.md: whole\n')
    await runJob(world.ports, id)
    expect(await detail(world)).toMatchObject({ draft: false })
  })

  it('is published without what the policy refuses, which no decision lets through', async () => {
    const model = scriptedModel(({ prompt, step }) => {
      if (step > 0 && prompt === 'all') return [['finish', { title: 'Pages', summary: 'Both made.' }]]
      if (step > 0) throw new Error('the provider is down')
      const files = prompt === 'none' ? ['.github/x.yml'] : ['.github/x.yml', 'a.md']
      return files.map((path) => ['write_file', { path, content: 'x' }])
    })
    await using world = await createJobWorld(store(), model)
    const { id, branch } = await world.create('both')
    await runJob(world.ports, id)
    expect(await publish(world, id)).toMatchObject({
      status: 'completed',
      checks: [{ check: 'policy', path: '.github/x.yml', message: 'Left out: It is protected' }],
    })
    expect(world.git('diff', '--name-only', `main..${branch}`)).toBe('a.md')
    const request = await detail(world)
    expect(request).toMatchObject({ draft: true })
    expect(request?.body).toMatch(
      /One change was not included in this pull request[^]*`\.github\/x\.yml` policy/,
    )
    const turns = await listTurns(store().db, world.project.id, id)
    expect(turns.at(-1)?.summary).toContain('`.github/x.yml`: `It is protected`')

    const none = await world.create('none')
    await runJob(world.ports, none.id)
    expect(await publish(world, none.id)).toMatchObject({
      status: 'failed',
      failure: { code: 'policy', files: [{ path: '.github/x.yml' }] },
      kept: { turn: 2 },
    })
    // A decision that could not be carried out does not hide why the work had ended.
    expect(await publish(world, none.id)).toMatchObject({ failure: { code: 'policy' }, kept: { turn: 3 } })
  })

  it('is published once, wherever a runner ends meanwhile', async () => {
    await using world = await createJobWorld(store(), brittleModel())
    let point = 0
    for (let died = true; died;) {
      point += 2
      const { id, branch } = await world.create('break a.md: one\n')
      await runJob(world.ports, id)
      await publishKept(world.ports, world.project, id, noLimit)
      died = await runUntil(world.ports, point, (ports) => runJob(ports, id))
      const job = await run(world, id)
      expect({
        point,
        job,
        commits: world.git('rev-list', '--count', `main..${branch}`),
        draft: (await detail(world, job.pullRequest?.number ?? 0))?.draft,
      }).toMatchObject({ point, job: { status: 'completed', kept: undefined }, commits: '1', draft: true })
      await closePullRequest(world.forgePorts, world.project, job.pullRequest?.number ?? 0)
    }
    expect(point).toBeGreaterThan(10)
  })

  it('is left out in part where the model cannot mend what the policy refuses', async () => {
    const model = scriptedModel(({ prompt, step }) => {
      if (step > 0) return [['finish', { title: 'Pages', summary: 'Both made.' }]]
      const content = prompt === 'broken' ? 'BROKEN' : 'x'
      return ['.github/x.yml', 'a.md'].map((path) => ['write_file', { path, content }])
    })
    await using world = await createJobWorld(store(), model)
    const { id, branch } = await world.create('fine')
    await runJob(world.ports, id)
    expect(await world.read(id)).toMatchObject({
      status: 'completed',
      failure: undefined,
      checks: [{ check: 'policy', severity: 'error', path: '.github/x.yml' }],
      changes: [{ path: 'a.md' }],
    })
    expect(world.git('diff', '--name-only', `main..${branch}`)).toBe('a.md')
    expect(await detail(world)).toMatchObject({
      draft: true,
      body: expect.stringMatching(/^> \*\*Draft:\*\* One change was not included/) as string,
    })
    const events = await listEvents(store().db, world.project.id, id, { after: 0, limit: 1000 })
    expect(events.find(({ type }) => type === 'attention')?.data).toMatchObject({
      reason: 'policy',
      message: expect.stringContaining('.github/x.yml: It is protected') as string,
    })

    // The rest does not stand on its own, or the project wants no drafts.
    const broken = await world.create('broken')
    await runJob(world.ports, broken.id)
    const failed = { status: 'failed', failure: { code: 'policy' }, kept: { turn: 1 } }
    expect(await world.read(broken.id)).toMatchObject(failed)
    const settings = { ...world.project.settings, onProblems: 'fail' as const }
    const project = { ...world.project, settings }
    const strict = await world.create('fine')
    await runJob({ ...world.ports, openProject: () => Promise.resolve(project) }, strict.id)
    expect(await world.read(strict.id)).toMatchObject(failed)
  })

  it('is merged into a base that has moved, without what conflicts or is gone there', async () => {
    const model = scriptedModel(({ step }) => {
      if (step > 0) throw new Error('the provider is down')
      return ['index.md', 'guide.md', 'new.md'].map((path) => ['write_file', { path, content: 'ours\n' }])
    })
    await using world = await createJobWorld(store(), model)
    const { id, branch } = await world.create('all')
    await runJob(world.ports, id)
    pushFiles(world, 'main', { 'index.md': 'theirs\n', 'guide.md': undefined })
    expect(await publish(world, id)).toMatchObject({ status: 'completed' })
    expect(world.git('diff', '--name-only', `main..${branch}`)).toBe('new.md')
    const { body } = (await detail(world)) ?? {}
    expect(body).toMatch(/`index\.md:1` policy: Left out: Its changes conflict with newer text/)
    expect(body).toMatch(/`guide\.md` policy: Left out: Its changes could not be merged/)
  })

  it('goes into another pull request once a person has merged or closed the first', async () => {
    await using world = await createJobWorld(store(), brittleModel())
    const { id } = await world.create('write a.md: one\n')
    await runJob(world.ports, id)
    await world.message(id, 'break b.md: two\n')
    await runJob(world.ports, id)
    await mergePullRequest(world.forgePorts, world.project, { number: 1, author })
    expect((await look(world, id)).changes).toMatchObject([{ path: 'b.md', kept: true }])
    expect(await jobDiff(store(), shown(world), id)).not.toContain('+one')
    expect(await publish(world, id)).toMatchObject({
      pullRequest: { number: 2 },
      changes: [{ path: 'b.md' }],
    })
    await world.message(id, 'break c.md: three\n')
    await runJob(world.ports, id)
    await closePullRequest(world.forgePorts, world.project, 2)
    expect(await publish(world, id)).toMatchObject({
      pullRequest: { number: 3 },
      changes: [{ path: 'c.md' }],
    })
  })

  it('is published only once the job has ended, and not of an archived job', async () => {
    await using world = await createJobWorld(store(), brittleModel())
    const { id } = await world.create('break a.md: one\n')
    const refused = (code: string, one = id) =>
      expect(publishKept(world.ports, world.project, one, noLimit)).rejects.toMatchObject({ code })
    await refused('conflict')
    await runJob(world.ports, id)
    await archiveJob(store(), world.project, id)
    await refused('invalid')
    expect(await look(world, id)).toMatchObject({ changes: [{ path: 'a.md', kept: true }] })
    const other = await world.create('nothing')
    await runJob(world.ports, other.id)
    await refused('conflict', other.id)
    expect(await publishKept(world.ports, world.project, 'job_none', noLimit)).toBeUndefined()
  })
})
