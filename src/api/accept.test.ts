import { OpenAPIHono } from '@hono/zod-openapi'
import { expect, it } from 'vitest'
import { namesType, preferredEncoding, preferredType } from './accept.ts'
import type { App, RequestContext } from './endpoint.ts'

async function asked<T>(headers: Record<string, string>, ask: (context: RequestContext) => T): Promise<T> {
  const app: App = new OpenAPIHono()
  const answer = Promise.withResolvers<T>()
  app.get('/', (context) => {
    answer.resolve(ask(context))
    return context.text('')
  })
  await app.request('/', { headers })
  return answer.promise
}

it.each([
  [undefined, 'json'],
  ['', 'json'],
  ['*/*', 'json'],
  ['text/event-stream', 'stream'],
  ['Text/Event-Stream', 'stream'],
  ['text/event-stream, */*;q=0.1', 'stream'],
  ['text/event-stream, */*', 'stream'],
  ['text/*', 'stream'],
  ['application/json, text/event-stream', 'json'],
  ['text/event-stream, application/json', 'stream'],
  ['application/json;q=0.5, text/event-stream;q=0.4', 'json'],
  ['application/json;q=0.4, text/event-stream;q=0.5', 'stream'],
  ['application/json, text/event-stream;q=0', 'json'],
  ['text/event-stream;q=0', 'json'],
  ['text/event-stream;q=0, */*', 'json'],
  ['image/png', 'json'],
  ['text/event-streams', 'json'],
  ['x-text/event-stream', 'json'],
  [';;,,"', 'json'],
])('to %j the answer is %s', async (accept, answer) => {
  const types = ['application/json', 'text/event-stream'] as const
  const chosen = await asked(accept === undefined ? {} : { accept }, (context) =>
    preferredType(context, types),
  )
  expect(chosen).toBe(answer === 'json' ? types[0] : types[1])
})

it.each([
  ['text/html, text/markdown', true],
  ['text/markdown;q=0.5, text/html', false],
  ['text/markdown;q=0', false],
  ['*/*', false],
])('takes %j for a wish for Markdown: %s', async (accept, wish) => {
  expect(await asked({ accept }, (context) => namesType(context, 'text/markdown', 'text/html'))).toBe(wish)
})

it.each([
  ['gzip, br', 'br'],
  ['gzip;q=1, br;q=0.5', 'gzip'],
  ['br;q=0, *', 'gzip'],
  ['*;q=0', 'identity'],
  ['deflate', 'identity'],
  [' ', 'identity'],
])('compresses for %j with %s', async (accepted, encoding) => {
  expect(
    await asked({ 'accept-encoding': accepted }, (context) => preferredEncoding(context, ['br', 'gzip'])),
  ).toBe(encoding)
})
