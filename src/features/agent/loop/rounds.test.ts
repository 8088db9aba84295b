import { expect, it } from 'vitest'
import { describeOnStore } from '../../../../tests/stores.ts'
import { listEvents } from '../events.ts'
import { createJobWorld, type JobWorld } from '../../../../tests/worlds/job-world.ts'
import { runJob } from './run-job.ts'
import { scriptedModel } from '../../../../tests/worlds/scripted-model.ts'
import { readOverlay } from '../workspace/overlay.ts'

const finish: [string, unknown] = ['finish', { title: 'A page', summary: 'Made it.' }]
const broken: [string, unknown] = ['write_file', { path: 'a.md', content: 'BROKEN CLUMSY' }]

// A model that fixes its page after as many rounds as the prompt says.
const mendingModel = () =>
  scriptedModel(({ prompt, step, options }) => {
    if (step === 0) return [broken]
    const told = JSON.stringify(options.prompt)
    const rounds = told.split('not ready to be published').length - 1
    const isMended = told.includes('content\\":\\"fine') || told.includes('"content":"fine')
    if (rounds === Number(prompt) && !isMended) return [['write_file', { path: 'a.md', content: 'fine' }]]
    return [finish]
  })

describeOnStore('the end of a turn', (store) => {
  const checksOf = async (world: JobWorld, id: string) => {
    const events = await listEvents(store().db, world.project.id, id, { after: 0, limit: 1000 })
    return events.filter(({ type, data }) => type === 'checks' && 'round' in data).map(({ data }) => data)
  }

  it('is sent back three times while there are problems, and once with warnings', async () => {
    const model = mendingModel()
    await using world = await createJobWorld(store(), model)
    const { id } = await world.create('3')
    await runJob(world.ports, id)
    expect(await world.read(id)).toMatchObject({ status: 'completed', checks: [] })
    expect(await checksOf(world, id)).toMatchObject([
      { round: 1, errors: 1, warnings: 1 },
      { round: 2, errors: 1, warnings: 1 },
      { round: 3, errors: 1, warnings: 1 },
      { round: 4, errors: 0, warnings: 0 },
    ])
    const told = JSON.stringify(model.doGenerateCalls.at(-1)?.prompt)
    expect(told.split('It is broken')).toHaveLength(4)
    expect(told.split('It is clumsy')).toHaveLength(2)
  })

  it('is a draft with the remaining problems after the third round', async () => {
    await using world = await createJobWorld(store(), mendingModel())
    const { id } = await world.create('4')
    await runJob(world.ports, id)
    const job = await world.read(id)
    expect(job).toMatchObject({
      status: 'completed',
      checks: [{ path: 'a.md', message: 'It is broken' }, { message: 'It is clumsy' }],
    })
    const events = await listEvents(store().db, world.project.id, id, { after: 0, limit: 1000 })
    expect(events.find(({ type }) => type === 'attention')?.data).toMatchObject({
      reason: 'problems',
      message: expect.stringContaining('a.md:1: It is broken'),
    })
    const row = await store()
      .db.selectFrom('pull_requests')
      .select('draft')
      .where('project_id', '=', world.project.id)
      .executeTakeFirst()
    expect(row?.draft).toBe(true)
  })

  it('is no draft, and is not sent back, for warnings alone', async () => {
    const model = scriptedModel(({ step }) =>
      step === 0 ? [['write_file', { path: 'a.md', content: 'CLUMSY' }]] : [finish],
    )
    await using world = await createJobWorld(store(), model)
    const { id } = await world.create('Write it')
    await runJob(world.ports, id)
    expect(await world.read(id)).toMatchObject({
      status: 'completed',
      checks: [{ severity: 'warning', message: 'It is clumsy' }],
    })
    expect(await checksOf(world, id)).toMatchObject([{ round: 1, errors: 0, warnings: 1 }])
    const row = await store()
      .db.selectFrom('pull_requests')
      .select('draft')
      .where('project_id', '=', world.project.id)
      .executeTakeFirst()
    expect(row?.draft).toBe(false)
  })

  it('is a failure where the project wants that, and the work is kept', async () => {
    await using world = await createJobWorld(store(), mendingModel())
    const settings = { ...world.project.settings, onProblems: 'fail' as const }
    const project = { ...world.project, settings }
    const { id } = await world.create('4')
    await runJob({ ...world.ports, openProject: () => Promise.resolve(project) }, id)
    expect(await world.read(id)).toMatchObject({
      status: 'failed',
      pullRequest: undefined,
      failure: { code: 'checks', message: expect.stringContaining('a.md:1: It is broken') },
    })
    const turn = await store().db.selectFrom('turns').select('id').where('job_id', '=', id).executeTakeFirst()
    expect(await readOverlay(store().db, turn?.id ?? '')).toMatchObject([{ path: 'a.md' }])
  })

  it('does not wait for warnings', async () => {
    const model = scriptedModel(({ step }) =>
      step === 0 ? [['write_file', { path: 'a.md', content: 'CLUMSY' }]] : [finish],
    )
    await using world = await createJobWorld(store(), model)
    const { id } = await world.create('x')
    await runJob(world.ports, id)
    expect(await world.read(id)).toMatchObject({ status: 'completed', checks: [{ severity: 'warning' }] })
    expect(model.doGenerateCalls).toHaveLength(2)
  })

  it('returns policy violations once, and applies the same rules to an answer without calls', async () => {
    const forbidden: [string, unknown] = ['write_file', { path: '.github/x.yml', content: 'x' }]
    const model = scriptedModel(({ prompt, step }) => {
      if (step === 0) return [forbidden]
      return prompt === 'words' ? 'That was all.' : [finish]
    })
    await using world = await createJobWorld(store(), model)
    for (const [prompt, calls] of [
      ['finish', 3],
      ['words', 4],
    ] as const) {
      const before = model.doGenerateCalls.length
      const { id } = await world.create(prompt)
      await runJob(world.ports, id)
      expect(await world.read(id)).toMatchObject({
        status: 'failed',
        failure: { code: 'policy', message: expect.stringContaining('.github/x.yml: It is protected') },
      })
      expect(model.doGenerateCalls.length - before).toBe(calls)
    }
    expect(world.git('for-each-ref', '--format=%(refname)')).toBe('refs/heads/main')
  })

  it('returns policy violations again while there are fewer of them, three times at most', async () => {
    const hosts = (count: number): [string, unknown] => [
      'write_file',
      { path: 'a.md', content: Array.from({ length: count }, (_, n) => `HOST h${n}.net`).join('\n') },
    ]
    const model = scriptedModel(({ prompt, step }) => {
      const counts = prompt.split(' ').map(Number)
      const count = counts[Math.floor(step / 2)]
      return step % 2 === 0 && count !== undefined ? [hosts(count)] : [finish]
    })
    await using world = await createJobWorld(store(), model)
    for (const [prompt, status, calls] of [
      ['3 2 1 0', 'completed', 8],
      ['4 3 2 1 0', 'failed', 8],
      ['2 2 0', 'failed', 4],
    ] as const) {
      const before = model.doGenerateCalls.length
      const { id } = await world.create(prompt)
      await runJob(world.ports, id)
      expect([prompt, (await world.read(id))?.status]).toEqual([prompt, status])
      expect(model.doGenerateCalls.length - before).toBe(calls)
    }
  })

  it('is a draft that lists what a person has to look at, also after a follow-up, until it is allowed', async () => {
    const model = scriptedModel(({ prompt, step }) =>
      step === 0
        ? [
            [
              'write_file',
              prompt === 'more' ? { path: 'b.md', content: 'x' } : { path: 'a.md', content: 'LOOK Chart' },
            ],
          ]
        : [finish],
    )
    await using world = await createJobWorld(store(), model)
    const { id } = await world.create('Add a chart')
    await runJob(world.ports, id)
    const look = { check: 'look', severity: 'warning', path: 'a.md', message: 'It has a new component Chart' }
    expect(await world.read(id)).toMatchObject({ status: 'completed', checks: [look] })
    const request = () =>
      store()
        .db.selectFrom('pull_requests')
        .select(['draft', 'body'])
        .where('project_id', '=', world.project.id)
        .executeTakeFirstOrThrow()
    expect(await request()).toMatchObject({
      draft: true,
      body: expect.stringMatching(/^> \*\*Draft:\*\* One place is to be looked at[^]*a\.md:1/),
    })
    expect(model.doGenerateCalls).toHaveLength(2)
    await world.message(id, 'more')
    await runJob(world.ports, id)
    expect(await world.read(id)).toMatchObject({ status: 'completed', checks: [look] })
    expect(await request()).toMatchObject({ draft: true })
  })

  it('gives a pull request no title about a page that was left out of it', async () => {
    const model = scriptedModel(({ step }) =>
      step === 0
        ? [
            ['write_file', { path: 'embedding.md', content: 'HOST evil.net' }],
            ['write_file', { path: 'tokens.md', content: 'Tokens.' }],
          ]
        : [['finish', { title: 'Add a page on embedding', summary: 'Made it.' }]],
    )
    await using world = await createJobWorld(store(), model)
    const { id } = await world.create('Write both')
    await runJob(world.ports, id)
    expect(await world.read(id)).toMatchObject({ status: 'completed', title: 'Update tokens.md' })
  })

  it('is not reached in an answer whose other calls failed', async () => {
    const model = scriptedModel(({ step }) => {
      if (step === 0) return [['read_file', { path: 'nowhere.md' }], finish]
      return [['finish', { title: 'None', summary: 'Page not found.', noChange: true }]]
    })
    await using world = await createJobWorld(store(), model)
    const { id } = await world.create('x')
    await runJob(world.ports, id)
    expect(model.doGenerateCalls).toHaveLength(2)
    expect(JSON.stringify(model.doGenerateCalls[1]?.prompt)).toContain('not_finished')
  })
})
