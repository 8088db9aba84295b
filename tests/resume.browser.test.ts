import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Browser } from 'playwright-core'
import { openBrowser } from './browser.ts'
import { bundleChat, serveSite } from './chat-site.ts'
import { startModelMock, type ModelMock } from './model-mock.ts'
import { startServer, type TestServer } from './server.ts'

/** `useChat` with `resume` in a site of another origin: a page that is loaded again in the middle of an answer. */
const words = Array.from({ length: 40 }, (_, n) => `word${n}.`).join(' ')

let model: ModelMock
let server: TestServer
let browser: Browser

beforeAll(async () => {
  model = await startModelMock(() => Promise.resolve(words), { chunkSize: 7, latency: 250 })
  ;[server, browser] = await Promise.all([startServer({ environment: model.environment }), openBrowser()])
})
afterAll(async () => {
  await browser?.close()
  await server?.[Symbol.asyncDispose]()
  await model?.[Symbol.asyncDispose]()
})

describe.each([2, 3, 4])('useChat of @ai-sdk/react@%d', (major) => {
  it('goes on with an answer after its page was loaded again, and has it once', async () => {
    const site = await serveSite(await bundleChat(`ai-sdk-react${major}`, chat()))
    const page = await browser.newPage()
    const resumed: number[] = []
    page.on('response', (response) => {
      if (response.url().endsWith('/stream')) resumed.push(response.status())
    })
    const text = async (): Promise<string> => (await page.locator('#text').textContent()) ?? ''
    const status = async (): Promise<string> => (await page.locator('#status').textContent()) ?? ''
    await page.goto(site.url)
    await expect.poll(status).toBe('ready')
    await page.getByRole('button').click()
    await expect.poll(text).toContain('word3.')
    await page.reload()
    await expect.poll(text).toContain('word39.')
    await expect.poll(status).toBe('ready')
    expect((await text()).match(/word3\./g)).toHaveLength(1)
    expect(resumed).toEqual([204, 200])
    // It was read: there is nothing to resume any more.
    await page.reload()
    await expect.poll(status).toBe('ready')
    await expect.poll(() => resumed).toEqual([204, 200, 204])
    expect((await text()).match(/word3\./g)).toHaveLength(1)
    await site[Symbol.asyncDispose]()
  })
})

const chat = (): string => `
  import { createElement, useEffect } from 'react'
  import { createRoot } from 'react-dom/client'
  import { useChat } from '@ai-sdk/react'
  import { DefaultChatTransport } from 'ai'

  const transport = new DefaultChatTransport({
    api: ${JSON.stringify(`${server.url}/discovery/v2/assistant/${server.welcome.domain}/message`)},
    headers: { Authorization: ${JSON.stringify(`Bearer ${server.welcome.assistantKey}`)} },
    body: { fp: 'anonymous' },
  })
  const id = (sessionStorage.chat ??= crypto.randomUUID())
  const stored = JSON.parse(sessionStorage.messages ?? '[]')

  function Chat() {
    const { messages, sendMessage, status } = useChat({ id, messages: stored, resume: true, transport })
    useEffect(() => {
      const whole = status === 'ready' ? messages : messages.filter(({ role }) => role === 'user')
      sessionStorage.messages = JSON.stringify(whole)
    }, [messages, status])
    const text = messages.filter(({ role }) => role === 'assistant').flatMap(({ parts }) => parts)
      .map((part) => part.text ?? '').join('')
    return createElement('main', null,
      createElement('button', { onClick: () => sendMessage({ text: 'How do I install it?' }) }, 'Ask'),
      createElement('p', { id: 'text' }, text),
      createElement('p', { id: 'status' }, status))
  }
  createRoot(document.body.appendChild(document.createElement('div'))).render(createElement(Chat))
`
