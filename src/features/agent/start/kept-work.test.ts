import { expect, it, vi } from 'vitest'
import { describeOnStore } from '../../../../tests/stores.ts'
import { mergePullRequest } from '../../../integrations/forges/local/merge-pull-request.ts'
import { pushFiles } from '../../../../tests/worlds/follow-up.ts'
import { createJobWorld, type JobWorld } from '../../../../tests/worlds/job-world.ts'
import { runJob } from '../loop/run-job.ts'
import { cancelJob } from '../cancel-job.ts'
import { brittleModel, scriptedModel } from '../../../../tests/worlds/scripted-model.ts'

const author = { name: 'Someone', email: 'someone@example.com' }

describeOnStore('a turn after one that ended early', (store) => {
  const send = async (world: JobWorld, id: string, prompt: string) => {
    await world.message(id, prompt)
    await runJob(world.ports, id)
    return world.read(id)
  }

  it('continues from its changes, and says so', async () => {
    const told: string[] = []
    await using world = await createJobWorld(
      store(),
      brittleModel(({ options }) => told.push(JSON.stringify(options.prompt))),
    )
    const { id, branch } = await world.create('break a.md: one\n')
    await runJob(world.ports, id)
    expect(await world.read(id)).toMatchObject({ status: 'failed', failure: { code: 'model_error' } })
    expect(world.git('for-each-ref', '--format=%(refname)')).toBe('refs/heads/main')
    // Twice, because carried changes must be kept as well.
    await send(world, id, 'break b.md: two\n')
    expect(await send(world, id, 'go on')).toMatchObject({ status: 'completed' })
    expect(told.at(-1)).toContain('They are in the tree: \\"a.md\\", \\"b.md\\"')
    expect(told.at(-1)).toContain('the provider is down')
    expect(world.git('diff', '--name-only', `main..${branch}`)).toBe('a.md\nb.md')
    expect((await world.eventTypes(id)).filter((type) => type === 'work.carried')).toHaveLength(2)
    // Its changes were published, so nothing is left to carry.
    await send(world, id, 'and now?')
    expect(told.at(-1)).not.toContain('has left changes')
  })

  it('merges them into a base that has moved, and gives conflicts to the model', async () => {
    const told: string[] = []
    await using world = await createJobWorld(
      store(),
      brittleModel(({ options }) => told.push(JSON.stringify(options.prompt))),
    )
    const { id, branch } = await world.create('break index.md: # Start\n\nWelcome, reader.\n')
    await runJob(world.ports, id)
    pushFiles(world, 'main', {
      'index.md': '---\ntitle: Start\n---\n\n# Start\n\nWelcome.\n',
      'b.md': 'two\n',
    })
    expect(await send(world, id, 'go on')).toMatchObject({ status: 'completed' })
    expect(world.git('show', `${branch}:index.md`)).toBe(
      '---\ntitle: Start\n---\n\n# Start\n\nWelcome, reader.',
    )
    expect(world.git('show', `${branch}:b.md`)).toBe('two')

    const other = await world.create('break guide.md: ours\n')
    await runJob(world.ports, other.id)
    pushFiles(world, 'main', { 'guide.md': 'theirs\n' })
    expect(await send(world, other.id, 'go on')).toMatchObject({
      status: 'failed',
      failure: { code: 'conflict' },
    })
    expect(told.at(-1)).toContain('hold conflict markers, which you have to resolve: \\"guide.md\\"')
    // The conflict markers are carried too, and still recognized.
    expect(await send(world, other.id, 'go on')).toMatchObject({ failure: { code: 'conflict' } })
    expect(await send(world, other.id, 'write guide.md: both\n')).toMatchObject({ status: 'completed' })
    expect(world.git('show', `${other.branch}:guide.md`)).toBe('both')
  })

  it('keeps a resolution, but not where the base has moved once more', async () => {
    await using world = await createJobWorld(store(), brittleModel())
    const { id, branch } = await world.create('write index.md: ours\n')
    await runJob(world.ports, id)
    pushFiles(world, 'main', { 'index.md': 'theirs\n' })
    await send(world, id, 'break index.md: ours and theirs\n')
    expect(await send(world, id, 'go on')).toMatchObject({ status: 'completed' })
    expect(world.git('show', `${branch}:index.md`)).toBe('ours and theirs')

    pushFiles(world, 'main', { 'index.md': 'theirs, later\n' })
    await send(world, id, 'break index.md: resolved\n')
    pushFiles(world, 'main', { 'index.md': 'theirs, latest\n' })
    // The older resolution does not know the latest change, so the model gets the newest conflict.
    expect(await send(world, id, 'write index.md: resolved at last\n')).toMatchObject({ status: 'completed' })
    expect(world.git('show', `${branch}:index.md`)).toBe('resolved at last')
  })

  it('continues from what the policy refused, and publishes the rest where it stays refused', async () => {
    await using world = await createJobWorld(store(), brittleModel())
    const { id, branch } = await world.create('write .github/x.md: x\n')
    await runJob(world.ports, id)
    expect(await world.read(id)).toMatchObject({
      failure: { code: 'policy', files: [{ path: '.github/x.md', message: 'It is protected' }] },
      kept: { turn: 1 },
    })
    expect(await send(world, id, 'write a.md: one\n')).toMatchObject({
      status: 'completed',
      checks: [{ check: 'policy', path: '.github/x.md' }],
      kept: { turn: 2 },
    })
    expect(world.git('diff', '--name-only', `main..${branch}`)).toBe('a.md')
  })

  it('continues from changes that were cancelled, whether or not something ran at that moment', async () => {
    let asked = 0
    const model = scriptedModel(({ prompt, step }) => {
      if (prompt === 'go on') return [['finish', { title: 'Go on', summary: 'Went on.' }]]
      if (step === 0) return [['write_file', { path: 'a.md', content: 'one' }]]
      asked++
      return new Promise(() => {})
    })
    await using world = await createJobWorld(store(), model)
    const { id, branch } = await world.create('begin')
    const running = runJob(world.ports, id)
    await vi.waitFor(() => expect(asked).toBe(1), { timeout: 120_000 })
    await world.message(id, 'never reached')
    expect(await cancelJob(store(), world.project, id)).toMatchObject({ kept: { turn: 1 } })
    await running
    // Stopped before it could start: what the first turn left is still there.
    await world.message(id, 'not begun')
    expect(await cancelJob(store(), world.project, id)).toMatchObject({ kept: { turn: 1 } })
    expect(await send(world, id, 'go on')).toMatchObject({ status: 'completed', kept: undefined })
    expect(world.git('show', `${branch}:a.md`)).toBe('one')
  })

  it('keeps them while the model only answers a question', async () => {
    const model = scriptedModel(({ prompt, step }) => {
      if (prompt === 'What did you do?') return 'I have written a page.'
      if (prompt === 'go on') return [['finish', { title: 'Go on', summary: 'Went on.' }]]
      if (step === 0) return [['write_file', { path: 'a.md', content: 'one' }]]
      throw new Error('the provider is down')
    })
    await using world = await createJobWorld(store(), model)
    const { id, branch } = await world.create('begin')
    await runJob(world.ports, id)
    expect(await send(world, id, 'What did you do?')).toMatchObject({
      status: 'completed',
      pullRequest: undefined,
      kept: { turn: 2 },
    })
    expect(await send(world, id, 'go on')).toMatchObject({ status: 'completed', kept: undefined })
    expect(world.git('show', `${branch}:a.md`)).toBe('one')
  })

  it('has nothing to take over from a turn whose changes are in the branch already', async () => {
    await using world = await createJobWorld(store(), brittleModel())
    const { id, branch } = await world.create('write a.md: one\n')
    await runJob(world.ports, id)
    // The branch was pushed, but no pull request was opened, because the forge was away.
    const refusing = {
      ...world.forge,
      update: () => Promise.reject(new Error('away')),
      open: () => Promise.reject(new Error('away')),
    }
    await world.message(id, 'write b.md: two\n')
    await runJob({ ...world.ports, forgeFor: () => refusing }, id)
    expect(await world.read(id)).toMatchObject({ status: 'failed' })
    expect(await send(world, id, 'go on')).toMatchObject({ status: 'completed' })
    expect((await world.eventTypes(id)).filter((type) => type === 'work.carried')).toHaveLength(0)
    expect(world.git('rev-list', '--count', `main..${branch}`)).toBe('2')
  })

  it('carries them to a new branch once the pull request was merged', async () => {
    await using world = await createJobWorld(store(), brittleModel())
    const { id } = await world.create('write a.md: one\n')
    await runJob(world.ports, id)
    await send(world, id, 'break b.md: two\n')
    await mergePullRequest(world.forgePorts, world.project, { number: 1, author })
    const job = await send(world, id, 'go on')
    expect(job).toMatchObject({ status: 'completed', pullRequest: { number: 2 } })
    expect(job.changes.map(({ path }) => path)).toEqual(['b.md'])
  })
})
