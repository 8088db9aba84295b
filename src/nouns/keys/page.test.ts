import { expect, it } from 'vitest'
import { describeOnStore } from '../../../tests/stores.ts'
import { createDashboardWorld } from '../../../tests/worlds/dashboard-world.ts'
import { findWithKey, type UsedKey } from '../../features/projects/used-key.ts'
import { listKeys, listProjectKeys } from './table.ts'

const attack = '"><img src=x onerror=alert(1)><script>alert(2)</script>'

describeOnStore('the page of keys', (store) => {
  const world = () => createDashboardWorld(store())
  const liveKey = async (secret: string): Promise<UsedKey | undefined> =>
    (await findWithKey(store().db, secret, 'id', ''))?.key

  it('makes keys that work, shows them once, and revokes them', async () => {
    const { get, post, csrf, project } = await world()
    const path = `/projects/${project.domain}/keys`
    const made = await (
      await post(path, {
        csrf,
        kind: 'assistant',
        name: attack,
        origins: 'https://A.example/\nhttp://localhost:3000',
        expiresInDays: '30',
      })
    ).text()
    const secret = /svc_dsc_[0-9A-Za-z]{43}/.exec(made)?.[0] ?? ''
    const key = await liveKey(secret)
    expect(key).toMatchObject({
      kind: 'assistant',
      projectId: project.id,
      origins: ['https://a.example', 'http://localhost:3000'],
    })
    const [listed] = (await listProjectKeys(store().db, project)).filter(({ id }) => id === key?.id)
    expect(listed?.expiresAt?.getTime()).toBeGreaterThan(Date.now() + 29 * 86_400_000)
    const admin = await (await post(path, { csrf, kind: 'admin', name: 'CI' })).text()
    expect(await liveKey(/svc_[0-9A-Za-z]{43}/.exec(admin)?.[0] ?? '')).toMatchObject({
      kind: 'admin',
      projectId: undefined,
    })
    const list = await (await get(path)).text()
    expect(list).toContain(project.id)
    expect(list).toContain(`…${secret.slice(-4)}`)
    expect(list).not.toContain(secret)
    expect(list).not.toContain('<script>alert')
    expect((await post(`${path}/revoke`, { csrf, id: key?.id ?? '' })).status).toBe(303)
    expect(await liveKey(secret)).toBeUndefined()
    for (const bad of [
      { kind: 'root' },
      { kind: 'assistant', origins: 'https://a.example/path' },
      { kind: 'assistant', origins: 'javascript:1' },
      { kind: 'assistant', origins: `https://${'a'.repeat(254)}` },
      { kind: 'admin', expiresInDays: '0' },
      { kind: 'admin', name: 'x'.repeat(201) },
      { kind: 'admin', name: 'a\0b' },
    ])
      expect((await post(path, { csrf, ...bad })).status).toBe(400)
  })

  it('makes a key for the widget of sites, and takes no words for their addresses', async () => {
    const { post, csrf, project } = await world()
    const path = `/projects/${project.domain}/widget`
    const give = async (origin: string) => post(path, { csrf, origin })
    for (const bad of ['', 'my site', 'ftp://docs.example.com', 'https://', 'docs.example.com and others'])
      expect([bad, (await give(bad)).status]).toEqual([bad, 400])
    expect((await listKeys(store().db, [project.organizationId])).length).toBe(0)
    const page = await give('docs.example.com/start?x=1, http://wiki, localhost:3000 http://[::1]:80')
    const [, secret = ''] = /data-key=&quot;(svc_dsc_\w+)/.exec(await page.text()) ?? []
    expect((await liveKey(secret))?.origins).toEqual([
      'https://docs.example.com',
      'http://wiki',
      'http://localhost:3000',
      'http://[::1]',
    ])
  })

  it('says where a widget leads readers who could not open the pages of this server', async () => {
    const { get, post, csrf, project } = await world()
    const told = async () => (await get(`/projects/${project.domain}/widget`)).text()
    expect(await told()).toContain('Set your site URL')
    await post(`/projects/${project.domain}/settings/general`, { csrf, site: 'https://docs.example.com' })
    expect(await told()).not.toContain('Set your site URL')
  })

  it('revokes no key of another project', async () => {
    const one = await world()
    const other = await world()
    const made = await (
      await other.post(`/projects/${other.project.domain}/keys`, { csrf: other.csrf, kind: 'admin' })
    ).text()
    const secret = /svc_[0-9A-Za-z]{43}/.exec(made)?.[0] ?? ''
    const id = (await liveKey(secret))?.id ?? ''
    expect(
      (await one.post(`/projects/${one.project.domain}/keys/revoke`, { csrf: one.csrf, id })).status,
    ).toBe(404)
    expect(await liveKey(secret)).toBeDefined()
  })
})
