import { setTimeout as delay } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { describeOnStore } from '../../../tests/stores.ts'
import { createDashboardWorld } from '../../../tests/worlds/dashboard-world.ts'
import { insertAccount } from './accounts.ts'
import { listAudit } from '../audit/table.ts'
import type { Kept } from './sign-in/identify.ts'
import { createInvitation } from './invitations.ts'
import { addMember } from './members.ts'
import type { Role } from '../../features/projects/roles.ts'
import { insertOrganization } from '../../features/projects/organizations.ts'
import { findSession, openSession } from '../../features/projects/sign-in.ts'
import { AppError } from '../../lib/errors.ts'
import { sha256 } from '../../lib/ids.ts'
import { countLimits, limits } from '../../features/projects/limits.ts'
import { createAttempts } from './sign-in/count-attempts.ts'

const password = 'correct horse battery'
let count = 0

describeOnStore('people on the dashboard', (store) => {
  const invitation = (organizationId: string, role: Role = 'editor') =>
    store().transaction((tx) =>
      createInvitation(tx, { organizationId, role, note: '', invitedBy: 'Ada', days: 1 }),
    )
  const newPerson = () => ({
    name: `Person ${++count}`,
    email: `p${count}@example.com`,
    password,
  })
  /** Somebody with a role in the organization, and a session. */
  const member = async (organizationId: string, role: Role) => {
    const { name, email } = newPerson()
    return store().transaction(async (tx) => {
      const id = await insertAccount(tx, { name, email, passwordHash: undefined })
      await addMember(tx, organizationId, id, role)
      const { secret } = await openSession(tx, id)
      const csrf = (await findSession(tx, secret))?.csrfToken ?? ''
      return { id, name, email, csrf, cookie: `docwright_4000_session=${secret}` }
    })
  }

  it('asks an account without a password for its passkey, and then goes where somebody wanted to go', async () => {
    const { get, post, project } = await createDashboardWorld(store())
    const { secret } = await invitation(project.organizationId)
    const fields = { link: secret, ...newPerson(), password: '', with: 'passkey' }
    const made = await post('/join', fields, '')
    const step = made.headers.get('location') ?? ''
    expect(step).toBe('/account?passkey=new&return=%2Fprojects')
    const page = await (await get(step, cookieOf(made))).text()
    expect(page).toContain('data-next="/projects?done=passkey"')
    expect(page).not.toContain('Delete my account')
    const next = async (wanted: string): Promise<string | undefined> => {
      const path = `/account?passkey=new&return=${encodeURIComponent(wanted)}`
      return /data-next="([^"]*)"/.exec(await (await get(path, cookieOf(made))).text())?.[1]
    }
    expect(await next('/projects/docs/jobs?status=failed')).toBe(
      '/projects/docs/jobs?status=failed&amp;done=passkey',
    )
    expect(await next('//evil.example')).toBe('/projects?done=passkey')
  })

  it('signs in with a password, and answers the same for a wrong one and an unknown address', async () => {
    const { get, post, project } = await createDashboardWorld(store())
    const { secret } = await invitation(project.organizationId)
    const person = newPerson()
    const joined = await post('/join', { link: secret, ...person }, '')
    expect(joined.headers.get('location')).toBe('/projects')
    const answers = await Promise.all(
      [person.email, 'nobody@example.com', 'no address'].map(async (email) => {
        const answer = await post('/sign-in/password', { email, password: 'a wrong password' }, '')
        return [answer.status, answer.headers.get('set-cookie'), (await answer.text()).replaceAll(email, '')]
      }),
    )
    expect(answers[0]?.slice(0, 2)).toEqual([403, null])
    expect(answers[1]).toEqual(answers[0])
    expect(answers[2]).toEqual(answers[0])
    // A session that the browser had before, whoever has prepared it, is not taken over and ends.
    const before = cookieOf(joined)
    const signedIn = await post('/sign-in/password', { email: person.email.toUpperCase(), password }, before)
    expect([signedIn.status, signedIn.headers.get('location')]).toEqual([303, '/'])
    const after = cookieOf(signedIn)
    expect(after).not.toBe(before)
    expect(signedIn.headers.getSetCookie().join('\n')).not.toMatch(/session_token|better-auth/)
    expect((await get('/projects', before)).status).toBe(303)
    expect((await get('/projects', after)).status).toBe(200)
  })

  it('leaves an invitation to the person it is for, whoever opens it first', async () => {
    const { get, post, project } = await createDashboardWorld(store())
    const { secret } = await invitation(project.organizationId)
    const owner = await member(project.organizationId, 'owner')
    const shown = await (await get(`/join?token=${secret}`, owner.cookie)).text()
    expect(shown).toContain('You belong to it already')
    expect(shown).not.toContain('Join as')
    expect((await post('/join/member', { csrf: owner.csrf, link: secret }, owner.cookie)).status).toBe(409)
    const elsewhere = await store().transaction((tx) => insertOrganization(tx, 'Elsewhere'))
    const guest = await member(elsewhere.id, 'viewer')
    const bound = await store().transaction((tx) =>
      createInvitation(tx, {
        organizationId: project.organizationId,
        role: 'viewer',
        note: '',
        email: 'grace@example.com',
        invitedBy: 'Ada',
        days: 1,
      }),
    )
    const forGrace = await (await get(`/join?token=${bound.secret}`, guest.cookie)).text()
    expect(forGrace).toContain('it is for grace@example.com')
    expect(forGrace).not.toContain('Join as')
    expect((await post('/join/member', { csrf: guest.csrf, link: bound.secret }, guest.cookie)).status).toBe(
      403,
    )
    const away = await post('/sign-out', { csrf: owner.csrf, return: `/join?token=${secret}` }, owner.cookie)
    expect(away.headers.get('location')).toBe(`/join?token=${secret}`)
    // What the page remembers is where those come back to who have an account, and nothing for the sign-in after that.
    const remembered = cookieOf(await get(`/join?token=${secret}`, ''))
    const joined = await post('/join', { link: secret, ...newPerson() }, remembered)
    expect(joined.status).toBe(303)
    expect(joined.headers.getSetCookie()).toContainEqual(expect.stringMatching(/_return=; Max-Age=0/))
    expect(await (await get(`/join?token=${secret}`, '')).text()).toContain('The invitation was used on')
  })

  /** A sign-in form whose password is right or wrong as the test says, from an address that it chooses. */
  const guessing = async () => {
    const state = { isRight: false, address: '192.0.2.1' }
    const withPassword = async (): Promise<Kept> => {
      if (state.isRight) return { cookies: [], opened: undefined }
      // As long as the others take to arrive.
      await delay(50)
      throw new AppError('forbidden', 'It is wrong')
    }
    const { ports } = await createDashboardWorld(store())
    const { post } = await createDashboardWorld(store(), {
      clientAddress: () => state.address,
      // Only passwords are counted here.
      attempts: { ...createAttempts(store()), count: () => Promise.resolve() },
      // Without the costly hash.
      identify: { ...ports.identify, withPassword },
    })
    const guess = async (email: string) =>
      (await post('/sign-in/password', { email, password: 'x' }, '')).status
    return { state, guess }
  }

  it('limits wrong passwords for an account by the network that they come from', async () => {
    const { state, guess } = await guessing()
    const email = 'target@example.com'
    const statuses = await Promise.all(Array.from({ length: 40 }, () => guess(email)))
    expect(statuses.filter((status) => status === 403)).toHaveLength(30)
    expect(statuses.filter((status) => status === 429)).toHaveLength(10)
    state.address = '192.0.2.2'
    expect(await guess(email)).toBe(403)
    // The right one is no guess.
    state.isRight = true
    for (let n = 0; n < 31; n++) await guess('other@example.com')
    state.isRight = false
    expect(await guess('other@example.com')).toBe(403)
  })

  it('locks nobody out of a network in which they have signed in before', async () => {
    const { state, guess } = await guessing()
    const { email } = newPerson()
    await store().transaction(async (tx) => {
      const id = await insertAccount(tx, { name: 'Ann', email, passwordHash: undefined })
      await openSession(tx, id, { address: '198.51.100.7' })
    })
    const use = { limit: limits.wrongPasswordsAnywhere, subject: sha256(email) }
    await store().transaction(async (tx) => {
      for (let n = 0; n < use.limit.count; n++) await countLimits(tx, [use])
    })
    state.address = '203.0.113.9'
    expect(await guess(email)).toBe(429)
    state.address = '198.51.100.7'
    expect(await guess(email)).toBe(403)
  })

  it('shows people nothing of other organizations, not even in error pages', async () => {
    const { get, post, project } = await createDashboardWorld(store())
    const other = await store().transaction((tx) => insertOrganization(tx, 'Other'))
    const owner = await member(other.id, 'owner')
    const base = `/projects/${project.domain}`
    for (const path of [
      '',
      '/jobs',
      '/jobs/job_1',
      '/pulls',
      '/pulls/1',
      '/keys',
      '/webhooks',
      '/settings',
    ]) {
      const answer = await get(`${base}${path}`, owner.cookie)
      const missing = await get(`${base.slice(0, -1)}x${path}`, owner.cookie)
      expect([path, answer.status, missing.status]).toEqual([path, 404, 404])
      const text = await answer.text()
      expect(text.replaceAll(/"[^"]*"|&quot;[^&]*&quot;/g, '')).not.toContain(project.domain)
    }
    expect((await get(`/docs/${project.domain}/`, owner.cookie)).status).toBe(404)
    expect(await (await get('/projects', owner.cookie)).text()).not.toContain(project.domain)
    const form = { csrf: owner.csrf, prompt: 'Change it' }
    expect((await post(`${base}/jobs`, form, owner.cookie)).status).toBe(404)
    const colleague = await member(other.id, 'owner')
    expect((await post('/first-steps', { csrf: owner.csrf, hidden: 'yes' }, owner.cookie)).status).toBe(303)
    const projects = async (cookie: string) => (await get('/projects', cookie)).text()
    expect(await projects(owner.cookie)).toContain('Show setup checklist')
    expect(await projects(colleague.cookie)).not.toContain('Show setup checklist')
    const show = { csrf: owner.csrf, organization: project.organizationId }
    expect((await post('/people/show', show, owner.cookie)).status).toBe(404)
  })

  it('lets viewers read and not change, and editors work and not own', async () => {
    const { get, post, project, sent } = await createDashboardWorld(store())
    const [viewer, editor] = [
      await member(project.organizationId, 'viewer'),
      await member(project.organizationId, 'editor'),
    ]
    const base = `/projects/${project.domain}`
    expect((await get(base, viewer.cookie)).status).toBe(200)
    // What belongs to owners is not for reading either: hosts, limits, keys.
    const ownersPages = ['/settings', '/settings/host', '/settings/limits', '/keys', '/webhooks', '/widget']
    for (const page of ownersPages)
      for (const { cookie } of [viewer, editor])
        expect([page, (await get(`${base}${page}`, cookie)).status]).toEqual([page, 403])
    for (const path of ['/audit', '/add-project'])
      for (const { cookie } of [viewer, editor])
        expect([path, (await get(path, cookie)).status]).toEqual([path, 403])
    const job = (of: { csrf: string; cookie: string }) =>
      post(`${base}/jobs`, { csrf: of.csrf, prompt: 'Change it' }, of.cookie)
    expect((await job(viewer)).status).toBe(403)
    expect((await job(editor)).status).toBe(303)
    const asked = await store()
      .db.selectFrom('turns')
      .innerJoin('jobs', 'jobs.id', 'turns.job_id')
      .select('turns.person_id')
      .where('project_id', '=', project.id)
      .execute()
    expect(asked).toEqual([{ person_id: editor.id }])
    expect(sent.some((one) => one.startsWith('job '))).toBe(true)
    // Nobody makes oneself an owner, or invites one.
    for (const of of [viewer, editor])
      for (const [path, fields] of [
        ['/people/role', { person: of.id, role: 'owner' }],
        ['/people/invitations', { role: 'owner', days: '1' }],
        ['/people/remove', { person: viewer.id }],
        ['/people/password-link', { person: viewer.id }],
        ['/people/organization', { name: 'Mine' }],
        ['/people/organizations', { name: 'Mine' }],
      ] as const)
        expect([path, (await post(path, { csrf: of.csrf, ...fields }, of.cookie)).status]).toEqual([
          path,
          403,
        ])
  })

  it('offers an only owner to leave once there is another', async () => {
    const { get } = await createDashboardWorld(store())
    const { id } = await store().transaction((tx) => insertOrganization(tx, 'Small'))
    const owner = await member(id, 'owner')
    const forms = async () => {
      const page = await (await get('/people', owner.cookie)).text()
      const all = [...page.matchAll(/action="\/people\/(\w+)"/g)].map(([, name]) => name)
      return all.filter((name) => ['leave', 'role', 'remove'].includes(name ?? ''))
    }
    expect(await forms()).toEqual([])
    await member(id, 'owner')
    expect(await forms()).toEqual(expect.arrayContaining(['leave', 'role', 'remove']))
  })

  it('names the organization whose projects are shown, and adds a folder to that one', async () => {
    const { get } = await createDashboardWorld(store())
    const { id } = await store().transaction((tx) => insertOrganization(tx, 'Beta'))
    const { id: another } = await store().transaction((tx) => insertOrganization(tx, 'Gamma'))
    const owner = await member(id, 'owner')
    const projects = async () => (await get('/projects', owner.cookie)).text()
    expect(await projects()).toContain(`project add PATH --domain NAME --organization ${id}`)
    expect(await projects()).not.toContain('Showing projects in Beta')
    await store().transaction((tx) => addMember(tx, another, owner.id, 'viewer'))
    expect(await projects()).toContain('Showing projects in Beta')
  })

  it('names a folder of the server, and tells no one where it is', async () => {
    const { get, project } = await createDashboardWorld(store())
    const [owner, viewer] = [
      await member(project.organizationId, 'owner'),
      await member(project.organizationId, 'viewer'),
    ]
    for (const path of ['/projects', `/projects/${project.domain}`]) {
      for (const { cookie } of [owner, viewer]) {
        const page = await (await get(path, cookie)).text()
        expect(page).toContain('Folder docs.git on the server')
        expect(page).not.toContain(project.location)
      }
    }
  })

  it('records who did what in the log of the organization, and exports it', async () => {
    const { get, post, project } = await createDashboardWorld(store())
    const owner = await member(project.organizationId, 'owner')
    await post(`/projects/${project.domain}/jobs`, { csrf: owner.csrf, prompt: 'Change it' }, owner.cookie)
    await post('/people/invitations', { csrf: owner.csrf, role: 'viewer', days: '3' }, owner.cookie)
    await post('/people/invitations', { csrf: 'forged', role: 'owner', days: '3' }, owner.cookie)
    const viewer = await member(project.organizationId, 'viewer')
    await post('/people/role', { csrf: owner.csrf, person: viewer.id, role: 'editor' }, owner.cookie)
    await post(
      `/projects/${project.domain}/keys`,
      { csrf: owner.csrf, kind: 'assistant', name: 'Site' },
      owner.cookie,
    )
    await post(`/projects/${project.domain}/sync`, { csrf: owner.csrf }, owner.cookie)
    const base = `/projects/${project.domain}`
    for (const [path, fields] of [
      [`${base}/jobs/job_none/message`, { prompt: 'More' }],
      [`${base}/jobs/job_none/archive`, {}],
      ['/people/invitations/revoke', { invitation: 'inv_none' }],
    ] as const)
      expect([path, (await post(path, { csrf: owner.csrf, ...fields }, owner.cookie)).status]).toEqual([
        path,
        404,
      ])
    const { rows: lines } = await listAudit(store().db, { organizationId: project.organizationId }, 10)
    expect(lines).toMatchObject([
      { verb: 'syncProject' },
      { verb: 'createKey', target: expect.stringMatching(/^Site \(key_[\w-]+\)$/) },
      { verb: 'changeRole', target: `${viewer.name} (${viewer.id}), now editor` },
      { verb: 'createInvitation', target: 'viewer', actor: { id: owner.id, name: owner.name } },
      {
        verb: 'createJob',
        project: project.domain,
        target: expect.stringMatching(/^job_/),
        address: expect.stringMatching(/^198\.51\.100\./),
      },
    ])
    const page = await (await get('/audit', owner.cookie)).text()
    expect(page).toContain('started a job in')
    expect(page).toContain('synced the repository for')
    const csv = await (await get('/audit/export?format=csv&action=createJob', owner.cookie)).text()
    expect(csv.trim().split('\r\n')).toHaveLength(2)
    const exported = await (await get('/audit/export?format=jsonl', owner.cookie)).text()
    expect(exported).not.toMatch(/token=|correct horse/)
    const ofExports = { organizationId: project.organizationId, verb: 'exportAudit' }
    expect((await listAudit(store().db, ofExports, 10)).rows).toHaveLength(2)
    expect((await get('/audit?from=yesterday', owner.cookie)).status).toBe(400)
  })

  it('makes links for new passwords only for people who are of no other organization', async () => {
    const { get, post, project } = await createDashboardWorld(store())
    const owner = await member(project.organizationId, 'owner')
    const editor = await member(project.organizationId, 'editor')
    const made = await post('/people/password-link', { csrf: owner.csrf, person: editor.id }, owner.cookie)
    const token = /new-password\?token=(\w+)/.exec(await made.text())?.[1] ?? ''
    expect(await (await get(`/new-password?token=${token}`, '')).text()).toContain(editor.email)
    const set = (text: string) => post('/new-password', { link: token, password: text }, '')
    expect((await set('short')).status).toBe(400)
    expect((await set(password)).status).toBe(303)
    expect((await set(password)).status).toBe(404)
    expect((await get('/projects', editor.cookie)).status).toBe(303)
    const other = await store().transaction((tx) => insertOrganization(tx, 'Other'))
    await store().transaction((tx) => addMember(tx, other.id, editor.id, 'owner'))
    const again = await post('/people/password-link', { csrf: owner.csrf, person: editor.id }, owner.cookie)
    expect(again.status).toBe(403)
    const elsewhere = await member(other.id, 'owner')
    const foreign = await post(
      '/people/password-link',
      { csrf: owner.csrf, person: elsewhere.id },
      owner.cookie,
    )
    expect(foreign.status).toBe(404)
  })
})

function cookieOf(answer: Response): string {
  return (answer.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
}
