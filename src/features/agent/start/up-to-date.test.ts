import { expect, it } from 'vitest'
import { describeOnStore } from '../../../../tests/stores.ts'
import { readPullRequestDetail } from '../../../integrations/forges/local/pull-request-detail.ts'
import { pushFiles } from '../../../../tests/worlds/follow-up.ts'
import { createJobWorld, type JobWorld } from '../../../../tests/worlds/job-world.ts'
import { runJob } from '../loop/run-job.ts'
import { scriptedModel, writingModel } from '../../../../tests/worlds/scripted-model.ts'

describeOnStore('a follow-up whose base has moved', (store) => {
  const begin = async (
    world: JobWorld,
    prompt = 'write a.md: one\n',
  ): Promise<{ id: string; branch: string }> => {
    const { id, branch } = await world.create(prompt)
    await runJob(world.ports, id)
    return { id, branch }
  }
  const followUp = async (world: JobWorld, id: string, prompt: string) => {
    await world.message(id, prompt)
    await runJob(world.ports, id)
    return world.read(id)
  }

  it('merges the base in the commit that it publishes, and lists only its own changes', async () => {
    await using world = await createJobWorld(store(), writingModel())
    const { id, branch } = await begin(world)
    const before = world.git('rev-parse', branch)
    const base = pushFiles(world, 'main', { 'b.md': 'two\n' })
    const job = await followUp(world, id, 'write c.md: three\n')
    expect(job).toMatchObject({ status: 'completed', pullRequest: { number: 1 } })
    expect(job.changes.map(({ path }) => path)).toEqual(['a.md', 'c.md'])
    expect(world.git('log', '-1', '--format=%P', branch)).toBe(`${before} ${base}`)
    expect(world.git('ls-tree', '--name-only', branch).split('\n')).toEqual([
      'a.md',
      'b.md',
      'c.md',
      'guide.md',
      'index.md',
    ])
    expect(await world.eventTypes(id)).toContain('base.merged')
  })

  it('does not publish a merge without changes', async () => {
    await using world = await createJobWorld(store(), writingModel())
    const { id, branch } = await begin(world)
    const before = world.git('rev-parse', branch)
    pushFiles(world, 'main', { 'b.md': 'two\n' })
    expect(await followUp(world, id, 'look around')).toMatchObject({ status: 'completed' })
    expect(world.git('rev-parse', branch)).toBe(before)
  })

  it('gives conflicts to the model and publishes nothing before they are resolved', async () => {
    const told: string[] = []
    const model = scriptedModel(({ prompt, step, options }) => {
      told.push(JSON.stringify(options.prompt))
      if (prompt === 'begin') {
        if (step === 0) return [['write_file', { path: 'index.md', content: '# Start\n\nOurs.\n' }]]
      } else if (prompt === 'resolve') {
        if (step === 0) return [['write_file', { path: 'c.md', content: 'three\n' }]]
        if (step === 1) return [['finish', { title: 'Too early', summary: 's' }]]
        if (step === 2)
          return [['write_file', { path: 'index.md', content: '# Start\n\nOurs and theirs.\n' }]]
      } else if (step === 0) return [['write_file', { path: 'd.md', content: 'x\n' }]]
      return [['finish', { title: 'Resolve', summary: 's' }]]
    })
    await using world = await createJobWorld(store(), model)
    const { id, branch } = await begin(world, 'begin')
    pushFiles(world, 'main', { 'index.md': '# Start\n\nTheirs.\n' })
    const before = world.git('rev-parse', branch)
    const failed = await followUp(world, id, 'ignore the conflict')
    expect(failed).toMatchObject({
      status: 'failed',
      failure: { code: 'conflict', message: expect.stringContaining('index.md') },
    })
    expect(world.git('rev-parse', branch)).toBe(before)
    told.length = 0
    const job = await followUp(world, id, 'resolve')
    expect(told[0]).toContain('Both sides changed the same lines of these files: \\"index.md\\"')
    expect(told[2]).toContain('A conflict of the merge is not resolved')
    expect(job).toMatchObject({ status: 'completed', checks: [] })
    expect(world.git('show', `${branch}:index.md`)).toBe('# Start\n\nOurs and theirs.')
    expect(world.git('show', `${branch}:d.md`)).toBe('x')
    expect(world.git('log', '-1', '--format=%P', branch).split(' ')).toHaveLength(2)
    const detail = await readPullRequestDetail(world.forgePorts, world.project, 1)
    expect(detail?.body).toContain('## Resolved conflicts\n\n- `index.md`')
  })

  it('recognizes a left-over conflict separator, and accepts one that belongs to the text', async () => {
    const texts = [
      '# Start\n\nOurs.\n',
      'Title\n=======\n\nOurs.\n=======\nTheirs.\n',
      'Title\n=======\n\nBoth.\n',
    ]
    let told = ''
    const model = scriptedModel(({ prompt, step, options }) => {
      const content = prompt === 'begin' ? 'Title\n=======\n\nOurs.\n' : texts[step]
      const write: [string, unknown] = ['write_file', { path: 'index.md', content }]
      const finish: [string, unknown] = ['finish', { title: 't', summary: 's' }]
      if (step === 2) told = JSON.stringify(options.prompt.at(-1))
      if (prompt === 'begin') return [step === 0 ? write : finish]
      if (step === 1) return [write, finish]
      return [step < 3 ? write : finish]
    })
    await using world = await createJobWorld(store(), model)
    pushFiles(world, 'main', { 'index.md': 'Title\n=======\n\nStart.\n' })
    const { id, branch } = await begin(world, 'begin')
    pushFiles(world, 'main', { 'index.md': 'Title\n=======\n\nTheirs.\n' })
    const job = await followUp(world, id, 'resolve')
    expect(job).toMatchObject({ status: 'completed', checks: [] })
    expect(world.git('show', `${branch}:index.md`)).toBe('Title\n=======\n\nBoth.')
    expect(told).toContain('A conflict of the merge is not resolved')
  })

  it('keeps the branch’s version of files that cannot be merged line by line', async () => {
    const model = writingModel()
    await using world = await createJobWorld(store(), model)
    pushFiles(world, 'main', {
      'logo.png': Buffer.from([0, 1, 2]),
      'gone.md': 'gone\n',
      'kept.md': 'kept\n',
      'moved.md': 'a long enough text to be found again\nwith lines\nof its own\n',
    })
    const { id, branch } = await begin(world)
    pushFiles(world, branch, {
      'logo.png': Buffer.from([0, 3]),
      'gone.md': undefined,
      'kept.md': 'kept, and changed\n',
      'moved.md': undefined,
      'here.md': 'a long enough text to be found again\nwith lines\nof its own\n',
    })
    pushFiles(world, 'main', {
      'logo.png': Buffer.from([0, 4]),
      'gone.md': 'gone, and changed\n',
      'kept.md': undefined,
      'moved.md': undefined,
      'there.md': 'a long enough text to be found again\nwith lines\nof its own\n',
      'new.md': 'new\n',
    })
    const job = await followUp(world, id, 'write c.md: three\n')
    expect(job.status).toBe('completed')
    expect(world.git('ls-tree', '--name-only', branch).split('\n')).toEqual([
      'a.md',
      'c.md',
      'guide.md',
      'here.md',
      'index.md',
      'kept.md',
      'logo.png',
      'new.md',
    ])
    expect(world.git('rev-parse', `${branch}:logo.png`)).toBe(world.git('rev-parse', `${branch}~1:logo.png`))
    const told = JSON.stringify(model.doGenerateCalls.at(-1)?.prompt)
    for (const path of ['logo.png', 'gone.md', 'kept.md', 'there.md']) expect(told).toContain(path)
  })

  it('leaves conflicts to people in files that it may not write or cannot restore', async () => {
    const model = writingModel()
    await using world = await createJobWorld(store(), model)
    for (const [ours, theirs] of [
      [{ Makefile: 'all: ours\n' }, { Makefile: 'all: theirs\n' }],
      [{ thing: 'a file\n' }, { 'thing/page.md': 'a folder\n' }],
    ]) {
      const { id, branch } = await begin(world)
      const before = pushFiles(world, branch, ours ?? {})
      pushFiles(world, 'main', theirs ?? {})
      const job = await followUp(world, id, 'write c.md: three\n')
      expect(job.status).toBe('completed')
      expect(world.git('log', '-1', '--format=%P', branch)).toBe(before)
      expect(JSON.stringify(model.doGenerateCalls.at(-1)?.prompt)).toContain(
        'could not be merged in without a person',
      )
    }
  })

  it('makes the merge again in a mirror that has lost it', async () => {
    let stop = new AbortController()
    const model = writingModel()
    await using world = await createJobWorld(store(), model)
    const { id, branch } = await begin(world)
    pushFiles(world, 'main', { 'b.md': 'two\n' })
    await world.message(id, 'write c.md: three\n')
    const ports = {
      ...world.ports,
      stopping: stop.signal,
      openToolbox: () => Promise.reject(stop.abort(new Error('stop'))),
    }
    await runJob(ports, id).catch(() => undefined)
    stop = new AbortController()
    expect(await world.eventTypes(id)).toContain('base.merged')
    expect(await world.read(id)).toMatchObject({ status: 'active' })
    await world.loseMirror()
    await runJob(world.ports, id)
    expect(await world.read(id)).toMatchObject({ status: 'completed' })
    expect(world.git('show', `${branch}:c.md`)).toBe('three')
  })
})

