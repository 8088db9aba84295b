import { expect, it } from 'vitest'
import { mayBeDescription, readDescription } from './description.ts'
import { operationsOf } from './operations.ts'
import { writeOperation } from './write-operation.ts'

async function read(files: Record<string, string>, path = 'api.yaml') {
  return readDescription(path, files[path] ?? '', async (one) => files[one])
}

/** The text of the first operation. */
async function written(files: Record<string, string>, path?: string): Promise<string> {
  const description = await read(files, path)
  const [operation] = description ? operationsOf(description) : []
  return description && operation ? writeOperation(description, operation) : ''
}

const shop = `openapi: 3.1.0
info: { title: Shop API, version: '1' }
servers: [{ url: https://api.example.com/v1/ }]
security: [{ token: [] }]
components:
  securitySchemes:
    token: { type: http, scheme: bearer, description: A key of the dashboard. }
  schemas:
    Order:
      allOf:
        - $ref: '#/components/schemas/Base'
        - type: object
          required: [items]
          properties:
            items: { type: array, items: { $ref: '#/components/schemas/Item' } }
            status: { type: string, enum: [open, paid], default: open }
            parent: { $ref: '#/components/schemas/Order' }
            secret: { type: string, writeOnly: true }
    Base:
      properties: { id: { type: string, format: uuid, readOnly: true, description: The order's id. } }
    Item:
      type: object
      properties:
        sku: { type: string, maxLength: 40 }
        note: { type: [string, 'null'] }
        payment:
          oneOf:
            - { title: Card, type: object, properties: { number: { type: string } } }
            - { title: Invoice, type: object, properties: { address: { type: string } } }
paths:
  /orders/{shop}:
    parameters:
      - { name: shop, in: path, required: true, description: The shop's name., schema: { type: string } }
    post:
      summary: Create an order
      description: "Creates an order.\\n\\n<b>Paid</b> orders of {shop} cannot be changed. Use \`{id}\` later."
      parameters:
        - { name: dry, in: query, schema: { type: boolean, default: false }, description: Only a | trial. }
      requestBody:
        required: true
        content:
          application/json:
            schema: { $ref: '#/components/schemas/Order' }
            example: { items: [{ sku: A1 }] }
      responses:
        '201': { description: Created, content: { application/json: { schema: { $ref: '#/components/schemas/Order' } } } }
        '400': { $ref: '#/components/responses/Bad' }
        '404': { $ref: 'errors.yaml#/Missing' }
`

it('writes an operation with its parameters, bodies, errors and authorization', async () => {
  const text = await written({
    'api.yaml': shop,
    'errors.yaml':
      'Missing:\n  description: No such shop\n  content:\n    application/json:\n      schema: { properties: { error: { type: string } } }\n',
  })
  expect(text).toBe(`Create an order: \`POST https://api.example.com/v1/orders/{shop}\`

Creates an order.

Paid orders of \\{shop\\} cannot be changed. Use \`{id}\` later.

## Authorization

- \`token\` (HTTP bearer token in the header \`Authorization\`): A key of the dashboard.

## Path parameters

| Name | Type | Required | Description |
| --- | --- | --- | --- |
| \`shop\` | string | yes | The shop's name. |

## Query parameters

| Name | Type | Required | Description |
| --- | --- | --- | --- |
| \`dry\` | boolean | no | Only a \\| trial. Default \`false\`. |

## Request body

Fields to send, as \`application/json\`, required:

- \`items\` array of Item, required
  - \`sku\` string: Maximum length \`40\`.
  - \`note\` string or null
  - \`payment\` object
    - Either Card: object
      - \`number\` string
    - Or Invoice: object
      - \`address\` string
- \`status\` string: One of \`open\`, \`paid\`. Default \`open\`.
- \`parent\` Order
- \`secret\` string

Example:

\`\`\`json
{
  "items": [
    {
      "sku": "A1"
    }
  ]
}
\`\`\`

## Response 201

Created

The call returns these fields, as \`application/json\`:

- \`id\` string (uuid), read-only: The order's id.
- \`items\` array of Item, required
  - \`sku\` string: Maximum length \`40\`.
  - \`note\` string or null
  - \`payment\` object
    - Either Card: object
      - \`number\` string
    - Or Invoice: object
      - \`address\` string
- \`status\` string: One of \`open\`, \`paid\`. Default \`open\`.
- \`parent\` Order

## Errors

- \`400\`
- \`404\`: No such shop

Body of \`404\`:

The call returns these fields, as \`application/json\`:

- \`error\` string`)
})

it('reads version 2, where bodies are parameters', async () => {
  const text = await written(
    {
      'swagger.json': JSON.stringify({
        swagger: '2.0',
        host: 'petstore.example.com',
        basePath: '/v2',
        schemes: ['https'],
        securityDefinitions: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } },
        definitions: {
          Pet: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } },
        },
        paths: {
          '/pets': {
            post: {
              operationId: 'addPet',
              security: [{ key: [] }],
              parameters: [
                { in: 'body', name: 'body', required: true, schema: { $ref: '#/definitions/Pet' } },
                { in: 'query', name: 'limit', type: 'integer', description: 'How many.', default: 10 },
              ],
              responses: {
                200: {
                  description: 'The pets',
                  schema: { type: 'array', items: { $ref: '#/definitions/Pet' } },
                  examples: { 'application/json': [{ name: 'Rex' }] },
                },
                default: { description: 'Trouble' },
              },
            },
          },
        },
      }),
    },
    'swagger.json',
  )
  expect(text).toContain('addPet: `POST https://petstore.example.com/v2/pets`')
  expect(text).toContain('- `key` (API key in the header `X-Key`)')
  expect(text).toContain('| `limit` | integer | no | How many. Default `10`. |')
  expect(text).toContain('## Request body\n\nFields to send, required:\n\n- `name` string, required')
  expect(text).toContain(
    'The call returns these fields:\n\narray of Pet:\n\n- `name` string, required\n\nExample:\n\n```json\n[\n  {\n    "name": "Rex"',
  )
  expect(text).toContain('- `default`: Trouble')
})

