import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { describeOnStore } from '../../../tests/stores.ts'
import { createRuleWorld, type RuleWorld } from '../../../tests/worlds/rule-world.ts'
import type { Store } from '../../store/database.ts'

const rule = '---\nname: Push\non:\n  push: {}\nautomerge: true\n---\n\nLook at it.\n'

describeOnStore('merging by itself', (store) => {
  it('merges once what is ready, also with two processes', async () => {
    const { world, jobId } = await published(store(), rule)
    await Promise.all([world.engine(), world.engine()].map((engine) => engine.mergeReady()))
    await world.engine().mergeReady()
    expect(world.merged).toEqual([jobId])
    expect((await world.runs())[0]?.reasons).toEqual(['Merged by the rule.'])
  })

  it('leaves it to people if anything speaks against it, and decides again on other commits alone', async () => {
    const { world, jobId } = await published(store(), rule)
    world.against = ['The checks have 1 finding for a person to look at.']
    await world.engine().mergeReady()
    await world.engine().mergeReady()
    expect((await world.runs())[0]?.reasons).toEqual([
      'Not merged by the rule: The checks have 1 finding for a person to look at.',
    ])
    world.against = []
    await world.engine().mergeReady()
    expect(world.merged).toEqual([])
    await publish(store(), jobId, 'b'.repeat(40))
    await world.engine().mergeReady()
    expect(world.merged).toEqual([jobId])
  })

  it('decides later when the host is away', async () => {
    const { world, jobId } = await published(store(), rule)
    world.isAway = true
    await world.engine().mergeReady()
    expect([world.merged, world.errors.length]).toEqual([[], 1])
    world.isAway = false
    await world.engine().mergeReady()
    expect(world.merged).toEqual([jobId])
  })

  it('merges nothing of a rule that does not say so, nor what people asked for, pushed to, or have to answer', async () => {
    const other = await published(store(), rule.replace('automerge: true\n', ''))
    await other.world.engine().mergeReady()
    const changes: [string, (jobId: string) => Promise<unknown>][] = [
      ['pushed to', (jobId) => set(store(), jobId, { head_commit: 'c'.repeat(40) })],
      [
        'closed',
        (jobId) =>
          set(store(), jobId, { pull_request: sql`'{"number":1,"link":"/","state":"closed"}'::jsonb` }),
      ],
      ['working', (jobId) => set(store(), jobId, { status: 'active' })],
      ['asked', (jobId) => setTurn(store(), jobId, { outcome: 'needs_input' })],
      [
        'of a person',
        (jobId) => setTurn(store(), jobId, { asked_by: sql`'{"kind":"person","name":"Mara"}'::jsonb` }),
      ],
    ]
    const merged: string[] = []
    for (const [name, change] of changes) {
      const { world, jobId } = await published(store(), rule)
      await change(jobId)
      await world.engine().mergeReady()
      if (world.merged.length > 0) merged.push(name)
    }
    expect([other.world.merged, merged]).toEqual([[], []])
  })
})

/** A rule whose job has published a commit. */
async function published(store: Store, text: string): Promise<{ world: RuleWorld; jobId: string }> {
  const world = await createRuleWorld(store)
  const engine = world.engine()
  await world.rule(text)
  await engine.noteSync(world.projectId, world.repository)
  world.commit('a.md', 'a')
  await engine.noteSync(world.projectId, world.repository)
  await engine.startRuns()
  const jobId = (await world.runs())[0]?.job?.id ?? ''
  await publish(store, jobId, 'a'.repeat(40))
  return { world, jobId }
}

async function publish(store: Store, jobId: string, commit: string): Promise<void> {
  await set(store, jobId, {
    status: 'completed',
    head_commit: commit,
    pull_request: sql`'{"number":1,"link":"/","state":"open"}'::jsonb`,
  })
  await setTurn(store, jobId, {
    status: 'completed',
    outcome: 'changed',
    publication: sql`${JSON.stringify({ commit })}::jsonb`,
  })
}

type Change = Record<string, unknown>

const set = (store: Store, jobId: string, change: Change): Promise<unknown> =>
  store.transaction((tx) => tx.updateTable('jobs').set(change).where('id', '=', jobId).execute())

const setTurn = (store: Store, jobId: string, change: Change): Promise<unknown> =>
  store.transaction((tx) => tx.updateTable('turns').set(change).where('job_id', '=', jobId).execute())
