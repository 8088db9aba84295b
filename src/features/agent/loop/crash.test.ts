import { expect, it } from 'vitest'
import { describeOnStore } from '../../../../tests/stores.ts'
import { closePullRequest } from '../../../integrations/forges/local/pull-request-state.ts'
import { listPullRequests } from '../../../integrations/forges/local/pull-request-detail.ts'
import { listEvents } from '../events.ts'
import { createJobWorld, type JobWorld } from '../../../../tests/worlds/job-world.ts'
import { mortalPorts, runUntil } from '../../../../tests/worlds/mortal-ports.ts'
import type { RunPorts } from '../turns/turn-run.ts'
import { pushFiles } from '../../../../tests/worlds/follow-up.ts'
import { runJob } from './run-job.ts'
import { brittleModel, writingModel } from '../../../../tests/worlds/scripted-model.ts'
import { listTurns } from '../turns.ts'

describeOnStore('a runner that ends suddenly', (store) => {
  it('is replaced at every point of a first turn, with the same result', async () => {
    const model = writingModel()
    await using world = await createJobWorld(store(), model)
    const prompt = 'write a.md: one\n'
    const { id } = await world.create(prompt)
    await runJob(world.ports, id)
    const expected = await world.read(id)
    const expectedEvents = await world.eventTypes(id)
    const tree = world.git('rev-parse', `${expected.branch}^{tree}`)
    let point = 0
    for (let died = true; died;) {
      point++
      const calls = model.doGenerateCalls.length
      const job = await world.create(prompt)
      died = await runUntil(world.ports, point, (ports) => runJob(ports, job.id))
      await runJob(world.ports, job.id)
      const done = await world.read(job.id)
      // The point is part of the compared value, so that a failure shows where the runner died.
      expect({
        point,
        done,
        events: await world.eventTypes(job.id),
        commits: world.git('rev-list', '--count', `main..${done.branch}`),
        tree: world.git('rev-parse', `${done.branch}^{tree}`),
        numbers: await numbersOf(world, done.branch),
        repeatedAtMostOnce: model.doGenerateCalls.length - calls <= 4,
      }).toMatchObject({
        point,
        done: {
          status: 'completed',
          title: expected.title,
          changes: expected.changes,
          usage: expected.usage,
          pullRequest: { state: 'open' },
        },
        events: expectedEvents,
        commits: '1',
        tree,
        numbers: [done.pullRequest?.number],
        repeatedAtMostOnce: true,
      })
      // Every job reads the open ones, so the previous one is closed.
      await closePullRequest(world.forgePorts, world.project, done.pullRequest?.number ?? 0)
    }
    expect(point).toBeGreaterThan(20)
  })

  it('is replaced at every point of a follow-up, with the same result', async () => {
    const model = writingModel()
    await using world = await createJobWorld(store(), model)
    const { id, branch } = await world.create('write a.md: one\n')
    await runJob(world.ports, id)
    let turns = 1
    let point = 0
    for (let died = true; died; turns++) {
      // Each engine tests half of the points after the first turn, which has been through all of them.
      point += point === 0 && store().engine === 'pglite' ? 1 : 2
      const calls = model.doGenerateCalls.length
      await world.message(id, `write page-${point}.md: ${point}\n`)
      died = await runUntil(world.ports, point, (ports) => runJob(ports, id))
      await runJob(world.ports, id)
      expect({
        point,
        job: await world.read(id),
        commits: world.git('rev-list', '--count', `main..${branch}`),
        page: world.git('show', `${branch}:page-${point}.md`),
        repeatedAtMostOnce: model.doGenerateCalls.length - calls <= 4,
      }).toMatchObject({
        point,
        job: { status: 'completed', pullRequest: { number: 1 } },
        commits: String(turns + 1),
        page: String(point),
        repeatedAtMostOnce: true,
      })
    }
    expect(point).toBeGreaterThan(20)
    expect(await numbersOf(world, branch)).toEqual([1])
    const events = await listEvents(store().db, world.project.id, id, { after: 0, limit: 10_000 })
    expect(events.map((event) => event.n)).toEqual(events.map((_, index) => index + 1))
    const ends = events.filter((event) => event.type === 'turn.completed')
    expect(ends).toHaveLength(turns)
  })

  it('is replaced where a turn begins with a merge and kept work', async () => {
    await using world = await createJobWorld(store(), brittleModel())
    const { id, branch } = await world.create('write a.md: one\n')
    await runJob(world.ports, id)
    // The points after the start are tested above. Each engine tests half of them.
    const first = store().engine === 'pglite' ? 1 : 2
    for (let point = first; point <= first + 12; point += 2) {
      await world.message(id, `break kept-${point}.md: ${point}\n`)
      await runJob(world.ports, id)
      pushFiles(world, 'main', { [`base-${point}.md`]: `${point}\n` })
      const before = world.git('rev-parse', branch)
      await world.message(id, `write page-${point}.md: ${point}\n`)
      expect(await runUntil(world.ports, point, (ports) => runJob(ports, id))).toBe(true)
      await runJob(world.ports, id)
      expect({
        point,
        job: await world.read(id),
        parents: world.git('log', '-1', '--format=%P', branch),
        texts: ['kept', 'base', 'page'].map((name) => world.git('show', `${branch}:${name}-${point}.md`)),
        numbers: await numbersOf(world, branch),
      }).toMatchObject({
        point,
        job: { status: 'completed', pullRequest: { number: 1 } },
        parents: `${before} ${world.git('rev-parse', 'main')}`,
        texts: Array(3).fill(String(point)),
        numbers: [1],
      })
    }
    const types = await world.eventTypes(id)
    for (const type of ['base.merged', 'work.carried']) {
      expect(types.filter((one) => one === type)).toHaveLength(7)
    }
  })

  it('is replaced while it puts its changes on top of a push', async () => {
    await using world = await createJobWorld(store(), writingModel())
    const { id, branch } = await world.create('write a.md: one\n')
    await runJob(world.ports, id)
    const followUp = async (name: string): Promise<RunPorts> => {
      await world.message(id, `write page-${name}.md: ${name}\n`)
      let isPushed = false
      return {
        ...world.ports,
        openToolbox: (input) => {
          if (!isPushed) pushFiles(world, branch, { [`person-${name}.md`]: `${name}\n` })
          isPushed = true
          return world.ports.openToolbox(input)
        },
      }
    }
    let reached = 0
    await runJob(
      mortalPorts(await followUp('x'), () => reached++),
      id,
    )
    const last = store().engine === 'pglite' ? reached : reached - 1
    for (let point = last - 12; point <= last; point += 2) {
      const ports = await followUp(`${point}`)
      expect(await runUntil(ports, point, (mortal) => runJob(mortal, id))).toBe(true)
      await runJob(ports, id)
      expect({
        point,
        job: await world.read(id),
        subjects: world.git('log', '-2', '--format=%s', branch),
        texts: ['person', 'page'].map((name) => world.git('show', `${branch}:${name}-${point}.md`)),
      }).toMatchObject({
        point,
        job: { status: 'completed' },
        subjects: `Write page-${point}.md\nBy hand`,
        texts: [String(point), String(point)],
      })
    }
    const types = await world.eventTypes(id)
    expect(types.filter((type) => type === 'branch.moved')).toHaveLength(8)
  })

  it('loses to a faster one without a trace', async () => {
    await using world = await createJobWorld(store(), writingModel())
    for (let delay = 0; delay <= 400; delay += 80) {
      const { id, branch } = await world.create('write a.md: one\n')
      await world.message(id, 'write b.md: two\n')
      await Promise.all([
        runJob(world.ports, id),
        new Promise((resolve) => setTimeout(resolve, delay)).then(() => runJob(world.ports, id)),
      ])
      expect(await world.read(id)).toMatchObject({ status: 'completed', usage: { inputTokens: 60 } })
      const turns = await listTurns(store().db, world.project.id, id)
      expect(turns.map((turn) => turn.failure)).toEqual([undefined, undefined])
      expect(world.git('rev-list', '--count', `main..${branch}`)).toBe('2')
      expect(await numbersOf(world, branch)).toHaveLength(1)
      const types = await world.eventTypes(id)
      expect(types.filter((type) => type === 'turn.completed')).toHaveLength(2)
      expect(types.filter((type) => type === 'published')).toHaveLength(2)
      expect(types.filter((type) => type === 'tool')).toHaveLength(6)
    }
  })
})

async function numbersOf(world: JobWorld, head: string): Promise<number[]> {
  const all = await listPullRequests(world.forgePorts, world.project, { limit: 1000 })
  return all.filter((request) => request.head === head).map((request) => request.number)
}
