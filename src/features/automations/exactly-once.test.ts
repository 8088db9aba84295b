import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { describeOnStore } from '../../../tests/stores.ts'
import { plainGit } from '../../../tests/worlds/git/temporary-git.ts'
import { createRuleWorld, type RuleWorld } from '../../../tests/worlds/rule-world.ts'
import type { Store } from '../../store/database.ts'
import type { AutomationEngine } from './engine.ts'
import { getAutomation } from './automations.ts'
import { callRule } from './start/call-rule.ts'

const signal = new AbortController().signal
/** A rule for pull requests starts jobs where a change touches pages. */
const touched: RuleWorld['touched'] = {
  commits: 1,
  edited: [],
  pages: [{ path: 'index.md', level: 'certain', findings: [{ places: [{ name: 'oldName' }] }] }],
  markdown: '**1 certain**',
}

/** A store of a process that ends in one of its transactions, or right after it. */
interface MortalStore {
  store: Store
  /** @param death the number of the transaction from now on; 0 for never */
  live(death: number, isAfter: boolean): void
  isDead(): boolean
}

class Killed extends Error {}

function mortalStore(store: Store): MortalStore {
  let [death, isAfter, count] = [0, false, 0]
  const isDead = (): boolean => death > 0 && count >= death
  return {
    store: {
      ...store,
      isBehindPooler: () => store.isBehindPooler(),
      snapshot: (work) => store.snapshot(work),
      async transaction(work) {
        if (isDead()) throw new Killed()
        count++
        if (!isDead()) return store.transaction(work)
        if (isAfter) await store.transaction(work)
        else
          await store.transaction(async (tx) => {
            await work(tx)
            throw new Killed()
          })
        throw new Killed()
      },
    },
    live: (at, after) => ([death, isAfter, count] = [at, after, 0]),
    isDead,
  }
}

type Part<Result> = (world: RuleWorld, store: Store, rule: string, n: number) => Result

interface Trigger {
  name: string
  on?: string
  /** Makes what it waits for happen. */
  happen?: Part<unknown>
  /** What a process does about it, where that is not the engine’s. */
  call?: Part<Promise<unknown>>
}

const triggers: Trigger[] = [
  { name: 'push', on: 'push: {}', happen: (world, _, _rule, n) => world.commit(`p${n}.md`, `${n}`) },
  {
    name: 'merged pull request',
    on: 'merged: {}',
    happen: (world, _, _rule, n) => world.commit(`m${n}.md`, `${n}`, { message: `Rename it (#${n})` }),
  },
  {
    name: 'new pull request',
    on: 'pull: { job: true }',
    happen: (world, _, _rule, n) => (world.requests = [pullRequest(n)]),
  },
  {
    name: 'tag',
    on: 'tag: {}',
    happen(world, _, _rule, n) {
      world.commit(`t${n}.md`, `${n}`)
      plainGit(world.folder, ['tag', `v${n}`])
    },
  },
  {
    name: 'schedule',
    on: 'schedule: 0 6 * * *',
    happen: (_, store, rule, n) =>
      store.transaction((tx) =>
        tx
          .updateTable('automations')
          .set({ next_at: new Date(Date.UTC(2026, 0, n, 6)) })
          .where('id', '=', rule)
          .execute(),
      ),
  },
  {
    name: 'gap',
    on: 'gap: { questions: 1 }',
    happen({ projectId }, store, _, n) {
      const gap = { id: `gap_${projectId}_${n}`, project_id: projectId, name: `Gap ${n}`, size: 3 }
      return store.transaction((tx) => tx.insertInto('gaps').values(gap).execute())
    },
  },
  {
    name: 'call',
    async call(world, store, rule, n) {
      const automation = await getAutomation(store.db, world.projectId, rule)
      await callRule(world.ports, automation, { key: `call ${n}`, about: undefined, by: undefined, signal })
    },
  },
]

