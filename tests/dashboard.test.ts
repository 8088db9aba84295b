import { expect, it } from 'vitest'
import { describeOnStore } from './stores.ts'
import { createJob } from '../src/features/agent/create-job.ts'
import { getJob } from '../src/features/agent/jobs.ts'
import { listKeys } from '../src/nouns/keys/table.ts'
import { AppError } from '../src/lib/errors.ts'
import { json } from '../src/store/database.ts'
import { createDashboardWorld, pullRequest, type DashboardWorld } from './worlds/dashboard-world.ts'

const attack = '"><img src=x onerror=alert(1)><script>alert(2)</script>'

describeOnStore('dashboard', (store) => {
  const world = (override = {}): Promise<DashboardWorld> => createDashboardWorld(store(), override)
  const newJob = async ({ ports, project }: DashboardWorld, prompt: string): Promise<string> =>
    (await createJob(ports, project, { prompt }, () => Promise.resolve())).id

  it('sends every page with a policy that runs no inline script', async () => {
    const { get, project } = await world()
    for (const path of [
      '/projects',
      `/projects/${project.domain}`,
      '/projects/none',
      '/sign-in',
      '/docs/none/x',
    ]) {
      const { headers } = await get(path)
      const policy = headers.get('content-security-policy') ?? ''
      if (headers.get('location') !== null) continue
      expect(policy).toContain("default-src 'none'")
      expect(policy).toContain("frame-ancestors 'none'")
      expect(policy).not.toContain('unsafe')
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('referrer-policy')).toBe('same-origin')
      expect(headers.get('cache-control')).toBe('no-store')
    }
  })

  it('answers pages that do not exist with a page of 404, also for names that cannot be stored', async () => {
    const { get, project } = await world()
    const base = `/projects/${project.domain}`
    for (const path of [
      '/projects/none',
      '/projects/%00',
      `${base}/jobs/%00`,
      `${base}/pulls/9`,
      `${base}/pulls/1e1`,
      `${base}/x/y`,
    ]) {
      const answer = await get(path)
      expect([path, answer.status, answer.headers.get('content-type')]).toEqual([
        path,
        404,
        'text/html; charset=UTF-8',
      ])
    }
  })

  it('does nothing for a form without the token of the session', async () => {
    const one = await world()
    const other = await world()
    const base = `/projects/${one.project.domain}`
    one.pulls.push(pullRequest(1))
    const id = await newJob(one, 'Fix it')
    one.sent.length = 0
    for (const csrf of ['', 'wrong', other.csrf]) {
      for (const path of [
        '/sync',
        '/jobs',
        `/jobs/${id}/message`,
        `/jobs/${id}/cancel`,
        `/jobs/${id}/archive`,
        '/pulls/1/merge',
        '/pulls/1/close',
        '/pulls/1/comment',
        '/keys',
        '/keys/revoke',
      ]) {
        const answer = await one.post(`${base}${path}`, { csrf, prompt: 'x', kind: 'admin' })
        expect([path, answer.status]).toEqual([path, 403])
      }
      expect((await one.post('/sign-out', { csrf })).status).toBe(403)
    }
    expect(one.sent).toEqual([])
    expect(one.acts).toEqual([])
    expect(await listKeys(store().db, [one.project.organizationId])).toEqual([])
    expect((await getJob(store().db, one.project.id, id))?.status).toBe('active')
    const signedOut = await one.post(`${base}/pulls/1/merge`, { csrf: one.csrf }, '')
    expect([signedOut.status, signedOut.headers.get('location')]).toEqual([303, '/sign-in'])
    expect(one.acts).toEqual([])
  })

  it('keeps what was typed when the session has ended or is another one', async () => {
    const { app, post, cookie, csrf, project, sent } = await world()
    const base = `/projects/${project.domain}`
    const prompt = 'First line\r\n<second>'
    const send = (
      fields: Record<string, string>,
      site: string,
      session = cookie,
      path = 'jobs',
    ): Promise<Response> =>
      Promise.resolve(
        app.request(`${base}/${path}`, {
          method: 'POST',
          headers: {
            cookie: session,
            'content-type': 'application/x-www-form-urlencoded',
            'sec-fetch-site': site,
          },
          body: new URLSearchParams(fields).toString(),
        }),
      )
    const away = await send({ csrf, prompt, base: 'next' }, 'same-origin', '')
    expect(away.status).toBe(401)
    const kept = await away.text()
    expect(kept).toContain('First line\r\n&lt;second&gt;</textarea>')
    expect(kept).toContain('name="base" value="next"')
    expect(kept).not.toContain('csrf')

    const stale = await send({ csrf: 'of before', prompt }, 'same-origin')
    expect(stale.status).toBe(403)
    const again = await stale.text()
    expect(again).toContain('&lt;second&gt;')
    expect(again).toContain(`value="${csrf}"`)
    // Neither a secret nor another site brings such a page.
    for (const [fields, site, path] of [
      [{ username: prompt, token: 'secret' }, 'same-origin', 'host/token'],
      [{ prompt }, 'none', 'jobs'],
      [{ prompt }, 'cross-site', 'jobs'],
    ] as const) {
      const refused = await send(fields, site, cookie, path)
      expect(refused.status).toBe(403)
      expect(await refused.text()).not.toContain('&lt;second&gt;')
    }
    const secret = await send({ username: prompt, token: 'secret' }, 'same-origin', '', 'host/token')
    expect(secret.headers.get('location')).toBe('/sign-in')
    // Nor one of which the browser does not say where it comes from.
    const unknown = await post(`${base}/jobs`, { prompt }, '')
    expect(unknown.headers.get('location')).toBe('/sign-in')
    expect(sent).toEqual([])
  })

  it('prints no form again that has more fields than any page has', async () => {
    const { app, project } = await world()
    const answer = await app.request(`/projects/${project.domain}/jobs`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' },
      body: 'a=%0A&'.repeat(2000),
    })
    expect(answer.status).toBe(400)
    expect((await answer.text()).length).toBeLessThan(20_000)
  })

  it('starts, follows up, cancels and archives jobs', async () => {
    const own = await world()
    const { post, get, csrf, project, sent } = own
    const base = `/projects/${project.domain}/jobs`
    const created = await post(base, { csrf, prompt: 'First line\r\nsecond', draft: 'yes', base: 'next' })
    const path = created.headers.get('location') ?? ''
    const id = path.split('/').at(-1) ?? ''
    const job = await getJob(store().db, project.id, id)
    expect(job).toMatchObject({ title: 'First line', base: 'next', draft: true, status: 'active' })
    expect(sent).toEqual([`job ${id}`])
    expect((await post(`${path}/message`, { csrf, prompt: 'And this' })).status).toBe(303)
    const page = await (await get(path)).text()
    expect(page).toContain('First line\nsecond')
    expect(page).toContain('And this')
    expect(page).toContain('data-live')
    expect((await post(`${path}/cancel`, { csrf })).status).toBe(303)
    expect((await getJob(store().db, project.id, id))?.status).toBe('failed')
    expect((await post(`${path}/archive`, { csrf })).status).toBe(303)
    expect((await post(`${path}/message`, { csrf, prompt: 'More' })).status).toBe(400)
    expect((await post(base, { csrf, prompt: '  ' })).status).toBe(400)
    expect((await post(base, { csrf, prompt: 'x'.repeat(100_001) })).status).toBe(400)
    expect((await post(base, { csrf, prompt: 'x'.repeat(1_100_000) })).status).toBe(413)
  })

  it('counts jobs against the limit of the API', async () => {
    const { post, csrf, project } = await world()
    await store().transaction(async (tx) => {
      const scope = `job-create:${project.id}`
      await tx.insertInto('limits').values({ scope, uses: 100, used_at: new Date() }).execute()
      const uses = Array.from({ length: 100 }, (_, use) => ({ scope, n: use + 1, used_at: new Date() }))
      await tx.insertInto('recent_uses').values(uses).execute()
    })
    const answer = await post(`/projects/${project.domain}/jobs`, { csrf, prompt: 'One more' })
    expect(answer.status).toBe(429)
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(3000)
  })

  it('shows no job of another project', async () => {
    const one = await world()
    const other = await world()
    const id = await newJob(other, 'Secret')
    expect((await one.get(`/projects/${one.project.domain}/jobs/${id}`)).status).toBe(404)
    const answer = await one.post(`/projects/${one.project.domain}/jobs/${id}/cancel`, { csrf: one.csrf })
    expect(answer.status).toBe(404)
    expect((await getJob(store().db, other.project.id, id))?.status).toBe('active')
  })

  it('shows hostile titles, prompts, summaries, events and diffs as text', async () => {
    const own = await world()
    const id = await newJob(own, attack)
    await store().transaction(async (tx) => {
      const failure = json({ code: attack, message: attack })
      await tx
        .updateTable('jobs')
        .set({
          failure,
          status: 'failed',
          model: attack,
          checks: json([{ check: attack, path: attack, line: 1, message: attack }]),
          changes: json([{ path: attack, oldPath: attack, status: 'renamed', additions: 1, deletions: 0 }]),
          pull_request: json({ link: 'javascript:alert(1)', number: 1, state: 'open' }),
        })
        .where('id', '=', id)
        .execute()
      await tx
        .updateTable('turns')
        .set({
          summary: `${attack} [x](javascript:alert(3)) ![y](https://evil.example/?q=1) <Note>${attack}</Note>`,
          failure,
        })
        .where('job_id', '=', id)
        .execute()
    })
    own.pulls.push({ ...pullRequest(1), title: attack, body: attack, head: attack })
    own.ports.pullRequests.diff = () =>
      Promise.resolve(`diff --git a/x b/x\n--- a/x\n+++ b/${attack}\n@@ -0,0 +1 @@ ${attack}\n+${attack}\n`)
    own.mergeability.state = 'conflicts'
    own.mergeability.conflicts = [attack]
    const base = `/projects/${own.project.domain}`
    for (const path of [
      base,
      `${base}/jobs`,
      `${base}/jobs/${id}`,
      `${base}/pulls`,
      `${base}/pulls/1`,
      `${base}?done=${attack}`,
      `${base}/pulls/1?token=${encodeURIComponent(attack)}`,
    ]) {
      const page = await (await own.get(path)).text()
      expect(page).not.toMatch(/<img src=x|<script>|onerror=alert\(1\)>|href="javascript:|evil\.example/)
    }
    expect(await (await own.get(`${base}/jobs/${id}`)).text()).toContain('&lt;script&gt;alert(2)')
  })

  it('shows a refused form again, with the reason and what was typed', async () => {
    const own = await world()
    const { post, csrf, project, pulls } = own
    pulls.push(pullRequest(1))
    const base = `/projects/${project.domain}`
    const id = await newJob(own, 'Fix it')
    const long = 'x'.repeat(20_001)
    own.ports.pullRequests.comment = () => Promise.reject(new AppError('invalid', 'Too long'))
    for (const [path, fields, typed] of [
      [
        '/jobs',
        { prompt: ' ', base: 'next-branch', draft: 'yes' },
        ['value="next-branch"', 'value="yes"  checked'],
      ],
      [`/jobs/${id}/message`, { prompt: `Again ${'x'.repeat(100_000)}` }, ['\nAgain xxx']],
      [
        '/keys',
        {
          kind: 'assistant',
          name: 'Site',
          origins: 'a b',
          addresses: '10.0.0.0/99',
          scopes: 'search',
          expiresInDays: '9',
        },
        [
          'value="Site"',
          '\na b</textarea>',
          '\n10.0.0.0/99</textarea>',
          'value="search"  checked',
          'value="9"',
        ],
      ],
      [
        '/webhooks',
        { url: 'http://example.com/hook', events: 'job.failed' },
        ['value="http://example.com/hook"', 'value="job.failed"  checked'],
      ],
      ['/pulls/1/comment', { body: long }, [`\n${long}</textarea>`]],
    ] as const) {
      const answer = await post(`${base}${path}`, { csrf, ...fields })
      const page = await answer.text()
      expect([path, answer.status]).toEqual([path, 400])
      expect(page).toMatch(/<p class="failure" role="alert" data-problem>/)
      expect(page).not.toContain('data-live')
      for (const text of typed)
        expect([path, page.replaceAll(/\s+checked/g, '  checked').includes(text)]).toEqual([path, true])
    }
  })

  it('keeps the header and the way back on an error page, for those who are signed in only', async () => {
    const { get, post, project } = await world()
    const base = `/projects/${project.domain}`
    for (const answer of [
      await get(`${base}/jobs/none`),
      await get(`${base}/pulls/9`),
      await post(`${base}/jobs`, {}),
    ]) {
      const page = await answer.text()
      expect(page).toContain('Sign out')
      expect(page).toContain(`aria-label="Project"`)
      expect(page).toContain(`Back to ${project.domain}`)
    }
    const other = await (await get('/projects/none')).text()
    expect(other).toContain('Sign out')
    expect(other).toContain('Go to projects')
    const stranger = await (await get('/assets/none', '')).text()
    expect(stranger).toContain('Sign in')
  })

  it('asks for a sync, and says so until the repository was read', async () => {
    const { get, post, csrf, project, sent } = await world()
    const change = (set: { sync_state?: 'ready' | 'failed'; synced_at?: Date }) =>
      store().db.updateTable('projects').set(set).where('id', '=', project.id).execute()
    await change({ sync_state: 'ready', synced_at: new Date('2026-01-01') })
    const answer = await post(`/projects/${project.domain}/sync`, { csrf })
    expect([answer.status, sent]).toEqual([303, [`sync ${project.id}`]])
    const page = async () => (await get(answer.headers.get('location') ?? '')).text()
    expect(await page()).toContain('Sync started.')
    await change({ sync_state: 'failed' })
    expect(await page()).not.toContain('Sync started.')
    await change({ sync_state: 'ready', synced_at: new Date('2026-01-02') })
    expect(await page()).not.toContain('Sync started.')
  })

  it('logs an error and does not show it', async () => {
    const own = await world()
    own.ports.pullRequests.list = () => Promise.reject(new Error('password=hunter2'))
    const answer = await own.get(`/projects/${own.project.domain}/pulls`)
    expect(answer.status).toBe(500)
    expect(await answer.text()).not.toContain('hunter2')
    expect(own.errors.map(({ message }) => message)).toEqual(['password=hunter2'])
  })

  it('serves its style, script and icon with long caching', async () => {
    const { get } = await world()
    const page = await (await get('/sign-in', '')).text()
    for (const name of ['dashboard.css', 'forms.js', 'icon.svg']) {
      const path = new RegExp(`/assets/${name.replace('.', '\\.')}\\?v=\\w+`).exec(page)?.[0] ?? ''
      const answer = await get(path, '')
      expect([name, answer.status]).toEqual([name, 200])
      expect(answer.headers.get('cache-control')).toContain('immutable')
    }
    expect((await get('/assets/..%2Fpage.ts', '')).status).toBe(404)
  })

  it('loads the font that the style sheet names at the address that the page has announced', async () => {
    const { get } = await world()
    const page = await (await get('/sign-in', '')).text()
    const [path = '', font = ''] = /\/assets\/(inter-400\.woff2\?v=\w+)/.exec(page) ?? []
    const style = /\/assets\/dashboard\.css\?v=\w+/.exec(page)?.[0] ?? ''
    expect(await (await get(style, '')).text()).toContain(`url('./${font}')`)
    const answer = await get(path, '')
    expect(answer.headers.get('content-type')).toBe('font/woff2')
    expect(answer.headers.get('content-security-policy')).toContain("font-src 'self'")
    expect(Buffer.from(await answer.arrayBuffer()).toString('latin1', 0, 4)).toBe('wOF2')
  })
})
