import { expect, it } from 'vitest'
import { describeOnStore } from '../../../tests/stores.ts'
import { createJobWorld, noLimit, type JobWorld } from '../../../tests/worlds/job-world.ts'
import { brittleModel, scriptedModel, writingModel } from '../../../tests/worlds/scripted-model.ts'
import { readPullRequestDetail } from '../../integrations/forges/local/pull-request-detail.ts'
import { publishKept } from './add-message.ts'
import { approve } from './approve.ts'
import { listEvents } from './events.ts'
import { runJob } from './loop/run-job.ts'
import { listTurns } from './turns.ts'

describeOnStore('what the policy refused for want of an example', (store) => {
  const allow = (world: JobWorld, id: string, value: string) =>
    approve(world.ports, world.project, id, { kind: 'host', value, by: 'A person' }, noLimit)

  it('is published without asking the model again once a person has allowed all of it', async () => {
    const model = writingModel()
    await using world = await createJobWorld(store(), model)
    const { id, branch } = await world.create('write a.md: HOST a.example HOST b.example\n')
    await runJob(world.ports, id)
    const approvals = ['a.example', 'b.example'].map((value) => ({ approval: { kind: 'host', value } }))
    expect(await world.read(id)).toMatchObject({
      status: 'failed',
      failure: { code: 'policy', files: approvals },
      kept: { turn: 1 },
    })
    const calls = model.doGenerateCalls.length
    expect(await allow(world, id, 'a.example')).toMatchObject({
      status: 'failed',
      failure: { files: [{ approval: { value: 'b.example' } }] },
    })
    expect(await allow(world, id, 'b.example')).toMatchObject({ status: 'active', failure: undefined })
    await runJob(world.ports, id)
    expect(await world.read(id)).toMatchObject({ status: 'completed', failure: undefined, kept: undefined })
    expect(world.git('show', `${branch}:a.md`)).toContain('HOST a.example')
    const request = await readPullRequestDetail(world.forgePorts, world.project, 1)
    expect(request).toMatchObject({ draft: false })
    expect(request?.body).not.toContain('Published manually')
    expect(model.doGenerateCalls).toHaveLength(calls)
    const events = await listEvents(store().db, world.project.id, id, { after: 0, limit: 100 })
    expect(events.filter(({ type }) => type === 'approved').map(({ data }) => data)).toEqual([
      expect.objectContaining({ kind: 'host', value: 'a.example', by: 'A person' }),
      expect.objectContaining({ kind: 'host', value: 'b.example' }),
    ])
  })

  it('is allowed in that job alone, and only what was refused', async () => {
    await using world = await createJobWorld(store(), writingModel())
    const { id } = await world.create('write a.md: HOST a.example\n')
    await runJob(world.ports, id)
    await expect(allow(world, id, 'b.example')).rejects.toMatchObject({ code: 'conflict' })
    await allow(world, id, 'a.example')
    await runJob(world.ports, id)
    await expect(allow(world, id, 'a.example')).rejects.toMatchObject({ code: 'conflict' })
    const other = await world.create('write b.md: HOST a.example\n')
    await runJob(world.ports, other.id)
    expect(await world.read(other.id)).toMatchObject({ status: 'failed', failure: { code: 'policy' } })
    expect(
      await approve(world.ports, { id: 'prj_other' }, id, { kind: 'host', value: 'x', by: '' }, noLimit),
    ).toBe(undefined)
  })

  it('keeps waiting while something is refused that nobody can allow', async () => {
    await using world = await createJobWorld(store(), writingModel())
    const { id } = await world.create('write .github/a.md: HOST a.example\n')
    await runJob(world.ports, id)
    expect(await allow(world, id, 'a.example')).toMatchObject({
      status: 'failed',
      failure: { files: [{ message: 'It is protected' }] },
    })
  })

  it('is kept where it was left out of a draft, and added to it once it is allowed', async () => {
    const model = scriptedModel(({ prompt, step }) => {
      if (step > 0) return [['finish', { title: 'Pages', summary: 'Wrote the pages.' }]]
      const [, ...more] = prompt.split(' ')
      return [
        ['write_file', { path: 'plain.md', content: 'plain\n' }],
        ['write_file', { path: 'image.md', content: 'HOST a.example\n' }],
        ...more.map((path): [string, unknown] => ['write_file', { path, content: 'x' }]),
      ]
    })
    await using world = await createJobWorld(store(), model)
    const detail = (number: number) => readPullRequestDetail(world.forgePorts, world.project, number)
    const { id, branch } = await world.create('pages')
    await runJob(world.ports, id)
    expect(await world.read(id)).toMatchObject({
      status: 'completed',
      outcome: 'changed',
      kept: { turn: 1 },
      checks: [{ check: 'policy', path: 'image.md', approval: { kind: 'host', value: 'a.example' } }],
    })
    expect(await detail(1)).toMatchObject({ draft: true })
    const calls = model.doGenerateCalls.length
    expect(await allow(world, id, 'a.example')).toMatchObject({ status: 'active', checks: [] })
    await runJob(world.ports, id)
    expect(await world.read(id)).toMatchObject({ status: 'completed', kept: undefined, checks: [] })
    expect(model.doGenerateCalls).toHaveLength(calls)
    expect(world.git('diff', '--name-only', `main..${branch}`)).toBe('image.md\nplain.md')
    const request = await detail(1)
    expect(request).toMatchObject({ draft: false })
    expect(request?.body).toContain('Adds changes left out of the previous publication.')
    expect(request?.body).not.toContain('Published manually')

    // Beside something that nobody can allow, a decision adds what is allowed by now and leaves out the rest.
    const other = await world.create('pages .github/x.yml')
    await runJob(world.ports, other.id)
    expect(await allow(world, other.id, 'a.example')).toMatchObject({
      status: 'completed',
      kept: { turn: 1 },
    })
    await publishKept(world.ports, world.project, other.id, noLimit)
    await runJob(world.ports, other.id)
    expect(await world.read(other.id)).toMatchObject({
      status: 'completed',
      kept: { turn: 2 },
      checks: [{ check: 'policy', path: '.github/x.yml' }],
    })
    expect(world.git('diff', '--name-only', `main..${other.branch}`)).toBe('image.md\nplain.md')
    const { draft, body } = (await detail(2)) ?? {}
    expect(draft).toBe(true)
    expect(body).not.toContain('Reason the agent stopped')
  })

  it('goes on in a follow-up after it was left out, and is not published by an answer to it', async () => {
    const told: string[] = []
    const model = scriptedModel(({ prompt, step, options }) => {
      told.push(JSON.stringify(options.prompt))
      if (prompt === 'why?') return [['finish', { title: 'Why', summary: 'Because.', noChange: true }]]
      if (prompt === 'mend' && step === 0)
        return [['write_file', { path: 'image.md', content: 'no image\n' }]]
      if (prompt === 'pages' && step === 0)
        return [
          ['write_file', { path: 'plain.md', content: 'plain\n' }],
          ['write_file', { path: 'image.md', content: 'HOST a.example\n' }],
        ]
      return [['finish', { title: 'Pages', summary: 'Wrote the pages.' }]]
    })
    await using world = await createJobWorld(store(), model)
    const run = async (prompt: string, id?: string) => {
      const job = id === undefined ? await world.create(prompt) : await world.message(id, prompt)
      await runJob(world.ports, job.id)
      return world.read(job.id)
    }
    const { id, branch } = await run('pages')
    told.length = 0
    expect(await run('why?', id)).toMatchObject({ outcome: 'no_change', kept: { turn: 2 } })
    expect(told).toHaveLength(1)
    expect(told[0]).toMatch(
      /Turn 1 has left changes that are not published .*They are in the tree.*image\.md/,
    )
    const turns = await listTurns(store().db, world.project.id, id)
    expect(turns.at(-1)?.summary).toBe(
      'Because.\n\nOne changed file was not published. What was changed is kept: a follow-up continues from it.',
    )
    expect(await run('mend', id)).toMatchObject({ outcome: 'changed', kept: undefined, checks: [] })
    expect(world.git('show', `${branch}:image.md`)).toBe('no image')

    // A question in between does not make it somebody else's decision.
    const other = await run('pages')
    await run('why?', other.id)
    await allow(world, other.id, 'a.example')
    await runJob(world.ports, other.id)
    expect(await world.read(other.id)).toMatchObject({ outcome: 'changed', kept: undefined, checks: [] })
    const request = await readPullRequestDetail(world.forgePorts, world.project, 2)
    expect(request).toMatchObject({ draft: false })
    expect(request?.body).not.toContain('Reason the agent stopped')
  })

  it('can be allowed in work that ended for another reason, which is then not published by itself', async () => {
    await using world = await createJobWorld(store(), brittleModel())
    const { id } = await world.create('break a.md: HOST a.example\n')
    await runJob(world.ports, id)
    expect(await allow(world, id, 'a.example')).toMatchObject({
      status: 'failed',
      failure: { files: [] },
      kept: { turn: 1 },
    })
  })
})
