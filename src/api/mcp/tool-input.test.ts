import { expect, it } from 'vitest'
import { z } from 'zod'
import { toolInput } from './tool-input.ts'

const input = toolInput(
  z.object({
    name: z.string().min(1).max(2000).describe('A name.'),
    limit: z.int().min(1).max(20).default(8).describe('How many.'),
    after: z.int().min(0).optional(),
    kind: z.enum(['a', 'b']).nullish().describe('Which kind.'),
    filter: z
      .object({ tag: z.string().nullish(), groups: z.array(z.string()).max(3).nullish() })
      .nullish()
      .transform((filter) => filter ?? {}),
  }),
)

const check = async (value: unknown): Promise<unknown> => {
  const result = await input['~standard'].validate(value)
  return result.issues ? result.issues.map(({ path }) => path) : result.value
}

it.each([null, '', '  '])('takes %j for absence where a key may be absent', async (empty) => {
  const filled = { limit: empty, after: empty, kind: empty, filter: { tag: empty, groups: empty } }
  expect(await check({ name: 'x', ...filled })).toEqual({ name: 'x', limit: 8, filter: {} })
  expect(await check({ name: 'x', filter: empty })).toEqual({ name: 'x', limit: 8, filter: {} })
})

it('leaves what must be given, and what is wrong, to the check', async () => {
  expect(await check({ name: null })).toEqual([['name']])
  expect(await check({ name: '', limit: 21, kind: 'c' })).toEqual([['name'], ['limit'], ['kind']])
  expect(await check(null)).toEqual([[]])
  expect(await check({ name: 'x', __proto__: null, other: null })).toEqual({
    name: 'x',
    limit: 8,
    filter: {},
  })
})

it('says in words what it does not say in keywords', () => {
  expect(input['~standard'].jsonSchema.input({ target: 'draft-2020-12' })).toEqual({
    type: 'object',
    required: ['name'],
    additionalProperties: false,
    properties: {
      name: { type: 'string', description: 'A name. Up to 2,000 characters.' },
      limit: {
        anyOf: [{ type: 'integer' }, { type: 'null' }],
        description: 'How many. 1 to 20. Default: 8.',
      },
      after: { anyOf: [{ type: 'integer' }, { type: 'null' }], description: '0 or more.' },
      kind: {
        anyOf: [{ type: 'string', enum: ['a', 'b'] }, { type: 'null' }],
        description: 'Which kind.',
      },
      filter: {
        anyOf: [
          {
            type: 'object',
            required: [],
            additionalProperties: false,
            properties: {
              tag: { anyOf: [{ type: 'string' }, { type: 'null' }] },
              groups: {
                anyOf: [{ type: 'array', items: { type: 'string' } }, { type: 'null' }],
                description: 'Up to 3.',
              },
            },
          },
          { type: 'null' },
        ],
      },
    },
  })
})
