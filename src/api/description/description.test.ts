import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { z } from '@hono/zod-openapi'
import { everyEndpoint } from '../../../tests/every-endpoint.ts'
import { isRecord } from '../../lib/is-record.ts'
import { namedSchemas } from './named-schemas.ts'
import { makePortable, toOpenApi30 } from './portable.ts'

const document: unknown = JSON.parse(await readFile('openapi.json', 'utf8'))

/** Every object of the document with the path to it. */
function* objectsIn(node: unknown, path = ''): Generator<[path: string, Record<string, unknown>]> {
  if (typeof node !== 'object' || node === null) return
  if (isRecord(node)) yield [path, node]
  for (const [key, value] of Object.entries(node)) yield* objectsIn(value, `${path}/${key}`)
}

const objects = [...objectsIn(document)]

it('has patterns that every language reads, and that their examples match', () => {
  const patterns = objects.flatMap(([path, { pattern, example }]) =>
    typeof pattern === 'string' ? [{ path, pattern, example }] : [],
  )
  expect(patterns.length).toBeGreaterThan(20)
  for (const { path, pattern, example } of patterns) {
    // Go repeats at most 1,000 times, and knows neither what stands around nor \u.
    const longest = Math.max(
      0,
      ...[...pattern.matchAll(/\{(?:\d+,)?(\d+)\}/g)].map(([, times]) => Number(times)),
    )
    expect([path, /^\^.*\$$/.test(pattern), /\\[pPu]|\(\?[^:]/.test(pattern), longest <= 1000]).toEqual([
      path,
      true,
      false,
      true,
    ])
    expect([path, typeof example]).toEqual([path, 'string'])
    for (const flags of ['', 'u']) expect(example).toMatch(new RegExp(pattern, flags))
  }
})

it('registers a name once', () => {
  expect(() => namedSchemas(everyEndpoint().map(({ route }) => route))).not.toThrow()
  const answer = (schema: z.ZodType) => ({ description: '', content: { 'application/json': { schema } } })
  const two = { 200: answer(z.object({ a: z.int() }).openapi('X')), 201: answer(z.string().openapi('X')) }
  expect(() => namedSchemas([{ method: 'get', path: '/', responses: two }])).toThrow('the name X')
})

it('takes the use of a name that makes it nullable for that use alone', () => {
  const host = z.object({ a: z.int() }).openapi('X')
  const schema = z.object({ one: host.nullable() }).openapi('Y')
  const named = namedSchemas([
    {
      method: 'get',
      path: '/',
      responses: { 200: { description: '', content: { 'application/json': { schema } } } },
    },
  ])
  expect([...named]).toEqual([
    ['X', host],
    ['Y', schema],
  ])
  const reference = { $ref: '#/components/schemas/X' }
  const use = { allOf: [reference, { type: ['object', 'null'], description: 'Or nothing.' }] }
  expect(makePortable(use)).toEqual({ anyOf: [reference, { type: 'null' }], description: 'Or nothing.' })
  expect(toOpenApi30(makePortable(use))).toEqual({
    nullable: true,
    allOf: [reference],
    description: 'Or nothing.',
  })
})

it('has no form that generators read in different ways', () => {
  for (const [path, schema] of objects) {
    const { oneOf, anyOf, type, format, discriminator } = schema
    expect([path, 'exclusiveMinimum' in schema]).toEqual([path, false])
    if (type === 'integer' || type === 'number') {
      expect([path, format]).toEqual([path, expect.any(String)])
      // Java of a list of numbers does not compile.
      expect([path, 'enum' in schema]).toEqual([path, false])
    }
    // A choice is either one of named objects, told apart by a field, or whether there is anything.
    if (Array.isArray(oneOf)) expect([path, discriminator !== undefined]).toEqual([path, true])
    if (Array.isArray(anyOf)) expect([path, anyOf.length, anyOf[1]]).toEqual([path, 2, { type: 'null' }])
  }
})

it('says in words what a field without a value means, which typed clients would ask for or always send', () => {
  const fields = objects.flatMap(([path, { properties }]) =>
    isRecord(properties) ? Object.entries(properties).map(([name, field]) => ({ path, name, field })) : [],
  )
  expect(fields.filter(({ field }) => isRecord(field) && 'default' in field)).toEqual([])
  expect(
    fields.find(({ path, name }) => path.endsWith('/SearchQuery') && name === 'pageSize')?.field,
  ).toEqual(expect.objectContaining({ description: 'Sections to return. Default: `10`.' }))
})

it('describes an object with fields that occurs twice once, by a name', () => {
  const places = new Map<string, string[]>()
  for (const [path, { description: _, ...schema }] of objects) {
    if (/^\/components\/schemas\/\w+$/.test(path) || !isRecord(schema['properties'])) continue
    if (Object.keys(schema['properties']).length < 2) continue
    const text = JSON.stringify(schema)
    places.set(text, [...(places.get(text) ?? []), path])
  }
  expect([...places.values()].filter((paths) => paths.length > 1)).toEqual([])
})

it('says of each operation, group and named schema what it is, and of each answer which headers it has', () => {
  const described = z
    .object({
      tags: z.array(z.object({ name: z.string(), description: z.string().min(1) })),
      components: z.object({
        schemas: z.record(z.string(), z.looseObject({ description: z.string().min(1) })),
      }),
      paths: z.record(
        z.string(),
        z.record(
          z.string(),
          z.looseObject({
            description: z.string().min(1),
            responses: z.record(
              z.string(),
              z.looseObject({ headers: z.looseObject({ 'X-Request-Id': z.unknown() }) }),
            ),
          }),
        ),
      ),
    })
    .safeParse(document)
  expect(described.error?.issues).toBeUndefined()
})

it('has every reference that it makes', () => {
  const references = objects.flatMap(([, { $ref }]) => (typeof $ref === 'string' ? [$ref] : []))
  expect(references.length).toBeGreaterThan(500)
  const paths = new Set(objects.map(([path]) => path))
  expect(references.filter((one) => !paths.has(one.slice(1)))).toEqual([])
})
