import { describe, expect, it } from 'vitest'
import { docsApp, fakeDocs } from '../../../../../tests/assistant-server.ts'
import type { RecordedSearch } from '../../../../features/assistant/insights/searches.ts'

describe('POST /discovery/v1/search/{domain}', () => {
  it('returns results best first, limited by number and score', async () => {
    const assistant = fakeDocs()
    const search = async (body: object): Promise<unknown> => {
      const request = { method: 'POST', body: JSON.stringify(body) }
      return (await docsApp(assistant).request('/discovery/v1/search/docs', request)).json()
    }
    const filter = { language: 'en', version: null, groups: ['a'], tag: 'cli', unknown: 1 }
    const [first, second] = [
      {
        content: 'Run npm install thing. More at https://elsewhere.example/x',
        path: 'guides/install',
        metadata: {
          title: 'Installation',
          description: '',
          file: 'docs/guides/install.md',
          url: 'https://docs.example.com/guides/install#linux',
          heading: 'Install on Linux',
          language: null,
          version: null,
          score: 0.9,
        },
      },
      expect.objectContaining({ path: 'guides/limits' }),
    ]
    expect(await search({ query: ' install ', filter })).toEqual([first, second])
    expect(await search({ query: 'install', pageSize: 1 })).toEqual([first])
    expect(await search({ query: 'install', scoreThreshold: 0.5 })).toEqual([first])
    expect(assistant.searched[0]).toMatchObject({
      query: 'install',
      limit: 10,
      filter: { language: 'en', version: undefined, groups: ['a'], tag: 'cli' },
    })
    // Who names no groups is in none.
    expect(assistant.searched[1]?.filter).toMatchObject({ groups: [] })
  })

  it('records what was searched, by whom, and what came of it', async () => {
    const recorded: RecordedSearch[] = []
    const app = docsApp(fakeDocs(), (search) => recorded.push(search))
    const body = JSON.stringify({ query: ' install ', scoreThreshold: 0.5, fp: 'ann' })
    const headers = { 'x-docwright-client': 'widget', origin: 'https://docs.example.com' }
    await app.request('/discovery/v1/search/docs', { method: 'POST', body, headers })
    await app.request('/discovery/v1/search/docs', { method: 'POST', body: '{}' })
    expect(recorded).toEqual([
      {
        projectId: 'prj_docs',
        query: 'install',
        results: 1,
        confidence: expect.any(Number),
        caller: 'widget',
        fp: 'ann',
        milliseconds: expect.any(Number),
      },
    ])
  })

  it.each([
    {},
    { query: '' },
    { query: ' ' },
    { query: 1 },
    { query: 'x'.repeat(2001) },
    { query: 'q', pageSize: 0 },
    { query: 'q', pageSize: 51 },
    { query: 'q', pageSize: 1.5 },
    { query: 'q', scoreThreshold: 'high' },
    { query: 'q', scoreThreshold: 5 },
    { query: 'q', scoreThreshold: -0.1 },
    { query: 'q', filter: { tag: 1 } },
    { query: 'q', filter: 'en' },
    { query: 'q', filter: { groups: 'a' } },
  ])('refuses %j', async (body) => {
    const response = await docsApp(fakeDocs()).request('/discovery/v1/search/docs', {
      method: 'POST',
      body: JSON.stringify(body),
    })
    expect(response.status).toBe(400)
    expect(await response.json()).toEqual({ error: expect.any(String) })
  })
})
