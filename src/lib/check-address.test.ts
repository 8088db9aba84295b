import { expect, it } from 'vitest'
import { createCheckAddress } from './check-address.ts'

function check(
  address: string,
  { found = [] as string[], environment = {}, isNamed = false } = {},
): Promise<string[] | undefined> {
  const ports = { isNamed: async () => isNamed, resolveName: async () => found, environment }
  return createCheckAddress(ports)(new URL(address))
}

it('returns the addresses of a public name', async () => {
  const found = ['93.184.216.34', '2606:2800:220:1::1']
  expect(await check('https://git.example.com/a', { found })).toEqual(found)
})

it.each([
  ['https://git.example.com/a', ['93.184.216.34', '127.0.0.1']],
  ['https://git.example.com/a', ['169.254.169.254']],
  ['https://git.example.com/a', ['::1']],
  ['https://git.example.com/a', []],
  ['https://10.0.0.1/a', []],
  ['https://[::1]/a', []],
])('refuses %s at %j', async (address, found) => {
  await expect(check(address, { found })).rejects.toMatchObject({ code: 'invalid' })
})

it('lets connections to a named site go where its name leads', async () => {
  expect(await check('https://10.0.0.1/a', { isNamed: true })).toBeUndefined()
})

it('leaves names to a proxy, but no private address', async () => {
  const environment = { HTTPS_PROXY: 'http://proxy:3128' }
  const inside = { found: ['10.0.0.1'], environment }
  expect(await check('https://git.example.com/a', inside)).toBeUndefined()
  expect(await check('https://93.184.216.34/a', inside)).toBeUndefined()
  await expect(check('https://10.0.0.1/a', inside)).rejects.toMatchObject({ code: 'invalid' })
  // The proxy is for https only.
  await expect(check('http://git.example.com/a', inside)).rejects.toMatchObject({ code: 'invalid' })
})
