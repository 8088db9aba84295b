import { expect, it } from 'vitest'
import { checkedFetch } from '../../integrations/forges/http/checked-fetch.ts'
import { createCheckAddress } from '../../lib/check-address.ts'
import { describeOnStore } from '../../../tests/stores.ts'
import { insertProject } from '../../../tests/worlds/project.ts'
import { remoteDescriptions } from './remote-descriptions.ts'

const api = 'openapi: 3.0.0\npaths: {}\n'

describeOnStore('descriptions on the web', (store) => {
  const open = async (fetch: typeof globalThis.fetch | undefined) =>
    remoteDescriptions(store(), await insertProject(store()), {
      fetch,
      stopping: new AbortController().signal,
    })

  it('are fetched by https alone, from public addresses, through few redirects that are checked as well', async () => {
    const called: string[] = []
    const web: typeof fetch = async (input, init) => {
      const url = new URL(new Request(input).url)
      called.push(url.href)
      expect(init?.redirect).toBe('manual')
      if (url.pathname === '/inside') return Response.redirect('https://10.0.0.1/api')
      if (url.pathname === '/plain') return Response.redirect('http://api.example/api')
      if (url.pathname === '/round') return Response.redirect('https://api.example/round')
      if (url.pathname === '/large') return new Response(new Uint8Array(5_000_001))
      return url.pathname === '/moved' ? Response.redirect('https://api.example/api') : new Response(api)
    }
    const checkAddress = createCheckAddress({
      isNamed: async () => false,
      resolveName: async (name) => [name === 'inside.example' ? '192.168.1.4' : '93.184.216.34'],
      environment: {},
    })
    // The check is real; only the connection is not made.
    const checked: typeof fetch = async (input, init) => {
      await checkedFetch(web, async (url) => {
        await checkAddress(url)
        return undefined
      })(input, init)
      return web(input, init)
    }
    const remote = await open(checked)
    const why = async (address: string) => (await remote.get(address)).why
    expect(await remote.get('https://api.example/moved')).toMatchObject({ content: api, why: '' })
    called.length = 0
    expect(await why('https://inside.example/api')).toMatch(/own network/)
    expect(await why('https://127.0.0.1/api')).toMatch(/own network/)
    expect(await why('http://api.example/api')).toMatch(/only https/)
    expect(await why('https://me:secret@api.example/api')).toMatch(/credentials/)
    expect(called).toEqual([])
    expect(await why('https://api.example/inside')).toMatch(/own network/)
    expect(await why('https://api.example/plain')).toMatch(/only https/)
    expect(await why('https://api.example/round')).toMatch(/redirects/)
    expect(await why('https://api.example/large')).toMatch(/larger than 5 MB/)
    expect(called.every((address) => address.startsWith('https://api.example/'))).toBe(true)
  })

  it('are at most twenty for a project', async () => {
    const remote = await open(async () => new Response(api))
    for (let count = 0; count < 20; count++)
      expect((await remote.get(`https://api.example/${count}`)).content).toBe(api)
    expect((await remote.get('https://api.example/one-more')).why).toMatch(/more than 20/)
  })
})
