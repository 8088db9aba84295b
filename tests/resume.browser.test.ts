import { createServer } from 'node:http'
import type { Server } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Browser } from 'playwright-core'
import { rolldown } from 'rolldown'
import { openBrowser } from './browser.ts'
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
    const site = await serveSite(await bundle(major))
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
    site.server.close()
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

/** The page's script, with the newest release of a major version. */
async function bundle(major: number): Promise<string> {
  const folder = resolve(import.meta.dirname, `../node_modules/ai-sdk-react${major}`)
  // As if it stood in the package: its own version of `ai` is found from there.
  const entry = join(folder, 'chat.js')
  const build = await rolldown({
    input: entry,
    platform: 'browser',
    transform: { define: { 'process.env.NODE_ENV': '"production"' } },
    resolve: { alias: { '@ai-sdk/react': folder } },
    logLevel: 'silent',
    plugins: [
      {
        name: 'chat',
        resolveId: (id) => (id === entry ? id : null),
        load: (id) => (id === entry ? chat() : null),
      },
    ],
  })
  const { output } = await build.generate({ format: 'iife' })
  return output[0].code
}

async function serveSite(script: string): Promise<{ url: string; server: Server }> {
  const site = createServer((request, response) => {
    const isScript = request.url === '/chat.js'
    response.writeHead(200, { 'content-type': isScript ? 'text/javascript' : 'text/html' })
    response.end(isScript ? script : '<!doctype html><body><script defer src="/chat.js"></script></body>')
  })
  site.listen(0, '127.0.0.1')
  await once(site, 'listening')
  return { url: `http://127.0.0.1:${(site.address() as AddressInfo).port}/`, server: site }
}
