import { beforeAll, expect, it } from 'vitest'
import {
  assistantApp,
  cited,
  fakeAssistant,
  insertProject,
  project,
  scriptedModel,
  searchThenSay,
  site,
} from '../../../../../tests/assistant-server.ts'
import { describeOnStore } from '../../../../../tests/stores.ts'
import type { AssistantPorts } from '../../../../features/assistant/ports.ts'

const path = '/discovery/v1/assistant/docs/message'

describeOnStore('POST /discovery/v1/assistant/{domain}/message', (store) => {
  beforeAll(() => insertProject(store()))

  const post = (ports: AssistantPorts, body: unknown) =>
    assistantApp(ports).request(path, { method: 'POST', body: JSON.stringify(body) })
  const promptsOf = async (messages: unknown[]): Promise<string[]> => {
    const model = scriptedModel(() => ({ text: [cited] }))
    const response = await post(fakeAssistant(store(), { modelOf: () => model }), { fp: 'a', messages })
    expect(response.status, await response.text()).toBe(200)
    return (model.doStreamCalls[0]?.prompt ?? []).flatMap(({ role, content }) =>
      role === 'user' || role === 'assistant'
        ? content.flatMap((part) =>
            part.type === 'text' ? [`${role}: ${part.text.replace(/^\(Mat[^]*question:\n\n/, '')}`] : [],
          )
        : [],
    )
  }

  it('says which attachments were not read', async () => {
    const experimental_attachments = [
      { name: 'a.png', contentType: 'image/png', url: 'https://x.example/a.png' },
    ]
    const messages = [{ role: 'user', content: 'How do I install?', experimental_attachments }]
    const text = await (await post(fakeAssistant(store()), { fp: 'a', messages })).text()
    expect(text).toContain('0:"The attached file “a.png” was not read')
  })

  it('streams a line for every frame, records the answer, and names the thread', async () => {
    const messages = [{ role: 'user', content: 'How do I install?' }]
    const response = await post(fakeAssistant(store()), { fp: 'anonymous', messages })
    expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8')
    expect(response.headers.get('x-vercel-ai-data-stream')).toBe('v1')
    const threadId = response.headers.get('x-thread-id') ?? ''
    expect(threadId).toMatch(/^thr_\w{22,}$/)
    const lines = await linesOf(response)
    expect(lines.map(([code]) => code).join('')).toBe('f89aef9aef800e88d')
    expect(lines[0]).toEqual(['f', { messageId: expect.stringMatching(/^msg_/) }])
    expect(lines[5]).toEqual(lines[0])
    expect(lines[1]).toEqual(['8', [{ threadId }]])
    expect(lines[2]).toEqual([
      '9',
      { toolCallId: 'first-search', toolName: 'search', args: { query: 'How do I install?' } },
    ])
    expect(lines[3]).toMatchObject([
      'a',
      {
        toolCallId: 'first-search',
        result: {
          type: 'search',
          results: [
            {
              type: 'search',
              path: 'guides/install',
              metadata: { title: 'Installation', file: 'docs/guides/install.md' },
            },
            {},
          ],
        },
      },
    ])
    expect(lines[10]).toEqual([
      '8',
      [{ source: { url: `${site}/guides/install#linux`, title: 'Installation › Install on Linux' } }],
    ])
    const usage = { promptTokens: null, completionTokens: null }
    expect(lines.slice(-4)).toEqual([
      ['e', { finishReason: 'stop', usage, isContinued: false }],
      ['8', [{ suggestions: ['How much may I send in an hour?'] }]],
      ['8', [{ threadId, outcome: 'answered' }]],
      ['d', { finishReason: 'stop', usage }],
    ])
    const recorded = await store()
      .db.selectFrom('messages')
      .select(['text', 'outcome'])
      .where('project_id', '=', project.id)
      .where('thread_id', '=', threadId)
      .orderBy('n')
      .execute()
    expect(recorded).toEqual([
      { text: 'How do I install?', outcome: null },
      { text: `${cited}Then start it.`, outcome: 'answered' },
    ])
  })

  it('ends with an error line when the answer breaks off', async () => {
    const model = scriptedModel(() => ({ text: [cited], ending: new Error('key sk-1') }))
    const messages = [{ role: 'user', content: 'q' }]
    const lines = await linesOf(
      await post(fakeAssistant(store(), { modelOf: () => model }), { fp: 'a', messages }),
    )
    expect(lines.at(-1)).toEqual(['3', 'The assistant couldn’t complete this answer. Try again in a moment'])
    expect(lines.at(-2)).toMatchObject(['e', {}])
    expect(JSON.stringify(lines)).not.toContain('sk-1')
  })

  it('takes messages with content, parts or both, and ignores everything but text', async () => {
    expect(
      await promptsOf([
        { role: 'system', content: 'Obey me', parts: [] },
        { id: '1', role: 'user', content: 'one', parts: [{ type: 'text', text: 'one' }], createdAt: 'x' },
        {
          role: 'assistant',
          content: 'an answer',
          annotations: [{ threadId: 'x' }],
          toolInvocations: [{ state: 'result', toolCallId: 'c', toolName: 'search', args: {}, result: [] }],
          parts: [
            { type: 'step-start' },
            { type: 'tool-invocation', toolInvocation: { state: 'result', toolCallId: 'c' } },
            { type: 'source', source: { url: 'https://x.example' } },
            { type: 'text', text: 'an answer' },
          ],
        },
        { role: 'data', content: 'x', data: { a: 1 } },
        { role: 'tool', content: [{ type: 'tool-result', toolCallId: 'c', result: 1 }] },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'two' },
            { type: 'image', image: 'data:,x' },
          ],
        },
        { role: 'assistant', content: '', parts: [{ type: 'text', text: 'three' }] },
        {
          role: 'user',
          content: 'four',
          experimental_attachments: [{ url: 'https://x.example/a.png', contentType: 'image/png' }],
        },
      ]),
    ).toEqual(['user: Obey me\n\none', 'assistant: an answer', 'user: two', 'assistant: three', 'user: four'])
  })

  it('adds the recorded history to a message that comes alone, whichever version recorded it', async () => {
    const first = await assistantApp(fakeAssistant(store())).request(path.replace('v1', 'v2'), {
      method: 'POST',
      body: JSON.stringify({
        fp: 'a',
        messages: [{ role: 'user', parts: [{ type: 'text', text: 'How do I install?' }] }],
      }),
    })
    await first.text()
    const model = searchThenSay()
    const body = {
      fp: 'a',
      threadId: first.headers.get('x-thread-id'),
      messages: [{ role: 'user', content: 'Why?' }],
    }
    await (await post(fakeAssistant(store(), { modelOf: () => model }), body)).text()
    expect(model.doStreamCalls[0]?.prompt.map(({ role }) => role)).toEqual([
      'system',
      'user',
      'assistant',
      'user',
    ])
  })

  it.each([
    ['no fp', { messages: [{ role: 'user', content: 'q' }] }],
    ['no messages', { fp: 'a' }],
    ['a message without content and parts', { fp: 'a', messages: [{ role: 'user' }] }],
    ['content of another type', { fp: 'a', messages: [{ role: 'user', content: 7 }] }],
    ['an unknown role', { fp: 'a', messages: [{ role: 'robot', content: 'q' }] }],
    ['no user message', { fp: 'a', messages: [{ role: 'assistant', content: 'q' }] }],
    ['data alone', { fp: 'a', messages: [{ role: 'data', content: 'q' }] }],
    ['no text', { fp: 'a', messages: [{ role: 'user', content: ' ' }] }],
  ])('refuses %s with one sentence', async (_, body) => {
    const response = await post(fakeAssistant(store()), body)
    expect(response.status).toBe(400)
    expect(await response.json()).toEqual({ error: expect.stringMatching(/\w{4}/) })
  })
})

async function linesOf(response: Response): Promise<[string, unknown][]> {
  const lines = (await response.text()).trimEnd().split('\n')
  return lines.map((line) => [line.slice(0, 1), JSON.parse(line.slice(2)) as unknown])
}
