import { expect, it } from 'vitest'
import { meetNeeds, needIn } from './meet-needs.ts'

it.each([
  ["'dict object' has no attribute 'description'", 'descriptions'],
  ['can only concatenate str (not "NoneType") to str', 'descriptions'],
  ['Cannot perform operation + on undefined values', 'descriptions'],
  ['This model only supports single tool-calls at once!', 'single calls'],
  ['System role not supported', 'no system'],
  ['The description of the request is too long', undefined],
  ["'dict object' has no attribute 'content'", undefined],
])('reads from a refusal what a template needs: %s', (refusal, need) => {
  expect(needIn(JSON.stringify({ error: { message: refusal } }))).toBe(need)
})

it('describes every input of every tool, and leaves what is described as it is', () => {
  const parameters = {
    type: 'object',
    properties: {
      path: { type: 'string', description: 'A path' },
      edits: { type: 'array', items: { type: 'object', properties: { search: { type: 'string' } } } },
      description: { type: 'string' },
    },
  }
  const body = { messages: [], tools: [{ type: 'function', function: { name: 'edit', parameters } }] }
  expect(JSON.parse(meetNeeds(JSON.stringify(body), new Set(['descriptions'])))).toMatchObject({
    tools: [
      {
        function: {
          parameters: {
            properties: {
              path: { description: 'A path' },
              edits: { description: '', items: { properties: { search: { description: '' } } } },
              description: { type: 'string', description: '' },
            },
          },
        },
      },
    ],
  })
})