it('takes no other text for a description', async () => {
  for (const text of [
    '',
    '{}',
    '{"openapi": "3.0.0"}',
    '{"openapi": "3.0.0", "paths": {',
    '{"scripts": {"openapi": "generate"}, "paths": {}}',
    'openapi: 3.0.0\n',
    'openapi: yes\npaths: {}\n',
    'plugins:\n  openapi: 3.0.0\n  paths: {}\n',
  ])
    expect(await read({ 'api.yaml': text })).toBeUndefined()
  expect(await read({ 'api.yaml': '{"paths": {}, "openapi": "3.0.0"}' })).toBeDefined()
  expect(
    [
      'api.yaml',
      'a/openapi.json',
      '.github/api.yml',
      'tests/fixtures/api.yaml',
      'api.md',
      'node_modules/a/openapi.json',
    ].filter(mayBeDescription),
  ).toEqual(['api.yaml', 'a/openapi.json'])
})

it('follows references to files of the repository, and to nothing else', async () => {
  const asked: string[] = []
  const main = `openapi: 3.0.0
paths:
  /a:
    $ref: ./paths/a.yaml#/item
  /b:
    get: { responses: { '200': { $ref: 'https://example.com/x.yaml#/y' } } }
  /c:
    get: { responses: { '200': { $ref: '../../../etc/passwd#/y' } } }
`
  const files: Record<string, string> = {
    'docs/api.yaml': main,
    'docs/paths/a.yaml':
      'item:\n  get: { summary: A, responses: { "200": { $ref: "../shared/ok.json#/ok" } } }\n',
    'docs/shared/ok.json': '{"ok": {"description": "All is well"}}',
  }
  const description = await readDescription('docs/api.yaml', main, async (path) => {
    asked.push(path)
    return files[path]
  })
  if (!description) throw new Error('no description')
  expect(asked).toEqual(['docs/paths/a.yaml', 'docs/shared/ok.json'])
  expect(description.files).toEqual(asked)
  const operations = operationsOf(description)
  expect(operations.map(({ key }) => key)).toEqual(['GET /a', 'GET /b', 'GET /c'])
  expect(operations.map((one) => writeOperation(description, one))[0]).toContain('All is well')
})

it('outlives descriptions that are made to take for ever', async () => {
  const laughs = Array.from(
    { length: 30 },
    (_, n) => `a${n}: &a${n} [${`*a${n - 1}, `.repeat(n && 9)}]\n`,
  ).join('')
  const example =
    'openapi: 3.0.0\npaths: { /x: { get: { requestBody: { content: { a/json: { example: *a29 } } } } } }\n'
  expect((await written({ 'api.yaml': `${laughs}${example}` })).length).toBeLessThan(5000)
  expect(await read({ 'api.yaml': `${laughs.replace('[]', '[x]')}${example}` })).toBeUndefined()

  const deep = `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`
  const nested = `{"openapi":"3.0.0","paths":{"/x":{"get":{"requestBody":{"content":{"a/json":{"example":${deep}}}}}}}}`
  expect(await written({ 'api.yaml': nested })).toMatch(/^`GET \/x`/)

  const doubled = Object.fromEntries(
    Array.from({ length: 60 }, (_, n) => [
      `S${n}`,
      {
        allOf: [{ $ref: `#/components/schemas/S${n + 1}` }, { $ref: `#/components/schemas/S${n + 1}` }],
        properties: Object.fromEntries(
          Array.from({ length: 20 }, (_, field) => [`p${field}`, { $ref: `#/components/schemas/S${n + 1}` }]),
        ),
      },
    ]),
  )
  const either = { oneOf: [{ oneOf: [{ $ref: '#/components/schemas/Either' }] }, { type: 'string' }] }
  const circle = { $ref: '#/components/schemas/Circle' }
  const text = await written({
    'api.yaml': JSON.stringify({
      openapi: '3.0.0',
      components: { schemas: { ...doubled, Circle: circle, Either: either } },
      paths: {
        '/x': {
          get: {
            responses: {
              200: { content: { 'a/json': { schema: { $ref: '#/components/schemas/S0' } } } },
              202: { content: { 'a/json': { schema: either } } },
              201: { content: { 'a/json': { schema: circle } } },
            },
          },
        },
      },
    }),
  })
  expect(text.length).toBeLessThan(100_001)
  expect(text).toContain('the description has more fields')
})

it('reads only what a description says itself', async () => {
  const text = await written({
    'api.yaml': `{"openapi":"3.0.0","paths":{"/x":{"get":{"parameters":[{"in":"query","name":"__proto__","schema":{"type":"string"}}],
      "responses":{"200":{"content":{"a/json":{"schema":{"properties":{"__proto__":{"type":"integer"},"constructor":{"$ref":"#/toString"}}}}}}}}}}}`,
  })
  expect(text).toContain('| `__proto__` | string | no |')
  expect(text).toContain('- `__proto__` integer\n- `constructor` any')
})
