import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, expect, it, vi } from 'vitest'
import { describeOnStore } from '../../../tests/stores.ts'
import { createDashboardWorld } from '../../../tests/worlds/dashboard-world.ts'
import { cancelJob } from '../../features/agent/cancel-job.ts'
import { createJob } from '../../features/agent/create-job.ts'
import { updateSettings } from '../../features/projects/projects.ts'
import { deleteSession } from '../../features/projects/sign-in.ts'
import { createChanges, type Subject } from './changes.ts'
import { createVersionReader } from './read-versions.ts'

const quiet = 60_000

afterEach(() => void vi.useRealTimers())

describeOnStore('the streams of live pages', (store) => {
  const free = () => Promise.resolve()

  it('say at once that a job has changed, and its project with it', async () => {
    const { ports, project } = await createDashboardWorld(store())
    const job = await createJob(ports, project, { prompt: 'First' }, free)
    const changes = createChanges(createVersionReader(store().db))
    const stop = new AbortController()
    const { signal } = stop
    const follow = (subject: Subject) => changes.follow(subject, { quiet, signal })
    const streams = [
      follow({ of: 'job', id: job.id }),
      follow({ of: 'project', id: project.id }),
      follow({ of: 'organization', id: project.organizationId }),
    ] as const
    const next = async (at: 0 | 1 | 2) => (await streams[at].next()).value
    const before = [await next(0), await next(1), await next(2)]
    expect(before[0]).toBe(String(job.revision))
    await cancelJob(store(), project, job.id)
    expect(await next(0)).not.toBe(before[0])
    const after = await next(1)
    expect(after).not.toBe(before[1])
    await store().transaction((tx) => updateSettings(tx, project.id, () => ({ visibility: 'public' })))
    const later = [await next(1), await next(2)]
    expect(later.every((version) => typeof version === 'string')).toBe(true)
    expect(later).not.toEqual([after, before[2]])
    const others: Subject = {
      of: 'organization',
      id: (await createDashboardWorld(store())).project.organizationId,
    }
    const read = createVersionReader(store().db)
    const seen = await read([others])
    await store().transaction((tx) => updateSettings(tx, project.id, () => ({ visibility: 'key' })))
    expect(await read([others])).toEqual(seen)
    expect([...seen.values()]).toEqual([expect.stringMatching(/./)])
    stop.abort()
    expect(await next(0)).toBeUndefined()
  })

  it('ask the database as often for fifty viewers as for one', async () => {
    const { ports, project } = await createDashboardWorld(store())
    const { id, revision } = await createJob(ports, project, { prompt: 'First' }, free)
    const read = createVersionReader(store().db)
    const asked: number[] = []
    const changes = createChanges((subjects) => {
      asked.push(subjects.length)
      return read(subjects)
    })
    const stop = new AbortController()
    const viewers = Array.from({ length: 50 }, () =>
      changes.follow({ of: 'job', id }, { quiet, signal: stop.signal }),
    )
    const all = () => Promise.all(viewers.map(async (viewer) => (await viewer.next()).value))
    expect(new Set(await all())).toEqual(new Set([String(revision)]))
    await cancelJob(store(), project, id)
    expect(new Set(await all()).size).toBe(1)
    expect(new Set(asked)).toEqual(new Set([1]))
    stop.abort()
    await Promise.all(viewers.map((viewer) => viewer.return()))
    await delay(700)
    const { length } = asked
    await delay(700)
    expect(asked.length).toBe(length)
  })

  it('are for people who are signed in, and show no job of another project', async () => {
    const own = await createDashboardWorld(store())
    const other = await createDashboardWorld(store())
    const { id } = await createJob(own.ports, own.project, { prompt: 'First' }, free)
    const path = `/live/projects/${own.project.domain}/jobs/${id}`
    expect((await own.get(path, '')).status).toBe(401)
    expect((await own.get(`/live/projects/${other.project.domain}/jobs/${id}`)).status).toBe(404)
    const answer = await own.get(path)
    expect(answer.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
    const reader = answer.body?.getReader()
    const text = new TextDecoder().decode((await reader?.read())?.value)
    expect(text).toMatch(/^event: version\ndata: \d+\n\n$/)
    // Browsers drop events without data.
    const job = await createJob(own.ports, own.project, { prompt: 'Second' }, free)
    const second = (await own.get(`/live/projects/${own.project.domain}/jobs/${job.id}`)).body?.getReader()
    await second?.read()
    await store().transaction((tx) => tx.deleteFrom('jobs').where('id', '=', job.id).execute())
    expect(new TextDecoder().decode((await second?.read())?.value)).toBe('event: version\ndata: gone\n\n')
    await second?.cancel()
    const secret = own.cookie.split('=')[1] ?? ''
    await store().transaction((tx) => deleteSession(tx, secret))
    expect((await own.get(path)).status).toBe(401)
    // A stream on which much happens ends with the session too.
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 })
    await cancelJob(store(), own.project, id).finally(() => vi.setSystemTime(Date.now() + 60_000))
    expect(new TextDecoder().decode((await reader?.read())?.value)).toBe(': unauthorized\n')
    vi.useRealTimers()
    await reader?.cancel()
  })
})
