import { expect, it } from 'vitest'
import { describeOnStore } from '../../../../tests/stores.ts'
import { pushFiles } from '../../../../tests/worlds/follow-up.ts'
import { createJobWorld, type JobWorld } from '../../../../tests/worlds/job-world.ts'
import { scriptedModel, type Answer } from '../../../../tests/worlds/scripted-model.ts'
import { readPullRequestDetail } from '../../../integrations/forges/local/pull-request-detail.ts'
import { listEvents } from '../events.ts'
import { listTurns } from '../turns.ts'
import { runJob } from './run-job.ts'

const claim: Answer = [['finish', { title: 'Explain retries', summary: 'Explained retries.' }]]
const write = (path: string, content: string): Answer => [['write_file', { path, content }]]

describeOnStore('the end of a turn', (store) => {
  const openWorld = async (script: (prompt: string, step: number) => Answer) => {
    const told: string[] = []
    const model = scriptedModel(({ prompt, step, options }) => {
      told.push(JSON.stringify(options.prompt.at(-1)))
      return script(prompt, step)
    })
    return { world: await createJobWorld(store(), model), told }
  }
  const run = async (world: JobWorld, prompt: string, id?: string) => {
    const job = id === undefined ? await world.create(prompt) : await world.message(id, prompt)
    await runJob(world.ports, job.id)
    return world.read(job.id)
  }
  const lastTurn = async (world: JobWorld, id: string) =>
    (await listTurns(store().db, world.project.id, id)).at(-1)

  it('is no success when an edit failed and nothing was changed, whatever the model says', async () => {
    const { world, told } = await openWorld((_, step) =>
      step === 0
        ? [
            ['read_file', { path: 'nowhere.md' }],
            ['write_file', { content: 'x' }],
          ]
        : claim,
    )
    await using _ = world
    const job = await run(world, 'Say how retries work')
    expect(job).toMatchObject({
      status: 'completed',
      outcome: 'nothing_done',
      title: 'Say how retries work',
      pullRequest: undefined,
    })
    expect(told).toHaveLength(3)
    expect(told[2]).toContain('No file differs from the start of this turn')
    expect(told[2]).toContain('write_file: path is missing')
    const turn = await lastTurn(world, job.id)
    expect(turn?.summary).toMatch(
      /^The agent finished without changing any files\. .*write_file: path is missing/,
    )
    const events = await listEvents(store().db, world.project.id, job.id, { after: 0, limit: 100 })
    expect(events.at(-1)).toMatchObject({ type: 'turn.completed', data: { outcome: 'nothing_done' } })
    expect(events.at(-2)).toMatchObject({ type: 'attention', data: { reason: 'nothing_done' } })
  })

  it('is no success when an edit was undone', async () => {
    const { world } = await openWorld((_, step) =>
      step < 2 ? write('index.md', step === 0 ? 'x' : '# Start\n\nWelcome.\n') : claim,
    )
    await using _ = world
    expect(await run(world, 'x')).toMatchObject({ outcome: 'nothing_done', title: 'x' })
  })

  it('may mend what it was sent back for, or give a reason for changing nothing', async () => {
    const { world } = await openWorld((prompt, step) => {
      if (step === 0) return claim
      if (prompt === 'mend') return step === 1 ? write('a.md', 'a\n') : claim
      return [['finish', { title: 'Nothing', summary: 'It is there already.', noChange: true }]]
    })
    await using _ = world
    expect(await run(world, 'mend')).toMatchObject({ outcome: 'changed', title: 'Explain retries' })
    const job = await run(world, 'look')
    expect(job).toMatchObject({ status: 'completed', outcome: 'no_change' })
    expect((await lastTurn(world, job.id))?.summary).toBe('It is there already.')
  })

  it('as text after a failed edit is sent back with what failed', async () => {
    const { world, told } = await openWorld((_, step) =>
      step === 0 ? [['write_file', {}]] : 'I have explained how retries work.',
    )
    await using _ = world
    expect(await run(world, 'x')).toMatchObject({ status: 'completed', outcome: 'no_change' })
    expect(told.at(-1)).toContain('path is missing')
  })

  it('publishes the merge of the base where that is all that was asked', async () => {
    const { world, told } = await openWorld((prompt, step) => {
      if (prompt === 'begin') return step === 0 ? write('a.md', 'a\n') : claim
      const noChange = prompt === 'why?' || (prompt === 'update' && step === 0)
      return [['finish', { title: 'Bring up to date', summary: 'Merged.', noChange }]]
    })
    await using _ = world
    const { id, branch } = await run(world, 'begin')
    pushFiles(world, 'main', { 'b.md': 'two\n' })
    const before = world.git('rev-parse', branch)
    expect(await run(world, 'why?', id)).toMatchObject({ status: 'completed', outcome: 'no_change' })
    expect(world.git('rev-parse', branch)).toBe(before)
    expect((await lastTurn(world, id))?.summary).toContain('`main` has moved and was not merged')

    const job = await run(world, 'update', id)
    expect(told.at(-1)).toContain('call finish without noChange, which publishes the merge')
    expect(job).toMatchObject({ status: 'completed', outcome: 'changed' })
    expect(world.git('log', '-1', '--format=%P', branch).split(' ')).toEqual([
      before,
      world.git('rev-parse', 'main'),
    ])
    expect(world.git('log', '-1', '--format=%s', branch)).toBe('Merge main into the branch')
    expect(world.git('ls-tree', '--name-only', branch)).toContain('b.md')
    expect(job.changes.map(({ path }) => path)).toEqual(['a.md'])
  })

  it.each([{ noChange: true }, {}])('is a failure while conflicts are not resolved: %j', async (more) => {
    const { world, told } = await openWorld((prompt, step) => {
      if (prompt === 'begin') return step === 0 ? write('index.md', '# Start\n\nOurs.\n') : claim
      return [['finish', { title: 'Bring up to date', summary: 'Brought it up to date.', ...more }]]
    })
    await using _ = world
    const { id, branch } = await run(world, 'begin')
    pushFiles(world, 'main', { 'index.md': '# Start\n\nTheirs.\n' })
    const before = world.git('rev-parse', branch)
    expect(await run(world, 'bring it up to date', id)).toMatchObject({
      status: 'failed',
      outcome: 'failed',
      failure: { code: 'conflict', message: expect.stringContaining('index.md') },
    })
    expect(told.at(-1)).toContain('index.md')
    expect(world.git('rev-parse', branch)).toBe(before)
  })

  it('does not publish conflict markers that the model wrote, except in code', async () => {
    const marked = '<<<<<<< HEAD\nOurs.\n=======\nTheirs.\n>>>>>>> main\n'
    const { world, told } = await openWorld((prompt, step) => {
      if (step > 0) return claim
      return write('index.md', prompt === 'code' ? `# Start\n\n\`\`\`\n${marked}\`\`\`\n` : marked)
    })
    await using _ = world
    expect(await run(world, 'markers')).toMatchObject({ status: 'failed', failure: { code: 'conflict' } })
    expect(told.at(-1)).toContain('A conflict of the merge is not resolved')
    expect(await run(world, 'code')).toMatchObject({ status: 'completed', outcome: 'changed' })
  })

  it('is never a tool call that was written as text: it is run, until it does nothing new', async () => {
    const call = '{"name": "write_file", "arguments": {"path": "a.md", "content": "a"}}'
    const { world, told } = await openWorld((prompt, step) => {
      if (prompt === 'quote')
        return step === 0 ? write('a.md', `${call}\n`) : `I show this call now:\n\n${call}`
      if (prompt === 'mend' && step > 0) return step === 1 ? write('a.md', 'a\n') : claim
      return `I will write the page now.\n\n\`\`\`json\n${call}\n\`\`\`\n\nThat is all.`
    })
    await using _ = world
    const job = await run(world, 'x')
    expect(told.at(-1)).toContain('You have done this 5 times with the same result')
    expect(job).toMatchObject({ status: 'failed', failure: { code: 'loop' } })
    expect(await run(world, 'mend')).toMatchObject({ outcome: 'changed' })
    expect(await run(world, 'quote')).toMatchObject({ status: 'completed', outcome: 'changed' })
  })

  it('may be a question, whose answer goes on from what was changed', async () => {
    const model = scriptedModel(({ prompt, step }) => {
      if (prompt === 'Fix the typo') {
        return step === 0 ? write('a.md', 'one\n') : [['ask_person', { question: 'Which page do you mean?' }]]
      }
      return step === 0 ? write('b.md', 'two\n') : [['finish', { title: 'Fix a typo', summary: 'Fixed it.' }]]
    })
    await using world = await createJobWorld(store(), model)
    const asked = await run(world, 'Fix the typo')
    expect(asked).toMatchObject({
      status: 'completed',
      outcome: 'needs_input',
      question: { text: 'Which page do you mean?', askedAt: expect.any(Date) as Date },
      title: 'Fix the typo',
      pullRequest: undefined,
      failure: undefined,
    })
    expect(await world.eventTypes(asked.id)).toContain('turn.asked')
    expect(world.git('for-each-ref', '--format=%(refname)')).toBe('refs/heads/main')

    expect(await world.message(asked.id, 'The quickstart')).toMatchObject({
      status: 'active',
      outcome: undefined,
      question: undefined,
    })
    await runJob(world.ports, asked.id)
    const job = await world.read(asked.id)
    expect(job).toMatchObject({
      status: 'completed',
      outcome: 'changed',
      question: undefined,
      title: 'Fix a typo',
    })
    expect(job.changes.map(({ path }) => path)).toEqual(['a.md', 'b.md'])
    const told = JSON.stringify(model.doGenerateCalls.at(-1)?.prompt)
    expect(told).toContain('Which page do you mean?')
    expect(told).toContain('The quickstart')
    const detail = await readPullRequestDetail(world.forgePorts, world.project, job.pullRequest?.number ?? 0)
    expect(detail?.body).toMatch(
      /Fix the typo[^]*The agent asked: Which page do you mean\?[^]*The quickstart/,
    )
  })
})
