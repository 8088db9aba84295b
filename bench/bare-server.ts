/**
 * What an application would write without Docwright: a handler that passes the question to `streamText` and streams
 * its answer. It has no keys, limits, search or records. streams.ts runs it as a separate process.
 */
import type { AddressInfo } from 'node:net'
import { createOpenAI } from '@ai-sdk/openai'
import { serve } from '@hono/node-server'
import { convertToModelMessages, createUIMessageStreamResponse, streamText, toUIMessageStream } from 'ai'
import type { UIMessage } from 'ai'
import { Hono } from 'hono'

const model = createOpenAI({ baseURL: process.argv[2] ?? '', apiKey: 'sk-mock' }).chat('gpt-mock')
const app = new Hono()
app.post('/message', async (context) => {
  const { messages } = await context.req.json<{ messages: UIMessage[] }>()
  const result = streamText({
    model,
    messages: await convertToModelMessages(messages),
    abortSignal: context.req.raw.signal,
  })
  return createUIMessageStreamResponse({ stream: toUIMessageStream({ stream: result.stream }) })
})
const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, () => {
  console.log(`ready http://127.0.0.1:${(server.address() as AddressInfo).port}`)
})
