import { beforeEach, expect, it } from 'vitest'
import { describeOnBothEngines } from '../../../../tests/stores.ts'
import { createDashboardWorld } from '../../../../tests/worlds/dashboard-world.ts'
import { insertOrganization } from '../../../features/projects/organizations.ts'
import { createSignInLink } from '../../../features/projects/sign-in.ts'

let count = 0

describeOnBothEngines('the first owner', (store) => {
  const link = () => store().transaction((tx) => createSignInLink(tx, 1))
  const newPerson = () => ({
    name: `Person ${++count}`,
    email: `first${count}@example.com`,
    password: 'correct horse battery',
  })

  beforeEach(async () => {
    await store().transaction(async (tx) => {
      await tx.deleteFrom('people').execute()
      await tx.updateTable('organizations').set({ is_default: false }).execute()
      await insertOrganization(tx, 'Default', true)
    })
  })

  it('is made by the first link, once', async () => {
    const { get, post } = await createDashboardWorld(store())
    const token = await link()
    const without = await (await get('/sign-in', '')).text()
    expect(without).toContain('No accounts yet')
    expect(without).not.toContain('type="password"')
    expect(await (await get(`/sign-in?token=${token}`, '')).text()).toContain('Sign in without an account')
    const person = newPerson()
    const refused = await post('/sign-in/owner', { link: token, ...person, password: 'short' }, '')
    expect(refused.status).toBe(400)
    const shown = await refused.text()
    expect(shown).toContain('“Password” must be a password of 10 to 128 characters')
    expect(shown).toContain(person.email)
    expect(shown).not.toContain('value="short"')
    const made = await post('/sign-in/owner', { link: token, ...person }, '')
    expect([made.status, made.headers.get('location')]).toEqual([303, '/'])
    expect(await (await get('/sign-in', '')).text()).toContain('type="password"')
    expect((await get('/people', made.headers.get('set-cookie')?.split(';')[0])).status).toBe(200)
    expect((await post('/sign-in/owner', { link: token, ...newPerson() }, '')).status).toBe(403)
    expect((await post('/sign-in', { token }, '')).status).toBe(403)
    expect((await post('/sign-in/owner', { link: await link(), ...newPerson() }, '')).status).toBe(403)
  })

  it('is one person, also where two use a link at once', async () => {
    const { post } = await createDashboardWorld(store())
    const links = [await link(), await link()]
    const answers = await Promise.all(
      links.map((link) => post('/sign-in/owner', { link, ...newPerson() }, '')),
    )
    expect(answers.map(({ status }) => status).toSorted((left, right) => left - right)).toEqual([303, 403])
    // Whoever was refused may still sign in as the operator.
    const other = links[answers.findIndex(({ status }) => status === 403)] ?? ''
    expect((await post('/sign-in', { token: other }, '')).status).toBe(303)
  })
})
