import { expect, it } from 'vitest'
import { describeOnStore } from '../../../tests/stores.ts'
import { createDashboardWorld } from '../../../tests/worlds/dashboard-world.ts'
import { json } from '../../store/database.ts'
import type { OutcomeColumn } from '../../store/columns.ts'
import { archiveJob } from './archive-job.ts'
import { addMessage } from './add-message.ts'
import { cancelJob } from './cancel-job.ts'
import { createJob } from './create-job.ts'
import { appendEvents } from './events.ts'
import { jobStates, type JobState } from './job-state.ts'
import { getJob, listJobs, updateJob } from './jobs.ts'
import { completeTurn } from './turns/end-turn.ts'
import { firstOpenTurn, stopOpenTurns, updateTurn } from './turns.ts'

const free = () => Promise.resolve()

describeOnStore('the states of jobs', (store) => {
  it('tell apart what jobs do, wait for and came to, and are what lists are filtered by', async () => {
    const { ports, project } = await createDashboardWorld(store())
    const make = async (prompt: string) => (await createJob(ports, project, { prompt }, free)).id
    const end = (id: string, outcome: OutcomeColumn, notUnderstood = false) =>
      store().transaction(async (tx) => {
        const turn = await firstOpenTurn(tx, id)
        if (turn) await completeTurn(tx, turn, { outcome, summary: 'Done', notUnderstood }, [])
      })
    const ended = async (outcome: OutcomeColumn, state?: 'open' | 'merged' | 'closed') => {
      const id = await make(`${outcome} ${state ?? ''}`)
      await end(id, outcome)
      const request = json({ link: '/pulls/1', number: 1, state })
      if (state) await store().transaction((tx) => updateJob(tx, id, { pull_request: request }))
      return id
    }
    /** @param parkedFor seconds from now on; negative: it was due, and no process was free */
    const running = async (parkedFor?: number) => {
      const id = await make('running')
      await store().transaction(async (tx) => {
        const turn = await firstOpenTurn(tx, id)
        const until = parkedFor === undefined ? null : new Date(Date.now() + parkedFor * 1000)
        await updateTurn(tx, turn?.id ?? '', { status: 'running', parked_until: until })
        if (parkedFor !== undefined)
          await appendEvents(tx, id, 1, [{ type: 'turn.waiting', data: { message: 'Busy' } }])
      })
      return id
    }
    const failed = await make('failed')
    await store().transaction(async (tx) => {
      await stopOpenTurns(tx, failed, { code: 'x', message: 'x' })
      await updateJob(tx, failed, { status: 'failed' })
    })
    const cancelled = await make('cancelled')
    await cancelJob(store(), project, cancelled)
    const unclear = await make('unclear')
    await end(unclear, 'no_change', true)
    const archived = await make('archived')
    await archiveJob(store(), project, archived)
    const found: Record<JobState, string> = {
      queued: await make('queued'),
      working: await running(),
      waiting: await running(300),
      needs_input: await ended('needs_input', 'open'),
      open: await ended('no_change', 'open'),
      merged: await ended('changed', 'merged'),
      closed: await ended('changed', 'closed'),
      completed: await ended('changed'),
      no_change: await ended('no_change'),
      not_understood: unclear,
      nothing_done: await ended('nothing_done', 'open'),
      failed,
      cancelled,
      archived,
    }
    for (const state of jobStates) {
      expect([state, (await getJob(store().db, project.id, found[state]))?.state]).toEqual([state, state])
      const { rows: jobs } = await listJobs(store().db, project.id, { states: [state], limit: 20 })
      expect([state, jobs.map(({ id }) => id)]).toEqual([state, [found[state]]])
    }
    expect((await getJob(store().db, project.id, await running(-1)))?.state).toBe('queued')
  })

  it('go with a search for words of titles and prompts, and with who asked', async () => {
    const { ports, project } = await createDashboardWorld(store())
    const askedBy = { kind: 'person', name: 'Ann', id: 'usr_1' } as const
    const { id } = await createJob(ports, project, { prompt: 'Fix 100% of_links', askedBy }, free)
    await createJob(ports, project, { prompt: 'Fix 1000 of links' }, free)
    await addMessage(ports, project, id, { prompt: 'Also the Glossary', author: 'bob' }, free)
    const find = async (text: string) =>
      (await listJobs(store().db, project.id, { text, limit: 20 })).rows.map((job) => job.id)
    expect(await find('100% OF_')).toEqual([id])
    expect(await find('glossary')).toEqual([id])
    expect(await find('fix')).toHaveLength(2)
    expect(await find('\\')).toEqual([])
    expect((await getJob(store().db, project.id, id))?.createdBy).toEqual(askedBy)
    // One page looks through the newest job only, and says where to go on.
    const search = { text: 'glossary', limit: 20, within: 1 }
    const first = await listJobs(store().db, project.id, search)
    expect(first).toMatchObject({ rows: [], searched: 1 })
    const second = await listJobs(store().db, project.id, { ...search, cursor: first.next })
    expect(second).toMatchObject({ rows: [{ id }], next: undefined, searched: undefined })
  })
})
