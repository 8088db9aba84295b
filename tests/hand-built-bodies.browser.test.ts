import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import type { RequestListener } from 'node:http'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Browser } from 'playwright-core'
import { openBrowser } from './browser.ts'
import { bundleChat, serveSite } from './chat-site.ts'
import { readProject, startServer, type TestServer } from './server.ts'

/** `useChat` on pages that build the body themselves, with a project whose domain is a host name. */
const domain = 'docs.example.com'
const path = `/v2/assistant/${domain}/message`

let server: TestServer
let browser: Browser
let key: string

beforeAll(async () => {
  ;[server, browser] = await Promise.all([startServer(), openBrowser()])
  const operator = (await readFile(join(server.dataFolder, 'operator-token'), 'utf8')).trim()
  const operate = async (address: string, body: object): Promise<Record<string, unknown>> => {
    const response = await server.request('POST', address, { key: operator, body })
    expect(response.status).toBe(201)
    return (await response.json()) as Record<string, unknown>
  }
  const location = join(server.dataFolder, 'repositories', 'docwright.git')
  await operate('/admin/projects', { location, domain })
  key = String((await operate('/admin/keys', { kind: 'assistant', project: domain }))['key'])
  await vi.waitFor(async () => expect((await readProject(server, domain)).sync.state).toBe('ready'), {
    timeout: 300_000,
    interval: 500,
  })
})
afterAll(async () => {
  await browser?.close()
  await server?.[Symbol.asyncDispose]()
})

/** A page that keeps the thread and its key, as templates do, and drops what the transport would add. */
const chat = (api: string, headers: object): string => `
  import { createElement } from 'react'
  import { createRoot } from 'react-dom/client'
  import { useChat } from '@ai-sdk/react'
  import { DefaultChatTransport } from 'ai'

  const kept = {}
  const transport = new DefaultChatTransport({
    api: ${JSON.stringify(api)},
    headers: ${JSON.stringify(headers)},
    fetch: async (url, options) => {
      const response = await fetch(url, options)
      kept.threadId = response.headers.get('x-thread-id') ?? kept.threadId
      kept.threadKey = response.headers.get('x-thread-key') ?? kept.threadKey
      return response
    },
    prepareSendMessagesRequest: ({ messages }) => ({ body: { fp: 'anonymous', messages, ...kept } }),
  })

  function Chat() {
    const { messages, sendMessage, status, error } = useChat({ transport })
    const answers = messages.filter(({ role }) => role === 'assistant')
      .map(({ parts }) => parts.map((part) => part.text ?? '').join(''))
    return createElement('main', null,
      createElement('button', { onClick: () => sendMessage({ text: 'How do I revoke a key?' }) }, 'Ask'),
      createElement('pre', { id: 'state' }, JSON.stringify({ status, error: error?.message, answers, kept })))
  }
  createRoot(document.body.appendChild(document.createElement('div'))).render(createElement(Chat))
`

/** Passes on what the page sent, with the key and without anything that the browser said. */
const proxy: RequestListener = (request, response) => {
  void (async () => {
    const body = JSON.stringify(await json(request))
    const answer = await server.request('POST', path, { key, body })
    for (const name of ['content-type', 'x-thread-id', 'x-thread-key']) {
      const value = answer.headers.get(name)
      if (value !== null) response.setHeader(name, value)
    }
    response.writeHead(answer.status)
    response.end(await answer.text())
  })()
}

describe.each([
  ['ai-sdk-react2', 'ai500'],
  ['ai-sdk-react2', 'ai5091'],
  ['ai-sdk-react2', 'ai5216'],
  ['ai-sdk-react2', 'ai5'],
  ['ai-sdk-react3', 'ai6230'],
  ['ai-sdk-react3', 'ai6'],
  ['ai-sdk-react4', 'ai7031'],
  ['ai-sdk-react4', 'ai'],
])('useChat of %s with %s', (react, ai) => {
  it.each([
    [
      'the server itself',
      () => [
        `${server.url}${path}`,
        { Authorization: `bearer ${key}`, 'User-Agent': 'page/1', 'X-Requested-With': 'page' },
      ],
    ],
    ['a proxy', () => ['/api/chat', {}]],
  ] as [string, () => [string, object]][])('asks %s two questions in a row', async (_, asked) => {
    await using site = await serveSite(await bundleChat(react, chat(...asked()), ai), proxy)
    const page = await browser.newPage()
    const complaints: string[] = []
    page.on('console', (message) => void (message.type() === 'error' && complaints.push(message.text())))
    const state = async () =>
      JSON.parse((await page.locator('#state').textContent()) ?? '{}') as {
        status: string
        error?: string
        answers: string[]
        kept: { threadId?: string; threadKey?: string }
      }
    await page.goto(site.url)
    const threads: unknown[] = []
    for (const count of [1, 2]) {
      await page.getByRole('button').click()
      await expect.poll(async () => (await state()).answers.length).toBe(count)
      await expect.poll(async () => (await state()).status).toMatch(/ready|error/)
      const { status, error, answers, kept } = await state()
      expect({ status, error, complaints }).toEqual({ status: 'ready', error: undefined, complaints: [] })
      expect(answers.at(-1)).toContain('revoke')
      threads.push(kept)
    }
    const kept = {
      threadId: expect.stringMatching(/^thr_/),
      threadKey: expect.stringMatching(/^[0-9a-f]{64}$/),
    }
    expect(threads).toEqual([kept, threads[0]])
  })
})