describeOnStore('rules', (store) => {
  it.each(triggers)(
    'do their work once at a $name, in or after whichever transaction a process ends',
    async ({ on, happen, call }) => {
      const mortal = mortalStore(store())
      const world = await createRuleWorld(mortal.store)
      world.touched = touched
      world.ports.gapWork = () =>
        Promise.resolve({ title: 'Gap', prompt: 'Fill it.', evidence: 'Asked often' })
      const triggered = on === undefined ? '' : `on:\n  ${on}\n`
      const rule = await world.rule(`---\nname: Rule\n${triggered}limits: { runs: 100 }\n---\n\nLook.\n`)
      await look(world, world.engine())
      let events = 0
      for (const isAfter of [false, true])
        for (let death = 1; ; death++) {
          const n = ++events
          await happen?.(world, store(), rule, n)
          const called = call && (() => call(world, store(), rule, n))
          mortal.live(death, isAfter)
          await process(world, called)
          const isOver = !mortal.isDead()
          mortal.live(0, false)
          // Two that take over at once.
          await Promise.all([process(world, called), process(world, called)])
          expect(await workOf(store(), world), `${death} ${isAfter ? 'after' : 'in'}`).toEqual({
            runs: events,
            turns: events,
            different: events,
          })
          if (isOver) break
        }
      // A process with nothing to end in would have shown nothing.
      expect(events).toBeGreaterThan(4)
    },
  )

  it('do their work once for each of 200 events at once, with two processes and two workers', async () => {
    const world = await createRuleWorld(store())
    world.touched = touched
    const text = '---\nname: Rule\non:\n  pull: { job: true }\nlimits: { runs: 100 }\n---\n\nLook.\n'
    await world.rule(text)
    await world.rule(text)
    world.requests = Array.from({ length: 100 }, (_, n) => pullRequest(n + 1))
    const engines = [world.engine(), world.engine(), world.engine(), world.engine()]
    await Promise.all(engines.map((engine) => look(world, engine)))
    // In another order, and as if it were new.
    world.requests = world.requests.toReversed()
    await Promise.all(engines.map((engine) => look(world, engine)))
    for (let rounds = 0; rounds < 30; rounds++) {
      await world.makeDue()
      await Promise.all(engines.map((engine) => engine.startRuns()))
      if ((await workOf(store(), world)).turns === 200) break
    }
    await Promise.all(engines.map((engine) => engine.startRuns()))
    expect(await workOf(store(), world)).toEqual({ runs: 200, turns: 200, different: 200 })
  })

  it('take a look that was held up for nothing new', async () => {
    const world = await createRuleWorld(store())
    await world.rule('---\nname: Rule\non:\n  push: {}\n---\n\nLook.\n')
    const { promise: held, resolve: release } = Promise.withResolvers<void>()
    await look(world, world.engine())
    world.commit('a.md', 'a')
    const late = world.engine({ openProject: async (id) => (await held, world.ports.openProject(id)) })
    const looking = look(world, late)
    await look(world, world.engine())
    world.commit('b.md', 'b')
    await look(world, world.engine())
    release()
    await looking
    await look(world, world.engine())
    expect((await world.runs()).length).toBe(2)
  })
})

async function look(world: RuleWorld, engine: AutomationEngine): Promise<void> {
  await engine.noteSync(world.projectId, world.repository)
  await engine.findEvents()
}

/** What a process does, as far as it gets. */
async function process(world: RuleWorld, called: (() => Promise<unknown>) | undefined): Promise<void> {
  const engine = world.engine()
  try {
    if (called) await called()
    else await look(world, engine)
    await world.makeDue()
    await engine.startRuns()
  } catch (error) {
    if (!(error instanceof Killed)) throw error
  }
}

function pullRequest(number: number): RuleWorld['requests'][number] {
  return {
    number,
    link: `https://example.com/pull/${number}`,
    title: 'Rename it',
    body: '',
    head: `rename-${number}`,
    base: 'main',
    headCommit: String(number).padStart(40, '0'),
    isFork: false,
    author: 'mara',
    labels: [],
    updatedAt: new Date(Date.now() + 60_000),
  }
}

/** Runs, turns of jobs, and turns that runs have for themselves. */
async function workOf(
  store: Store,
  world: RuleWorld,
): Promise<{ runs: number; turns: number; different: number }> {
  const { rows } = await sql<{ job_id: string | null; turn: number | null }>`
    select r.job_id, r.turn from automation_runs r where r.project_id = ${world.projectId}
  `.execute(store.db)
  const turns = await store.db
    .selectFrom('turns')
    .innerJoin('jobs', 'jobs.id', 'turns.job_id')
    .select('turns.job_id')
    .where('jobs.project_id', '=', world.projectId)
    .execute()
  const own = rows.flatMap(({ job_id: job, turn }) => (job === null ? [] : [`${job} ${turn}`]))
  return { runs: rows.length, turns: turns.length, different: new Set(own).size }
}
