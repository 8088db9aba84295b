import { expect, it } from 'vitest'
import { describeOnStore } from '../../../../tests/stores.ts'
import { pushFiles } from '../../../../tests/worlds/follow-up.ts'
import { createJobWorld, noLimit, type JobWorld } from '../../../../tests/worlds/job-world.ts'
import { scriptedModel, type Answer } from '../../../../tests/worlds/scripted-model.ts'
import { ModelTrouble } from '../../../integrations/models/trouble.ts'
import { publishKept } from '../add-message.ts'
import { approve } from '../approve.ts'
import { archiveJob } from '../archive-job.ts'
import { withoutChoices } from '../choices.ts'
import { cancelJob } from '../cancel-job.ts'
import type { Job } from '../jobs.ts'
import { listTurns } from '../turns.ts'
import { runJob } from './run-job.ts'

const write = (path: string, content = `${path}\n`): Answer => [['write_file', { path, content }]]
const finish: Answer = [['finish', { title: 'Write pages', summary: 'Wrote the pages.' }]]
const ask = (question: string): Answer => [['ask_person', { question }]]

describeOnStore('a question beside kept work', (store) => {
  const openWorld = (script: (prompt: string, step: number) => Answer) =>
    createJobWorld(
      store(),
      scriptedModel(({ prompt, step }) => script(prompt, step)),
    )
  const run = async (world: JobWorld, prompt: string, id?: string): Promise<Job> => {
    const job = id === undefined ? await world.create(prompt) : await world.message(id, prompt)
    await runJob(world.ports, job.id)
    return world.read(job.id)
  }
  const allow = (world: JobWorld, id: string, value: string) =>
    approve(world.ports, world.project, id, { kind: 'host', value, by: 'A person' }, noLimit)
  const published = (world: JobWorld, branch: string) =>
    world.git('diff', '--name-only', `main...${branch}`).split('\n')

  it('is asked twice in a row on a base that moves, and the last answer publishes all of it', async () => {
    await using world = await openWorld((prompt, step) => {
      if (step > 0) return prompt === 'third' ? finish : ask(`What about ${prompt}?`)
      return write(`${prompt}.md`)
    })
    const { id, branch } = await run(world, 'first')
    pushFiles(world, 'main', { 'other.md': 'other\n' })
    expect(await run(world, 'second', id)).toMatchObject({
      outcome: 'needs_input',
      question: { text: 'What about second?' },
      kept: { turn: 2 },
    })
    pushFiles(world, 'main', { 'more.md': 'more\n' })
    expect(await run(world, 'third', id)).toMatchObject({
      outcome: 'changed',
      question: undefined,
      kept: undefined,
    })
    expect(published(world, branch)).toEqual(['first.md', 'second.md', 'third.md'])
  })

  it('may be answered by publishing what is kept, or by putting the job away', async () => {
    await using world = await openWorld((_, step) => (step > 0 ? ask('Which?') : write('a.md')))
    const { id, branch } = await run(world, 'x')
    await publishKept(world.ports, world.project, id, noLimit)
    await runJob(world.ports, id)
    expect(await world.read(id)).toMatchObject({ outcome: 'changed', question: undefined, kept: undefined })
    expect(published(world, branch)).toEqual(['a.md'])

    const other = await run(world, 'x')
    expect(await archiveJob(store(), world.project, other.id)).toMatchObject({
      status: 'archived',
      question: undefined,
      kept: { turn: 1 },
    })
  })

  it('stays open when something is allowed beside it', async () => {
    await using world = await openWorld((prompt, step) => {
      if (prompt === 'answer') return finish
      if (prompt === 'ask') return ask('Which?')
      if (step === 0) return [...(write('a.md') as []), ...(write('b.md', 'HOST b.example\n') as [])]
      return finish
    })
    const { id, branch } = await run(world, 'begin')
    expect(await run(world, 'ask', id)).toMatchObject({ outcome: 'needs_input', kept: { turn: 2 } })
    expect(await allow(world, id, 'b.example')).toMatchObject({
      status: 'completed',
      question: { text: 'Which?' },
    })
    expect(await run(world, 'answer', id)).toMatchObject({ outcome: 'changed', kept: undefined, checks: [] })
    expect(published(world, branch)).toEqual(['a.md', 'b.md'])
  })

  it('leaves a draft as it is where nothing of what it left out is allowed', async () => {
    await using world = await openWorld((_, step) =>
      step > 0 ? finish : [...(write('a.md') as []), ...(write('.github/x.yml') as [])],
    )
    const { id, branch } = await run(world, 'begin')
    await publishKept(world.ports, world.project, id, noLimit)
    await runJob(world.ports, id)
    expect(await world.read(id)).toMatchObject({
      status: 'completed',
      outcome: 'no_change',
      kept: { turn: 2 },
      checks: [{ check: 'policy' }],
    })
    const turns = await listTurns(store().db, world.project.id, id)
    expect(turns.at(-1)?.summary).toMatch(
      /not published: \.github\/x\.yml: It is protected\.\n\nOne changed file/,
    )
    expect(published(world, branch)).toEqual(['a.md'])
  })

  it('is no reason to lose work when a turn is cancelled while it waits for its model', async () => {
    let isAway = true
    await using world = await openWorld((prompt, step) => {
      if (prompt === 'begin' && step === 1 && isAway)
        throw new ModelTrouble('overloaded', 'The provider is overloaded', { passing: true })
      return step === 0 ? write(`${prompt}.md`) : finish
    })
    const { id, branch } = await run(world, 'begin')
    expect(await world.read(id)).toMatchObject({ status: 'active', waiting: { for: 'model' } })
    // A follow-up waits behind it.
    await run(world, 'dropped', id)
    expect(await world.read(id)).toMatchObject({ status: 'active', waiting: { for: 'model' }, turns: 2 })
    expect(await cancelJob(store(), world.project, id)).toMatchObject({
      status: 'failed',
      waiting: undefined,
      kept: { turn: 1 },
    })
    isAway = false
    expect(await run(world, 'again', id)).toMatchObject({ outcome: 'changed', kept: undefined })
    expect(published(world, branch)).toEqual(['again.md', 'begin.md'])
  })

  it('comes with answers to pick from, which those who see only its text can read too', async () => {
    const written = ['berth everywhere: 3 places change', 'Keep both']
    await using world = await openWorld(() => [['ask_person', { question: 'Which name?', choices: written }]])
    const { question } = await run(world, 'x')
    expect(question).toMatchObject({
      text: 'Which name?\n\n- berth everywhere (3 places change; suggested)\n- Keep both',
      choices: [
        { label: 'berth everywhere', note: '3 places change', suggested: true },
        { label: 'Keep both' },
      ],
    })
    expect(withoutChoices(question?.text ?? '', question?.choices ?? [])).toBe('Which name?')
  })
})