describeOnStore('a branch that people push to', (store) => {
  it('gets the changes on top when it moves during the turn', async () => {
    const pushed: Record<string, string> = {}
    const model = scriptedModel(({ prompt, step }) => {
      const [, path = '', content = ''] = /^write (\S+): ([^]*)$/.exec(prompt) ?? []
      if (step === 0 && path !== 'a.md') pushFiles(world, branch, pushed)
      return step === 0
        ? [['write_file', { path, content }]]
        : [['finish', { title: `Write ${path}`, summary: 's' }]]
    })
    await using world = await createJobWorld(store(), model)
    const { id, branch } = await world.create('write a.md: one\n')
    await runJob(world.ports, id)
    pushFiles(world, 'main', { 'main.md': 'x\n' })
    pushed['person.md'] = 'by hand\n'
    await world.message(id, 'write c.md: three\n')
    await runJob(world.ports, id)
    const job = await world.read(id)
    expect(job).toMatchObject({ status: 'completed', failure: undefined })
    expect(job.changes.map(({ path }) => path)).toEqual(['a.md', 'c.md', 'person.md'])
    expect(world.git('log', '--format=%s', '--first-parent', '--reverse', `main..${branch}`)).toBe(
      'Write a.md\nBy hand\nWrite c.md',
    )
    expect(world.git('log', '-1', '--format=%P', branch).split(' ')).toHaveLength(2)
    expect(world.git('show', `${branch}:main.md`)).toBe('x')
    expect(await world.eventTypes(id)).toContain('branch.moved')

    pushed['d.md'] = 'theirs\n'
    await world.message(id, 'write d.md: ours\n')
    await runJob(world.ports, id)
    expect(await world.read(id)).toMatchObject({ status: 'failed', failure: { code: 'branch_moved' } })
    expect(world.git('show', `${branch}:d.md`)).toBe('theirs')
  })

  it('is not followed for ever when it keeps moving', async () => {
    await using world = await createJobWorld(store(), writingModel())
    const { id, branch } = await world.create('write a.md: one\n')
    await runJob(world.ports, id)
    let pushes = 0
    const racing = {
      ...world.ports,
      store: {
        ...world.ports.store,
        // A person pushes after every transaction, except while the model works.
        transaction: async <T>(work: Parameters<typeof world.ports.store.transaction<T>>[0]): Promise<T> => {
          const result = await world.ports.store.transaction(work)
          pushFiles(world, branch, { [`push-${++pushes}.md`]: 'x\n' })
          return result
        },
      },
    }
    await world.message(id, 'write c.md: three\n')
    await runJob(racing, id)
    expect(await world.read(id)).toMatchObject({ status: 'failed', failure: { code: 'branch_moved' } })
    const types = await world.eventTypes(id)
    expect(types.filter((type) => type === 'branch.moved')).toHaveLength(3)
  })
})
