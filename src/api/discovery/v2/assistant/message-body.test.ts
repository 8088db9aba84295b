import { beforeAll, expect, it } from 'vitest'
import { assistantApp, fakeAssistant, insertProject } from '../../../../../tests/assistant-server.ts'
import { describeOnStore } from '../../../../../tests/stores.ts'

const path = '/discovery/v2/assistant/docs/message'
const said = (role: string, text: string) => ({ id: 'm1', role, parts: [{ type: 'text', text }] })
const user = (text: string) => said('user', text)

describeOnStore('the body of POST /discovery/v2/assistant/{domain}/message', (store) => {
  beforeAll(() => insertProject(store()))

  const post = (body: unknown) =>
    assistantApp(fakeAssistant(store())).request(path, {
      method: 'POST',
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })

  const message = user('q')
  it.each([
    ['no JSON', '{"fp":'],
    ['no object', '[]'],
    ['no fp', { messages: [message] }],
    ['an empty fp', { fp: '', messages: [message] }],
    ['fp of another type', { fp: 1, messages: [message] }],
    ['no messages', { fp: 'a' }],
    ['empty messages', { fp: 'a', messages: [] }],
    ['messages of another type', { fp: 'a', messages: 'hi' }],
    ['a message without parts', { fp: 'a', messages: [{ id: '1', role: 'user' }] }],
    ['a message whose content is no text', { fp: 'a', messages: [{ role: 'user', content: 7 }] }],
    ['an unknown role', { fp: 'a', messages: [{ ...message, role: 'robot' }] }],
    ['a part without type', { fp: 'a', messages: [{ ...message, parts: [{ text: 'q' }] }] }],
    ['a text part without text', { fp: 'a', messages: [{ ...message, parts: [{ type: 'text' }] }] }],
    ['no user message', { fp: 'a', messages: [said('assistant', 'q')] }],
    ['no text', { fp: 'a', messages: [user(' ')] }],
    ['a long thread id', { fp: 'a', messages: [message], threadId: 'x'.repeat(201) }],
    ['an empty thread id', { fp: 'a', messages: [message], threadId: '' }],
    ['a thread id of another type', { fp: 'a', messages: [message], threadId: 7 }],
    ['a page size of 0', { fp: 'a', messages: [message], retrievalPageSize: 0 }],
    ['a page size as text', { fp: 'a', messages: [message], retrievalPageSize: '5' }],
    ['a long current path', { fp: 'a', messages: [message], currentPath: `/${'x'.repeat(200)}` }],
    ['an unknown kind of context', { fp: 'a', messages: [message], context: [{ type: 'video', value: '' }] }],
    ['context without value', { fp: 'a', messages: [message], context: [{ type: 'code' }] }],
    ['a filter of another type', { fp: 'a', messages: [message], filter: { version: 2 } }],
    ['NUL in the question', { fp: 'a', messages: [user('\0')] }],
    [
      'a lone surrogate',
      `{"fp":"a","messages":[{"id":"1","role":"user","parts":[{"type":"text","text":"\\ud800"}]}]}`,
    ],
  ])('refuses %s with one sentence', async (_, body) => {
    const response = await post(body)
    expect(response.status).toBe(400)
    expect(await response.json()).toEqual({ error: expect.stringMatching(/\w{4}/) })
  })

  it.each([
    ['200 characters of two units each', { currentPath: '😀'.repeat(200), threadId: '😀'.repeat(200) }],
    ['nulls', { threadId: null, filter: null, context: null, currentPath: null }],
    ['text in place of parts', { messages: [{ id: '1', role: 'user', content: 'q' }] }],
    ['text beside parts', { messages: [{ ...message, content: 'q' }] }],
    ['content that nobody reads', { messages: [{ ...message, content: [{ a: 1 }] }] }],
    ['unknown fields', { id: 'chat', messageId: 'x', more: { a: [1] } }],
  ])('accepts %s', async (_, extra) => {
    const response = await post({ fp: 'a', messages: [message], ...extra })
    expect(response.status).toBe(200)
    expect(await response.text()).toMatch(/data: \[DONE\]\n\n$/)
  })
})
