import { Template } from '@huggingface/jinja'
import { expect, it } from 'vitest'
import { mendRequest } from './mend-request.ts'

/** What chat templates of open models refuse: turns that do not alternate, answers of null, and ids of other forms. */
const strict = new Template(`
{%- if messages[0].role == 'system' -%}{%- set rest = messages[1:] -%}{{ messages[0].content }}
{%- else -%}{%- set rest = messages -%}{%- endif -%}
{%- set turns = namespace(count=0) -%}
{%- for message in rest -%}
  {%- if message.role == 'user' or (message.role == 'assistant' and not message.tool_calls) -%}
    {%- if (message.role == 'user') != (turns.count % 2 == 0) -%}{{ raise_exception('roles must alternate') }}{%- endif -%}
    {%- set turns.count = turns.count + 1 -%}
  {%- endif -%}
  {%- if message.content is none -%}{{ raise_exception('content is null') }}{%- endif -%}
  {%- for call in message.tool_calls or [] -%}
    {%- if call.id | length != 9 -%}{{ raise_exception('ids must have nine signs') }}{%- endif -%}
  {%- endfor -%}
  {%- if message.role == 'tool' and message.tool_call_id | length != 9 -%}{{ raise_exception('ids must have nine signs') }}{%- endif -%}
  [{{ message.role }}]{{ message.content }}
{%- endfor -%}`)

const render = (messages: unknown): string => strict.render({ messages })
const mended = (messages: unknown[]): Record<string, unknown>[] =>
  (
    JSON.parse(mendRequest(JSON.stringify({ model: 'm', messages }))) as {
      messages: Record<string, unknown>[]
    }
  ).messages

const call = (id: string) => ({ id, type: 'function', function: { name: 'read', arguments: '{}' } })

it.each<[string, unknown[]]>([
  [
    'opening, material and prompt',
    [
      { role: 'system', content: 'Rules' },
      { role: 'user', content: 'Opening' },
      { role: 'user', content: 'Prompt' },
    ],
  ],
  [
    'a nudge after results',
    [
      { role: 'user', content: 'Prompt' },
      { role: 'assistant', content: null, tool_calls: [call('call_1'), call('call_2')] },
      { role: 'tool', tool_call_id: 'call_1', content: 'One' },
      { role: 'tool', tool_call_id: 'call_2', content: 'Two' },
      { role: 'user', content: 'Finish' },
    ],
  ],
  [
    'an answer in words before a call',
    [
      { role: 'user', content: 'Prompt' },
      { role: 'assistant', content: 'I will read.' },
      { role: 'assistant', content: null, tool_calls: [call('toolu_01ABC')] },
      { role: 'tool', tool_call_id: 'toolu_01ABC', content: 'One' },
      { role: 'assistant', content: 'Done.' },
      { role: 'user', content: 'More' },
    ],
  ],
])('lets a strict template take %s, with all their words', (_, messages) => {
  expect(() => render(messages)).toThrow(/must|null/)
  const text = render(mended(messages))
  for (const { content } of messages as { content: string | null }[]) expect(text).toContain(content ?? '')
})

it('keeps calls and results together, and ids that are fine or carry a signature', () => {
  const long = `call_1__thought__${'x'.repeat(100)}`
  const ids = ['abcDEF123', 'call_1', long]
  const [, answer, ...results] = mended([
    { role: 'user', content: 'Prompt' },
    { role: 'assistant', content: null, tool_calls: ids.map(call) },
    ...ids.map((id) => ({ role: 'tool', tool_call_id: id, content: id })),
  ])
  const used = ((answer?.['tool_calls'] ?? []) as { id: string }[]).map(({ id }) => id)
  expect(used).toEqual(['abcDEF123', expect.stringMatching(/^[a-z\d]{9}$/), long])
  expect(results.map((result) => result['tool_call_id'])).toEqual(used)
})

it('joins texts with images, but no image to the result of a tool', () => {
  const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } }
  const text = (words: string) => ({ type: 'text', text: words })
  expect(
    mended([
      { role: 'user', content: 'Look' },
      { role: 'user', content: [text('here'), image] },
    ]),
  ).toEqual([{ role: 'user', content: [text('Look'), text('here'), image] }])
  expect(
    mended([
      { role: 'tool', tool_call_id: 'abcDEF123', content: 'One' },
      { role: 'user', content: [image] },
    ]),
  ).toHaveLength(2)
})

it('makes the same prefix of a conversation that goes on', () => {
  const begun = [
    { role: 'user', content: 'Opening' },
    { role: 'user', content: 'Prompt' },
    { role: 'assistant', content: null, tool_calls: [call('call_1')] },
  ]
  const later = [...begun, { role: 'tool', tool_call_id: 'call_1', content: 'One' }]
  expect(mended(later).slice(0, 2)).toEqual(mended(begun))
})
