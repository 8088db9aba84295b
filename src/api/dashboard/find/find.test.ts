import { expect, it } from 'vitest'
import { describeOnStore } from '../../../../tests/stores.ts'
import { createDashboardWorld } from '../../../../tests/worlds/dashboard-world.ts'
import { createJob } from '../../../features/agent/create-job.ts'
import { adviceFor, type ServerHealth } from '../../../features/projects/server/health.ts'
import type { StoredCheck } from '../../../features/docs/problems/stored-check.ts'
import { findAnything } from '../../find/find-anything.ts'

const attack = '"><script>alert(1)</script>'

describeOnStore('pages that lead somewhere', (store) => {
  it('find pages of the dashboard, jobs and actions by all words, and only of projects that the person knows', async () => {
    const { get, project, ports } = await createDashboardWorld(store())
    const other = await createDashboardWorld(store())
    await createJob(ports, project, { prompt: `Fix 100% of ${attack}` }, () => Promise.resolve())
    const page = await (await get(`/find?query=${encodeURIComponent('fix 100% OF')}`)).text()
    expect(page).toContain('&lt;script&gt;alert(1)')
    expect(page).not.toContain('<script>alert')
    expect(await (await get('/find?query=fix+200%25')).text()).toContain('Nothing has these words')
    const person = { id: 'p', name: 'Ann', isOperator: false }
    const roles = new Map([[project.organizationId, 'viewer' as const]])
    const caller = { kind: 'person' as const, person: { ...person, roles } }
    const found = await findAnything(ports, caller, { query: 'problems', domain: undefined })
    expect(found.map(({ url }) => url)).toEqual([`/projects/${project.domain}/problems`])
    const nothing = { kind: 'person' as const, person: { ...person, roles: new Map() } }
    const all = await findAnything(ports, nothing, { query: other.project.domain, domain: undefined })
    expect(all).toEqual([])
  })

  it('hide the first steps and show them again, and know what is done', async () => {
    const { get, post, csrf, project, ports } = await createDashboardWorld(store())
    const shown = async () => (await get('/projects')).text()
    expect(await shown()).toContain('Add your own repository')
    await createJob(ports, project, { prompt: 'Fix broken links' }, () => Promise.resolve())
    expect(await shown()).toMatch(/Let the agent change a page\s*<span class="badge good"\s*>done/)
    expect((await post('/first-steps', { csrf, hidden: 'yes' })).status).toBe(303)
    expect(await shown()).toContain('Show the first steps')
    await post('/first-steps', { csrf, hidden: 'no' })
    expect(await shown()).toContain('Put the assistant on your site')
  })

  it('list problems with hostile paths as text, and start a job for those that can be said', async () => {
    const check: StoredCheck = {
      subject: '',
      progress: undefined,
      error: undefined,
      found: {
        pages: 214,
        checkedLinks: 3,
        counts: new Map([['link', 2]]),
        problems: [
          { kind: 'link', path: 'guides/a.md', line: 3, message: attack },
          { kind: 'link', path: attack, line: 1, message: 'Nowhere' },
        ],
        notLookedAt: [],
        isCurrent: true,
        at: new Date(),
      },
    }
    const world = await createDashboardWorld(store(), {
      siteChecks: {
        look: () => Promise.resolve(check),
        again: () => Promise.resolve(),
        stop: () => undefined,
      },
    })
    const { get, post, csrf, project } = world
    const path = `/projects/${project.domain}/problems`
    const page = await (await get(path)).text()
    expect(page).not.toContain('<script>alert')
    expect(page).toContain('Fix all 2')
    expect(page.match(/>Fix</g)).toHaveLength(1)
    expect((await post(`${path}/fix`, { csrf, kind: 'link', path: attack })).status).toBe(400)
    const answer = await post(`${path}/fix`, { csrf, kind: 'link', path: 'guides/a.md' })
    expect(answer.headers.get('location')).toMatch(/\/jobs\/job_/)
    const row = await store()
      .db.selectFrom('jobs')
      .select('title')
      .where('project_id', '=', project.id)
      .execute()
    expect(row).toEqual([{ title: 'Fix broken links in guides/a.md' }])
    if (check.found) check.found = { ...check.found, counts: new Map(), problems: [] }
    expect(await (await get(path)).text()).toContain('No problems found in 214 pages')
  })

  it('check a repository before it is added, without showing its token', async () => {
    const world = await createDashboardWorld(store())
    const sent = { csrf: world.csrf, location: 'https://git.example.com/acme/docs', token: 'ghp_never-shown' }
    const page = await (await world.post('/add-project/check', sent)).text()
    expect(page).toContain('lacks Contents: write')
    expect(page).not.toContain('ghp_never-shown')
    expect(world.connected).toEqual([expect.objectContaining({ tried: expect.anything() })])
  })

  it('try a model, and say what came of it', async () => {
    const { post, csrf, project } = await createDashboardWorld(store())
    const path = `/projects/${project.domain}/settings/test-model`
    expect(await (await post(path, { csrf, model: 'builtin' })).text()).toContain('It works.')
    const away = await (await post(path, { csrf, model: attack, group: 'assistant' })).text()
    expect(away).toContain('It does not work.')
    expect(away).not.toContain('<script>alert')
  })
})

it('says what to do about a server that is not well, and nothing about one that is', () => {
  const now = new Date('2026-01-01T12:00:00Z')
  const well: ServerHealth = {
    version: '1',
    startedAt: now,
    queue: { waiting: 0, oldest: undefined, running: 0, parked: [], syncs: 0 },
    processes: [],
    disk: { folder: '/data', free: 1000, leastFree: 10 },
    database: { engine: 'postgres', milliseconds: 1, bytes: 1 },
    memory: { process: 1, heap: 1, machineFree: 1, machine: 2 },
    mirrors: { count: 0, bytes: 0, most: undefined },
    hosts: [],
    models: [],
    trouble: undefined,
  }
  expect(adviceFor(well, now)).toEqual([])
  const ill: ServerHealth = {
    ...well,
    queue: { ...well.queue, waiting: 1, oldest: new Date('2026-01-01T11:50:00Z') },
    disk: { ...well.disk, free: 20 },
    database: { ...well.database, milliseconds: 900 },
    models: [{ variable: 'DOCWRIGHT_MODEL', name: 'a:b', problem: 'no key' }],
  }
  expect(adviceFor(ill, now).map(({ what }) => what)).toEqual([
    'The disk of the data folder is nearly full',
    'A prompt waits for 10 minutes',
    'The database took 900 ms to answer the smallest question',
    'DOCWRIGHT_MODEL: a:b cannot be used: no key',
  ])
})
