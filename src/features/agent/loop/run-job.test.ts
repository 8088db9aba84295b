import { expect, it, onTestFinished } from 'vitest'
import { describeOnBothEngines } from '../../../../tests/stores.ts'
import { createJobWorld } from '../../../../tests/worlds/job-world.ts'
import { measureWith, traceWith, type Measured } from '../../../lib/trace.ts'
import { jobDiff } from '../workspace/job-work.ts'
import { AppError } from '../../../lib/errors.ts'
import { GitError } from '../../../integrations/git/process/run-git.ts'
import { runJob } from './run-job.ts'
import { writingModel } from '../../../../tests/worlds/scripted-model.ts'

describeOnBothEngines('a job', (store) => {
  it('says that changes are kept only where there are some', async () => {
    await using world = await createJobWorld(store(), writingModel())
    const { id } = await world.create('write guide.md: New guide\n')
    const cause = new GitError('fetch', 128, 'returned error: 403')
    const unread = new AppError('forbidden', 'It refuses access', { cause })
    const asked: string[] = []
    const ports = {
      ...world.ports,
      async askHostWhy(_: string, wanted: string) {
        asked.push(wanted)
        return { type: 'refused' as const, error: new AppError('forbidden', 'The token may not do that') }
      },
    }
    await runJob({ ...ports, openProject: () => Promise.reject(unread) }, id)
    const message = 'The token may not do that. Send a message to try again'
    expect((await world.read(id)).failure).toMatchObject({ message })
    await world.message(id, 'write guide.md: New guide\n')
    const forge = { ...world.forge, open: () => Promise.reject(new AppError('invalid', 'It refuses')) }
    await runJob({ ...ports, forgeFor: () => forge }, id)
    expect((await world.read(id)).failure?.message).toContain('What the agent changed is kept')
    expect(asked).toEqual(['read', 'push'])
  })

  it('becomes one branch with one commit and one pull request', async () => {
    await using world = await createJobWorld(store(), writingModel())
    const created = await world.create('write guide.md: New guide\n')
    expect(created).toMatchObject({
      status: 'active',
      turns: 1,
      title: 'write guide.md: New guide',
      revision: 0,
    })
    await runJob(world.ports, created.id)
    const job = await world.read(created.id)
    expect(job).toMatchObject({
      status: 'completed',
      title: 'Write guide.md',
      failure: undefined,
      pullRequest: { number: 1, state: 'open' },
      usage: { inputTokens: 30, outputTokens: 6 },
      checks: [],
      changes: [{ path: 'guide.md', oldPath: null, status: 'modified', additions: 1, deletions: 3 }],
    })
    expect(job.pullRequest?.link).toMatch(/^\/projects\/docs-\w+\/pulls\/1\?token=\w{20,}$/)
    expect(world.git('show', `${job.branch}:guide.md`)).toBe('New guide')
    expect(world.git('log', '--format=%an|%s|%b', `main..${job.branch}`)).toBe(
      `Docwright|Write guide.md|Wrote guide.md, as asked.\n\nGenerated-by: Docwright (scripted)\nDocwright-Job: ${job.id}`,
    )
    const mirror = { id: world.project.id, open: async () => world.project.repository }
    expect(await jobDiff(store(), mirror, job.id)).toContain('+New guide')
    expect(await world.eventTypes(job.id)).toEqual([
      'turn.queued',
      'turn.started',
      'step',
      'tool',
      'step',
      'tool',
      'file.changed',
      'step',
      'tool',
      'checks',
      'published',
      'pull_request.opened',
      'turn.completed',
    ])
  })

  it('is measured to its end, and traced as a consequence of the request that asked for it', async () => {
    const asked = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`
    const links = new Map<string, string | undefined>()
    const measured: Measured[] = []
    measureWith((one) => measured.push(one))
    traceWith({
      begin(name, _values, { link }) {
        links.set(name, link)
        return {
          set: () => undefined,
          event: () => undefined,
          within: (work) => work(),
          end: () => undefined,
        }
      },
      current: () => asked,
    })
    onTestFinished(() => measureWith(() => undefined))
    await using world = await createJobWorld(store(), writingModel())
    const { id } = await world.create('write guide.md: New guide\n')
    await runJob(world.ports, id)
    expect(links.get('turn')).toBe(asked)
    expect(links.get('execute_tool')).toBeUndefined()
    const ended = measured.filter(({ name }) => name === 'turn ended')
    expect(ended).toMatchObject([{ values: { 'docwright.outcome': 'changed' } }])
    const tools = measured.flatMap(({ values }) => values['gen_ai.tool.name'] ?? [])
    expect(tools).toContain('finish')
    const second = await world.create('write guide.md: Newer guide\n')
    await runJob({ ...world.ports, openProject: () => Promise.resolve(undefined) }, second.id)
    expect(measured.at(-1)).toMatchObject({
      name: 'turn ended',
      values: { 'docwright.outcome': 'failed', 'error.type': 'project_not_found' },
    })
  })

  it('runs follow-ups in order, on the same branch and pull request', async () => {
    await using world = await createJobWorld(store(), writingModel())
    const { id } = await world.create('write a.md: one\n')
    await world.message(id, 'write b.md: two\n')
    expect((await world.message(id, 'write a.md: three\n')).turns).toBe(3)
    await runJob(world.ports, id)
    const job = await world.read(id)
    expect(job).toMatchObject({ status: 'completed', title: 'Write a.md', pullRequest: { number: 1 } })
    expect(world.git('log', '--format=%s', '--reverse', `main..${job.branch}`)).toBe(
      'Write a.md\nWrite b.md\nWrite a.md',
    )
    expect(world.git('show', `${job.branch}:a.md`)).toBe('three')
    const again = await world.message(id, 'write c.md: four\n')
    expect(again).toMatchObject({ status: 'active', turns: 4 })
    await runJob(world.ports, id)
    expect(await world.read(id)).toMatchObject({ status: 'completed', pullRequest: { number: 1 } })
    expect((await world.read(id)).changes.map((change) => change.path)).toEqual(['a.md', 'b.md', 'c.md'])
  })
})
