import { expect, it } from 'vitest'
import { describeOnStore } from '../../../tests/stores.ts'
import { listMessages, listWebhooks } from './table.ts'
import { createDashboardWorld } from '../../../tests/worlds/dashboard-world.ts'

describeOnStore('webhook pages', (store) => {
  it('adds a webhook, shows its secret once, tests, resends and removes it', async () => {
    const { get, post, csrf, project } = await createDashboardWorld(store())
    const path = `/projects/${project.domain}/webhooks`
    expect(await (await get(path)).text()).toContain('None yet')
    const url = 'https://example.com/hooks?a="><script>alert(1)</script>'
    const made = await post(path, { csrf, url, events: 'job.failed' })
    const secret = /whsec_[\w+/]{43}=/.exec(await made.text())?.[0] ?? ''
    const [webhook] = await listWebhooks(store().db, project.id)
    expect(webhook?.events).toEqual(['job.failed'])
    expect(secret).not.toBe('')
    const one = `${path}/${webhook?.id}`
    expect((await post(`${one}/test`, { csrf })).headers.get('location')).toBe(`${one}?done=sent`)
    const [message] = (await listMessages(store().db, webhook?.id ?? '', { limit: 1 })).messages
    expect((await post(`${one}/messages/${message?.id}/resend`, { csrf })).status).toBe(303)
    for (const shown of [path, one]) {
      const text = await (await get(shown)).text()
      expect(text).toContain('example.com/hooks')
      expect(text).not.toContain(secret)
      expect(text).not.toContain('<script>alert')
    }
    expect(await (await get(one)).text()).toContain('webhook.test')
    expect((await post(`${one}/remove`, { csrf })).headers.get('location')).toBe(`${path}?done=removed`)
    expect((await get(one)).status).toBe(404)
  })

  it('does nothing without the token of the session, nor for another project', async () => {
    const [own, other] = [await createDashboardWorld(store()), await createDashboardWorld(store())]
    const url = 'https://example.com/hooks'
    await own.post(`/projects/${own.project.domain}/webhooks`, { csrf: own.csrf, url })
    const [webhook] = await listWebhooks(store().db, own.project.id)
    const tail = `/webhooks/${webhook?.id}`
    for (const act of ['/webhooks', `${tail}/test`, `${tail}/remove`, `${tail}/messages/x/resend`])
      expect(
        (await own.post(`/projects/${own.project.domain}${act}`, { csrf: other.csrf, url })).status,
      ).toBe(403)
    for (const act of ['test', 'remove', 'messages/x/resend'])
      expect(
        (await other.post(`/projects/${other.project.domain}${tail}/${act}`, { csrf: other.csrf })).status,
      ).toBe(404)
    expect((await other.get(`/projects/${other.project.domain}${tail}`)).status).toBe(404)
    expect(await listWebhooks(store().db, own.project.id)).toHaveLength(1)
  })

  it.each([
    { url: 'https://10.0.0.1/' },
    { url: 'http://example.com/' },
    { url: 'https://example.com/', events: 'job.x' },
  ])('answers 400 to %j', async (fields) => {
    const { post, csrf, project } = await createDashboardWorld(store())
    expect((await post(`/projects/${project.domain}/webhooks`, { csrf, ...fields })).status).toBe(400)
  })

  it('makes keys with scopes and addresses, and shows them', async () => {
    const { get, post, csrf, project } = await createDashboardWorld(store())
    const path = `/projects/${project.domain}/keys`
    const fields = { csrf, kind: 'admin', scopes: 'jobs:read', addresses: '203.0.113.0/24\n2001:db8::1' }
    expect((await post(path, fields)).status).toBe(200)
    const list = await (await get(path)).text()
    for (const limit of ['jobs:read', '203.0.113.0/24, 2001:db8::1'])
      expect(list).toContain(`<small class="muted">${limit}</small>`)
    expect((await post(path, { ...fields, scopes: 'search' })).status).toBe(400)
    expect((await post(path, { ...fields, addresses: 'example.com' })).status).toBe(400)
  })
})
