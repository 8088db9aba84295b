import { expect, it } from 'vitest'
import { describeOnStore } from '../../../tests/stores.ts'
import { json } from '../../store/database.ts'
import { findProject, updateSettings } from '../../features/projects/projects.ts'
import { AppError } from '../../lib/errors.ts'
import { createDashboardWorld } from '../../../tests/worlds/dashboard-world.ts'
import type { ShownHost } from '../projects/setup/project-hosts.ts'

const attack = '"><script>alert(1)</script>'
const secret = 'ghp_never-shown'
const key = '-----BEGIN RSA PRIVATE KEY-----\nnever shown\n-----END RSA PRIVATE KEY-----'

describeOnStore('settings pages', (store) => {
  const world = async (described: Partial<ShownHost> = {}) => {
    const made = await createDashboardWorld(store())
    await store()
      .db.updateTable('projects')
      .set({ kind: 'https', location: 'https://git.example.com/acme/docs' })
      .where('id', '=', made.project.id)
      .execute()
    made.host = { ...host, ...described }
    const path = `/projects/${made.project.domain}`
    const settings = `${path}/settings`
    const group = (name: string) => `${settings}/${name}`
    return { ...made, path, settings, group, world: made }
  }

  it('shows hostile words of a host as text', async () => {
    const { get, group, path } = await world({
      path: attack,
      forkPath: attack,
      login: attack,
      credential: { of: 'project', kind: 'token', username: attack },
      notes: [attack],
      webhookNotes: [attack],
    })
    for (const shown of [group('host'), path]) {
      const page = await (await get(shown)).text()
      expect(page).not.toContain('<script>alert')
      expect(page).toContain('&lt;script&gt;alert(1)')
    }
  })

  it('says that a credential cannot be read, and takes another one', async () => {
    const {
      get,
      post,
      csrf,
      group,
      path,
      world: made,
    } = await world({
      credential: { of: 'project', kind: undefined },
      notes: undefined,
      problem: new AppError(
        'unavailable',
        'It was encrypted with another key; bring back DOCWRIGHT_SECRET_KEY',
      ),
    })
    const page = await (await get(group('host'))).text()
    expect(page).toContain('DOCWRIGHT_SECRET_KEY')
    expect(page).toContain('enter the credential again')
    expect((await post(`${path}/host/token`, { csrf, token: secret })).status).toBe(303)
    expect(made.connected).toEqual([{ credential: { kind: 'token', token: secret, username: undefined } }])
  })

  it('keeps what was typed into a refused form, but no secret, and says why beside it', async () => {
    const { post, csrf, path, group, world: made } = await world()
    made.refusal = new AppError('unauthorized', 'The host does not accept the credential')
    const forms = {
      [`${path}/host/token`]: { token: secret, username: 'typed-before' },
      [`${path}/host/app`]: { appId: '1234567', privateKey: key },
      [`${path}/host/repository`]: {
        ref: 'typed-before',
        fork: 'https://git.example.com/x/y',
        host: 'github',
      },
      [`${path}/host/move`]: { location: 'https://git.example.com/typed-before', token: secret },
      [`${path}/context`]: { name: 'product', location: 'https://git.example.com/typed-before' },
      '/add-project': {
        location: 'https://git.example.com/typed-before',
        token: secret,
        root: 'typed-before',
      },
    }
    for (const [action, fields] of Object.entries(forms)) {
      const answer = await post(action, { csrf, ...fields })
      const page = await answer.text()
      expect([action, answer.status]).toEqual([action, 400])
      expect(page).toMatch(/data-problem>The host does not accept the credential\./)
      expect(page).toContain('appId' in fields ? '1234567' : 'typed-before')
      expect(page).not.toContain(secret)
      expect(page).not.toContain('never shown\n')
    }
    const wrong = await post(group('limits'), { csrf, steps: '12', cost: 'much' })
    expect(wrong.status).toBe(400)
    expect(await wrong.text()).toMatch(/value="12"[^]*“USD” must be over 0 and at most 100,000/)
    for (const [name, fields, refusal] of [
      ['limits', { steps: '99999' }, '“Model calls” must be a whole number from 1 to 10,000'],
      ['policy', { allowedHosts: 'a host' }, '“Allowed external hosts” (item 1) must be'],
      ['search', { enrichQuestions: '', enrichCeiling: '0' }, '“Monthly budget (USD)” must be over 0'],
      ['general', { site: `https://a.example/${'a'.repeat(1000)}` }, '“Published site URL” must'],
    ] as const)
      expect(await (await post(group(name), { csrf, ...fields })).text()).toContain(refusal)
  })

  it('refuses invalid credentials before trying them', async () => {
    const { post, csrf, path, world: made } = await world()
    for (const fields of [
      { token: '' },
      { token: 'two words' },
      { token: 'x'.repeat(20_001) },
      { username: 'alone' },
      { appId: '1' },
      { privateKey: key },
      { appId: '1', privateKey: key, token: secret },
      { appId: 'x'.repeat(101), privateKey: key },
    ])
      expect((await post(`${path}/host/token`, { csrf, ...fields })).status).toBe(400)
    expect((await post(`${path}/host/repository`, { csrf, host: 'svn' })).status).toBe(400)
    expect(made.connected).toEqual([])
  })

  it('reads the forms into the input of connecting and adding', async () => {
    const { post, csrf, path, world: made } = await world()
    await post(`${path}/host/app`, { csrf, appId: '1', privateKey: key.replaceAll('\n', '\r\n') })
    await post(`${path}/host/repository`, { csrf, ref: '', fork: '', host: 'gitlab' })
    await post('/add-project', { csrf, location: 'git@git.example.com:acme/Hand_Book.git' })
    await post(`${path}/host/forget-credential`, { csrf })
    const location = 'https://git.example.com/new/docs'
    await post(`${path}/host/move`, { csrf, location, token: secret, ref: '' })
    await post(`${path}/host/move`, { csrf, location, token: '', ref: 'next', fork: '' })
    await post(`${path}/context`, { csrf, name: 'product', location, ref: '' })
    expect(made.connected).toEqual([
      { credential: { kind: 'github_app', appId: '1', privateKey: key } },
      { ref: 'HEAD', fork: null, host: 'gitlab' },
      { location: 'git@git.example.com:acme/Hand_Book.git', organizationId: expect.any(String) },
      'forget',
      { location, credential: { kind: 'token', token: secret, username: undefined } },
      { location, ref: 'next', fork: null },
      { name: 'product', location },
    ])
  })

  it('does nothing for a form without the token of the session', async () => {
    const [own, other] = [await world(), await world()]
    const host = ['token', 'app', 'repository', 'move', 'forget-credential', 'check'].map(
      (one) => `host/${one}`,
    )
    const groups = ['general', 'agent', 'limits', 'test-model'].map((one) => `settings/${one}`)
    for (const action of [...host, ...groups, 'context', 'context/remove'])
      expect((await own.post(`${own.path}/${action}`, { csrf: other.csrf, token: secret })).status).toBe(403)
    const added = await own.post('/add-project', {
      csrf: other.csrf,
      location: 'https://git.example.com/a/b',
    })
    expect(added.status).toBe(403)
    expect(own.world.connected).toEqual([])
    for (const page of ['/add-project', own.settings, own.group('host')])
      expect((await own.get(page, '')).headers.get('location')).toBe('/sign-in')
  })

  it('shows context repositories and limits that do not apply, and removes a context repository', async () => {
    const { get, post, csrf, path, group, project, world: made } = await world({ changeNotes: [attack] })
    made.warnings = ['No price is known for a:b']
    const one = { kind: 'https', ref: attack, location: 'https://git.example.com/one' } as const
    const repositories = ['one', 'two'].map((name) => ({ ...one, name }))
    await store().transaction((tx) =>
      updateSettings(tx, project.id, () => ({ model: 'builtin', contextRepositories: repositories })),
    )
    expect(await (await get(group('limits'))).text()).toMatch(/name="cost"[^]*No price is known for a:b/)
    const page = await (await get(group('agent'))).text()
    expect(page).toContain('@two')
    expect(page).not.toContain('<script>alert')
    await post(`${path}/context/remove`, { csrf, name: 'one' })
    await post(`${path}/context/remove`, { csrf, name: 'one' })
    const left = async () => (await findProject(store().db, project.id))?.settings
    expect(await left()).toEqual({ model: 'builtin', contextRepositories: [repositories[1]] })
    await post(`${path}/context/remove`, { csrf, name: 'two' })
    expect(await left()).toEqual({ model: 'builtin' })
    expect(await (await get(group('agent'))).text()).toContain('None yet. Add the repository of the product')
  })

  it('saves what shapes the assistant, and shows what the repository asks for as text', async () => {
    const { get, post, csrf, group, path, project } = await world()
    const settings = group('assistant')
    const read = async () => (await findProject(store().db, project.id))?.settings
    const shaped = {
      assistantInstructions: 'Be brief.\nBe kind.',
      assistantStarters: ['How do I begin?', '/guides How do I go on?'],
      assistantRefuse: ['prices'],
      assistantContact: 'Support https://example.com/help',
    }
    const lines = (list: string[]) => list.join('\r\n')
    const fields = {
      ...shaped,
      assistantInstructions: 'Be brief.\r\nBe kind.',
      assistantStarters: lines(shaped.assistantStarters),
      assistantRefuse: lines(shaped.assistantRefuse),
    }
    await post(settings, { csrf, ...fields })
    expect(await read()).toEqual(shaped)
    const refused = await post(settings, { csrf, ...fields, assistantContact: 'javascript:alert(1)' })
    expect(refused.status).toBe(400)
    expect(await refused.text()).toContain('must be an email address or an https address')
    // As a form that was loaded before the server was updated.
    await post(settings, { csrf, labels: '' })
    expect(await read()).toEqual(shaped)
    const empty = Object.fromEntries(Object.keys(shaped).map((name) => [name, '']))
    await post(settings, { csrf, ...empty })
    expect(await read()).toEqual({})

    const file = { path: '.docwright/assistant.md', commit: 'abc', problems: [attack] }
    await store()
      .db.updateTable('projects')
      .set({ assistant_file: json({ ...file, guidance: { instructions: attack, refuse: [attack] } }) })
      .where('id', '=', project.id)
      .execute()
    for (const shown of [settings, path]) {
      const page = await (await get(shown)).text()
      expect(page).not.toContain('<script>alert')
      expect(page).toContain('.docwright/assistant.md')
    }
  })

  it('saves how pull requests are opened, and keeps settings that the form did not have', async () => {
    const { get, post, csrf, group, project } = await world()
    const settings = group('agent')
    const read = async () => (await findProject(store().db, project.id))?.settings
    await post(settings, {
      csrf,
      labels: 'docs, by agent,,docs',
      reviewers: '@ann',
      draft: 'yes',
      trusted: 'carol',
    })
    expect(await read()).toEqual({
      pullRequest: { draft: true, labels: ['docs', 'by agent'], reviewers: ['ann'] },
      trusted: ['carol'],
    })
    await post(settings, { csrf, labels: '', reviewers: '', assignees: '', trusted: '' })
    expect(await read()).toEqual({})

    const assistant = group('assistant')
    await post(assistant, { csrf, retentionDays: '0' })
    expect(await (await get(assistant)).text()).toMatch(/name="retentionDays"[^>]*value="0"/)
    await post(assistant, { csrf })
    expect(await read()).toEqual({ retentionDays: 0 })
    await post(assistant, { csrf, retentionDays: '' })
    expect(await read()).toEqual({})

    const local = await createDashboardWorld(store())
    const kept = { pullRequest: { labels: ['kept'] }, trusted: ['kept'] }
    await local.ports.hosts.changeSettings(local.project, kept, { kind: 'operator' })
    const path = `/projects/${local.project.domain}/settings/agent`
    expect(await (await local.get(path)).text()).not.toContain('Labels')
    await local.post(path, { csrf: local.csrf, draft: 'yes' })
    expect((await findProject(store().db, local.project.id))?.settings).toEqual({
      pullRequest: { draft: true, labels: ['kept'] },
      trusted: ['kept'],
    })
  })
})

const host: ShownHost = {
  kind: 'github',
  name: 'GitHub',
  site: 'https://git.example.com',
  path: 'acme/docs',
  forkPath: undefined,
  login: 'robot',
  credential: { of: 'project', kind: 'token' },
  webhook: {
    state: 'active',
    url: 'https://docs.example.com/hosts/1/webhook',
    secret: undefined,
    calledAt: undefined,
  },
  access: undefined,
  notes: [],
  askedAt: new Date(),
  problem: undefined,
  webhookNotes: [],
  changeNotes: [],
}
