import { expect, it } from 'vitest'
import { describeOnStore } from '../../../tests/stores.ts'
import { createDashboardWorld } from '../../../tests/worlds/dashboard-world.ts'
import { writePages } from '../../features/docs/pages.ts'
import { createJob } from '../../features/agent/create-job.ts'
import { adviceFor, type ServerHealth } from '../../features/server/health.ts'
import type { StoredCheck } from '../../features/docs/problems/stored-check.ts'
import { findAnything } from '../../api/find/find-anything.ts'

const attack = '"><script>alert(1)</script>'

describeOnStore('pages that lead somewhere', (store) => {
  it('find pages of the dashboard, jobs and actions by all words, and only of projects that the person knows', async () => {
    const { get, project, ports } = await createDashboardWorld(store())
    const other = await createDashboardWorld(store())
    await createJob(ports, project, { prompt: `Fix 100% of ${attack}` }, () => Promise.resolve())
    const page = await (await get(`/find?query=${encodeURIComponent('fix 100% OF')}`)).text()
    expect(page).toContain('&lt;script&gt;alert(1)')
    expect(page).not.toContain('<script>alert')
    expect(page).toContain(`${project.domain}, queued`)
    expect(await (await get('/find?query=fix+200%25')).text()).toContain('No results. Try fewer')
    const person = { id: 'p', name: 'Ann', isOperator: false }
    const roles = new Map([[project.organizationId, 'viewer' as const]])
    const caller = { kind: 'person' as const, person: { ...person, roles } }
    const asked = { domain: undefined, shown: project.organizationId }
    const urlsFor = async (query: string) =>
      (await findAnything(ports, caller, { ...asked, query })).map(({ url }) => url)
    expect(await urlsFor('problems')).toEqual([`/projects/${project.domain}/problems`])
    expect(await urlsFor('sync now')).toEqual([])
    expect(await urlsFor('add a project')).toEqual([])
    const nothing = { kind: 'person' as const, person: { ...person, roles: new Map() } }
    const all = await findAnything(ports, nothing, { ...asked, query: other.project.domain })
    expect(all).toEqual([])
  })

  it('look for pages in the current project first, and in others only while there is room', async () => {
    const { ports, project } = await createDashboardWorld(store())
    const { project: current } = await createDashboardWorld(store())
    const pages = Array.from({ length: 12 }, (_, n) => {
      const title = n < 7 ? `Retries in few words ${n}` : `Retries ${n}`
      const page = { path: `${n}.md`, url: `/${n}`, title, groups: [], sections: [] }
      return {
        page: { ...page, description: undefined, language: undefined, version: undefined },
        oid: 'x',
        included: {},
        content: '',
      }
    })
    const roles = new Map<string, 'viewer'>()
    for (const { id, organizationId } of [project, current]) {
      await store().transaction((tx) => writePages(tx, id, pages, []))
      roles.set(organizationId, 'viewer')
    }
    const caller = { kind: 'person' as const, person: { id: 'p', name: 'Ann', isOperator: false, roles } }
    const asked: string[] = []
    const pagesOf: typeof ports.pagesOf = (one) => {
      asked.push(one.domain)
      return ports.pagesOf(one)
    }
    const find = async (query: string) => {
      const found = await findAnything({ ...ports, pagesOf }, caller, {
        query,
        domain: current.domain,
        shown: undefined,
      })
      return found.map(({ detail }) => detail.split(' ')[0])
    }
    expect(await find('retries')).toEqual(Array.from({ length: 12 }, () => current.domain))
    expect(asked).toEqual([current.domain])
    const few = await find('few')
    expect([few.slice(0, 7), few.slice(7)]).toEqual([
      Array.from({ length: 7 }, () => current.domain),
      Array.from({ length: 5 }, () => project.domain),
    ])
  })

  it('hide the first steps and show them again, and know what is done', async () => {
    const { get, post, csrf, project, ports } = await createDashboardWorld(store())
    const shown = async () => (await get('/projects')).text()
    expect(await shown()).toContain('Add your own repository')
    await createJob(ports, project, { prompt: 'Fix broken links' }, () => Promise.resolve())
    expect(await shown()).toMatch(/Start your first job\s*<span class="hidden"\s*>\(done\)/)
    expect((await post('/first-steps', { csrf, hidden: 'yes' })).status).toBe(303)
    expect(await shown()).toContain('Show setup checklist')
    await post('/first-steps', { csrf, hidden: 'no' })
    expect(await shown()).toContain('Add the assistant to your site')
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
          { kind: 'link', path: `${attack}\u202Egpj.md`, line: 1, message: 'Now\u200Bhere' },
        ],
        doubtful: new Map(),
        notLookedAt: [],
        ignored: { count: 0, wrong: [] },
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
    expect(page).toContain('⟨U+202E⟩gpj.md')
    expect(page).toContain('Now⟨U+200B⟩here')
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
    expect(page).toContain('is missing Contents: write')
    expect(page).not.toContain('ghp_never-shown')
    expect(world.connected).toEqual([expect.objectContaining({ tried: expect.anything() })])
  })

  it('try a model, and say what came of it', async () => {
    const { post, csrf, project } = await createDashboardWorld(store())
    const path = `/projects/${project.domain}/settings/test-model`
    expect(await (await post(path, { csrf, model: 'builtin' })).text()).toContain('It works.')
    const away = await (await post(path, { csrf, model: attack, group: 'assistant' })).text()
    expect(away).toContain('Test failed.')
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
    database: {
      engine: 'postgres',
      milliseconds: 1,
      bytes: 1,
      rows: 1,
      wait: undefined,
      connections: undefined,
    },
    memory: { process: 1, heap: 1, machineFree: 1, machine: 2 },
    mirrors: { count: 0, bytes: 0, most: undefined },
    hosts: [],
    models: [],
    chats: [],
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
