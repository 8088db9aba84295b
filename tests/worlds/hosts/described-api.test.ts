import { describe, expect, it } from 'vitest'
import description from './gitea/gitea-swagger.json' with { type: 'json' }
import { describedApi } from './described-api.ts'
import { serveDescribedApi, type ApiAnswer } from './described-server.ts'

async function ask(method: string, path: string, body: unknown, given: ApiAnswer): Promise<void> {
  await using server = await serveDescribedApi(describedApi(description), '/api/v1', () => given)
  const sent = body === undefined ? {} : { body: JSON.stringify(body) }
  await fetch(server.origin + path, { method, headers: { authorization: 'token 1' }, ...sent })
}

const comment = { id: 1, body: 'Please', created_at: '2026-11-21T09:00:00Z' }
const comments = '/api/v1/repos/acme/docs/issues/1/comments'

describe('a server of a described API', () => {
  it('is silent about what is as described', async () => {
    await expect(
      ask('POST', comments, { body: 'Please' }, { status: 201, body: comment }),
    ).resolves.toBeUndefined()
  })

  it.each([
    ['an operation that is not described', 'PUT', comments, { body: 'x' }, 201, comment],
    ['a path that is not described', 'GET', '/api/v1/repos/acme/docs/milestones', undefined, 200, []],
    ['a path outside of the API', 'GET', '/api/v2/repos/acme/docs', undefined, 200, {}],
    ['a query that is not described', 'GET', `${comments}?sort=newest`, undefined, 200, []],
    ['a query of another type', 'GET', `${comments}?since=yesterday`, undefined, 200, []],
    ['a field that is not described', 'POST', comments, { body: 'x', text: 'y' }, 201, comment],
    ['a field that is missing', 'POST', comments, {}, 201, comment],
    ['a status that is not described', 'POST', comments, { body: 'x' }, 200, comment],
    ['an answer of another type', 'POST', comments, { body: 'x' }, 201, { ...comment, id: '1' }],
    ['an answer that is missing', 'POST', comments, { body: 'x' }, 201, undefined],
    ['an answer where there is none', 'DELETE', '/api/v1/repos/acme/docs/hooks/1', undefined, 204, {}],
  ])('fails the test for %s', async (_, method, path, body, status, answer) => {
    await expect(ask(method, path, body, { status, body: answer })).rejects.toThrow('Not as described')
  })

  it('tells of an amendment that the description has by now', () => {
    const amendments = [{ why: 'a user has a name', at: ['definitions', 'User', 'type'], value: 'object' }]
    expect(() => describedApi(description, { amendments })).toThrow('a user has a name')
  })
})
