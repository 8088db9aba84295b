import { expect, it } from 'vitest'
import { siteOf } from '../../../tests/worlds/site.ts'
import { readDescription } from './description.ts'
import { operationPages, sourceFileOf } from './operation-pages.ts'
import { shownOperations } from './shown-operations.ts'

const api = {
  openapi: '3.1.0',
  paths: {
    '/users/{id}': {
      get: { summary: 'Get a user (v2)', tags: ['User Accounts'] },
      put: { tags: ['User Accounts'] },
      patch: { summary: 'Change', 'x-mint': { href: '/reference/change-user' } },
    },
    '/users/id': { get: { summary: "Get a user's name.", tags: ['User Accounts'] } },
    '/again': { get: { summary: 'Get a user (v2)', tags: ['User Accounts'] } },
  },
}

async function addresses(files: Record<string, string>, file: string): Promise<Record<string, string>> {
  const site = await siteOf(files)
  const description = await readDescription(file, files[file] ?? '', async (path) => files[path])
  const pages = description ? operationPages(site, description, new Set()) : []
  return Object.fromEntries(pages.map(({ operation, url }) => [operation.key, url]))
}

it('gives operations the addresses of the pages that Mintlify makes', async () => {
  const files = { 'docs/api.json': JSON.stringify(api), 'docs/index.mdx': '# Home' }
  const navigation = { groups: [{ group: 'API', openapi: 'api.json' }] }
  expect(
    await addresses({ ...files, 'docs/docs.json': JSON.stringify({ navigation }) }, 'docs/api.json'),
  ).toEqual({
    'GET /users/{id}': '/api-reference/user-accounts/get-a-user-v2',
    'PUT /users/{id}': '/api-reference/user-accounts/put-users',
    'PATCH /users/{id}': '/reference/change-user',
    'GET /users/id': '/api-reference/user-accounts/get-a-users-name',
    'GET /again': '/api-reference/user-accounts/get-a-user-v2-1',
  })
})

it('makes the pages of a description that an item of a menu has alone', async () => {
  const navigation = { tabs: [{ tab: 'All', menu: [{ item: 'API', openapi: 'api.json' }] }] }
  const files = { 'api.json': JSON.stringify(api), 'index.mdx': '# Home' }
  const found = await addresses({ ...files, 'docs.json': JSON.stringify({ navigation }) }, 'api.json')
  expect(found['PUT /users/{id}']).toBe('/api-reference/user-accounts/put-users')
})

it('makes pages of the operations that the navigation names, and of no others', async () => {
  const files = { 'api.json': JSON.stringify(api), 'index.mdx': '# Home' }
  const inherited = {
    group: 'API',
    openapi: '/api.json',
    pages: ['index', { group: 'Users', pages: ['get /again'] }],
  }
  const named = { group: 'API', pages: ['index', 'api.json PUT /users/{id}'] }
  const keys = async (group: unknown) =>
    Object.keys(
      await addresses(
        { ...files, 'docs.json': JSON.stringify({ navigation: { groups: [group] } }) },
        'api.json',
      ),
    )
  expect(await keys(inherited)).toEqual(['GET /again'])
  expect(await keys(named)).toEqual(['PUT /users/{id}'])
  expect(await keys({ group: 'API', openapi: 'https://example.com/api.json' })).toHaveLength(5)
})

it('gives operations that no page of the site shows addresses of this server', async () => {
  const files = { 'a b/api.json': JSON.stringify(api), 'README.md': '# Home' }
  const found = Object.values(await addresses(files, 'a b/api.json'))
  expect(found[0]).toBe('/~api/a b/api.json/user-accounts/get-users-id')
  expect(new Set(found).size).toBe(5)
})

it('finds the operations that a page shows', async () => {
  const mintlify = await siteOf({ 'docs/docs.json': '{"navigation": ["index"]}', 'docs/index.mdx': '' })
  const shown = (value: string) =>
    shownOperations(mintlify, 'docs/index.mdx', `---\nopenapi: ${value}\n---\n`)
  expect(shown('GET /users')).toEqual([{ file: undefined, key: 'GET /users' }])
  expect(shown('"/api.yaml  post /users"')).toEqual([{ file: 'docs/api.yaml', key: 'POST /users' }])
  expect(shown('api.yaml webhook orderUpdated')).toEqual([
    { file: 'docs/api.yaml', key: 'webhook orderUpdated' },
  ])
  expect(['api.yaml', '../../api.yaml', '{a: b}'].flatMap(shown)).toEqual([])

  expect(shown('https://x.example/api.yaml GET /users')).toEqual([
    { file: 'https://x.example/api.yaml', key: 'GET /users' },
  ])

  const gitbook = await siteOf({ '.gitbook.yaml': 'root: ./', 'SUMMARY.md': '* [A](a/a.md)', 'a/a.md': '' })
  const block =
    '{% swagger src="../.gitbook/assets/api.yaml" path="/users" method="get" %}\n[api](api.yaml)\n{% endswagger %}'
  expect(shownOperations(gitbook, 'a/a.md', block)).toEqual([
    { file: '.gitbook/assets/api.yaml', key: 'GET /users' },
  ])
})

it('knows the file to edit for a page', () => {
  expect(
    [
      'docs/api.yaml#GET /users/{id}',
      'a.json#webhook orderUpdated',
      'https://x.example/openapi#GET /users',
      'docs/a.md',
      'docs/a#b.md',
      'a.yaml#notes',
    ].map(sourceFileOf),
  ).toEqual([
    'docs/api.yaml',
    'a.json',
    'https://x.example/openapi',
    'docs/a.md',
    'docs/a#b.md',
    'a.yaml#notes',
  ])
})
