import pino from 'pino'
import { expect, it } from 'vitest'
import { createApp } from './app.ts'
import { isOwnPage, refuseOtherSites } from './own-site.ts'

async function ask(headers: Record<string, string>): Promise<'own page' | 'taken' | 'refused'> {
  const publicUrl = () => 'https://docs.example.com/docwright'
  const app = createApp({ log: pino({ level: 'silent' }), publicUrl, isDraining: () => false }, [
    {
      route: { method: 'post', path: '/form', responses: {}, hide: true },
      handle(context) {
        refuseOtherSites(context)
        return Promise.resolve(context.text(isOwnPage(context) ? 'own page' : 'taken'))
      },
    },
  ])
  const response = await app.request('/form', {
    method: 'POST',
    headers: { host: '10.0.0.7:4000', ...headers },
  })
  if (response.status === 403) return 'refused'
  return (await response.text()) === 'own page' ? 'own page' : 'taken'
}

it('believes what browsers say of the page that sends a request', async () => {
  const proxied = { origin: 'https://elsewhere.example.com' }
  expect(await ask({ 'sec-fetch-site': 'same-origin', ...proxied })).toBe('own page')
  expect(await ask({ 'sec-fetch-site': 'none' })).toBe('taken')
  for (const site of ['same-site', 'cross-site'])
    expect(await ask({ 'sec-fetch-site': site, origin: 'https://docs.example.com' })).toBe('refused')
})

it('goes by the origin where browsers say no more, as over plain http', async () => {
  for (const origin of [
    'https://evil.example',
    'http://docs.example.com',
    'http://10.0.0.7:8080',
    'null',
    '',
  ])
    expect([origin, await ask({ origin })]).toEqual([origin, 'refused'])
  for (const origin of ['https://docs.example.com', 'http://10.0.0.7:4000', 'https://10.0.0.7:4000'])
    expect([origin, await ask({ origin })]).toEqual([origin, 'taken'])
  expect(await ask({})).toBe('taken')
  expect(await ask({ 'x-docwright-client': 'widget', origin: 'http://10.0.0.7:4000' })).toBe('own page')
})
