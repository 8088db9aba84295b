import { expect, it } from 'vitest'
import { describeOnStore } from '../../../../tests/stores.ts'
import { createSignInLink } from '../../../features/projects/sign-in.ts'
import { createDashboardWorld, type DashboardWorld } from '../../../../tests/worlds/dashboard-world.ts'
import { safeReturnPath } from '../../../api/session-cookie.ts'

describeOnStore('signing in', (store) => {
  const newLink = (): Promise<string> => store().transaction((tx) => createSignInLink(tx, 1))

  it('shows a button for a link without using it up, and redeems it once', async () => {
    const { get, post } = await createDashboardWorld(store())
    const token = await newLink()
    for (let look = 0; look < 3; look++) {
      const page = await get(`/sign-in?token=${token}`, '')
      expect(page.headers.get('set-cookie')).toBeNull()
      expect(await page.text()).toContain(`value="${token}"`)
    }
    const first = await post('/sign-in', { token }, '')
    expect(first.status).toBe(303)
    expect(first.headers.get('location')).toBe('/')
    const cookie = cookieOf(first)
    expect(first.headers.get('set-cookie')).toMatch(/HttpOnly.*SameSite=Lax/)
    expect((await get('/projects', cookie)).status).toBe(200)

    const second = await post('/sign-in', { token }, '')
    expect(second.status).toBe(403)
    expect(second.headers.get('set-cookie')).toBeNull()
  })

  it('marks the cookie secure where the server is reached by https', async () => {
    const { post } = await createDashboardWorld(store(), { publicUrl: () => 'https://docs.example.com' })
    const answer = await post('/sign-in', { token: await newLink() }, '')
    expect(answer.headers.get('set-cookie')).toMatch(/^__Host-docwright_session=.*; Secure/)
  })

  it('sends people without a session to the sign-in page, and back afterwards', async () => {
    const { get, post, project } = await createDashboardWorld(store())
    const wanted = `/projects/${project.domain}/jobs?status=failed`
    const refused = await get(wanted, '')
    expect(refused.status).toBe(303)
    expect(refused.headers.get('location')).toBe('/sign-in')
    const answer = await post('/sign-in', { token: await newLink() }, cookieOf(refused))
    expect(answer.headers.get('location')).toBe(wanted)
  })

  it('asks for a session on every page of the dashboard', async () => {
    const { get, project } = await createDashboardWorld(store())
    const base = `/projects/${project.domain}`
    const below = ['', '/keys', '/jobs', '/jobs/job_1', '/pulls', '/pulls/1', '/nothing']
    for (const path of ['/projects', ...below.map((end) => `${base}${end}`)]) {
      const answer = await get(path, 'docwright_4000_session=x')
      expect([path, answer.status, answer.headers.get('location')]).toEqual([path, 303, '/sign-in'])
    }
  })

  it('ends the session when signing out', async () => {
    const { get, post, csrf } = await createDashboardWorld(store())
    const out = await post('/sign-out', { csrf })
    // The conversation with the assistant is kept in the tab.
    expect([out.status, out.headers.get('clear-site-data')]).toEqual([303, '"storage"'])
    expect((await get('/projects')).status).toBe(303)
  })

  it('limits the attempts to sign in by address, of all processes together', async () => {
    let address = '192.0.2.7'
    const { post } = await createDashboardWorld(store(), { clientAddress: () => address })
    const statuses: number[] = []
    for (let attempt = 0; attempt < 11; attempt++)
      statuses.push((await post('/sign-in', { token: 'wrong' }, '')).status)
    expect(statuses).toEqual([...Array<number>(10).fill(403), 429])
    const another = await createDashboardWorld(store(), { clientAddress: () => address })
    expect((await another.post('/sign-in', { token: 'wrong' }, '')).status).toBe(429)
    address = '192.0.2.8'
    expect((await post('/sign-in', { token: 'wrong' }, '')).status).toBe(403)
    // Who has one address of an IPv6 network has all of it.
    for (let attempt = 0; attempt < 10; attempt++) {
      address = `2001:db8::${attempt}`
      expect((await post('/sign-in', { token: 'wrong' }, '')).status).toBe(403)
    }
    address = '2001:db8::a'
    expect((await post('/sign-in', { token: 'wrong' }, '')).status).toBe(429)
  })

  it('refuses a sign-in form that another site sends', async () => {
    const { app } = await createDashboardWorld(store())
    const answer = await app.request('/sign-in', {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'cross-site' },
      body: `token=${await newLink()}`,
    })
    expect([answer.status, answer.headers.get('set-cookie')]).toEqual([403, null])
  })
})

it('returns only to places on this server', () => {
  expect(safeReturnPath('/projects/a?b=c')).toBe('/projects/a?b=c')
  for (const bad of [
    undefined,
    '',
    'projects',
    '//evil.example',
    '/\\evil.example',
    '/a/..//evil.example',
    'https://evil.example',
    'javascript:alert(1)',
    '/a\nSet-Cookie: x',
    '/sign-in?token=x',
    `/${'a'.repeat(3100)}`,
  ])
    expect(safeReturnPath(bad)).toBe('/')
})

function cookieOf(answer: Awaited<ReturnType<DashboardWorld['get']>>): string {
  return (answer.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
}
