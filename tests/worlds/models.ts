import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { readConfig } from '../../src/config.ts'
import type { Models } from '../../src/integrations/models/model.ts'
import type { Outages } from '../../src/integrations/models/outages.ts'
import { createModels } from '../../src/start/models/models.ts'

/** Must be in no error: it looks like no key of a vendor, so that only knowing it can hide it. */
export const secret = 'very-private-9f3c1a7d5e'

/** Models whose providers all are at `url`; waits between tries are short. */
export function modelsAt(url: string, environment: NodeJS.ProcessEnv = {}, outages?: Outages): Models {
  const config = readConfig({
    ANTHROPIC_API_KEY: secret,
    ANTHROPIC_BASE_URL: url,
    OPENAI_API_KEY: secret,
    OPENAI_BASE_URL: `${url}/v1`,
    GEMINI_API_KEY: secret,
    GOOGLE_GENERATIVE_AI_BASE_URL: url,
    OPENAI_COMPATIBLE_BASE_URL: `${url}/v1`,
    OPENROUTER_API_KEY: secret,
    OPENROUTER_BASE_URL: `${url}/api/v1`,
    OLLAMA_BASE_URL: url,
    ...environment,
  })
  return createModels(config, {
    retries: { tries: 4, firstWait: 5, longestWait: 2000 },
    ...(outages && { outages }),
  })
}

export interface SeenRequest {
  path: string
  headers: IncomingHttpHeaders
  body: Record<string, unknown>
}

/** A provider that says nothing of windows, and answers each request to a model with the next of the given answers, the last one over and over. */
export async function openProvider(
  answers: ((response: ServerResponse, request: SeenRequest) => void)[],
): Promise<AsyncDisposable & { url: string; seen: SeenRequest[] }> {
  const seen: SeenRequest[] = []
  const server = createServer((incoming, response) => {
    if (incoming.method === 'GET' || incoming.url === '/api/generate') return response.writeHead(404).end()
    void text(incoming).then((body) => {
      const request = { path: incoming.url ?? '', headers: incoming.headers, body: JSON.parse(body || '{}') }
      seen.push(request)
      answers[Math.min(seen.length, answers.length) - 1]?.(response, request)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    seen,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

export function json(status: number, body: unknown, headers: Record<string, string> = {}) {
  return (response: ServerResponse): void => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(JSON.stringify(body))
  }
}

/** Server-sent events; each is sent as it is. */
export function events(...data: unknown[]) {
  return (response: ServerResponse): void => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const item of data) {
      const type =
        typeof item === 'object' && item !== null && 'type' in item ? `event: ${String(item.type)}\n` : ''
      response.write(`${type}data: ${typeof item === 'string' ? item : JSON.stringify(item)}\n\n`)
    }
    response.end()
  }
}

/** Headers and not another byte. */
export function hang(type: string) {
  return (response: ServerResponse): void => {
    response.writeHead(200, { 'content-type': type })
    response.flushHeaders()
  }
}

export async function piecesOf(stream: AsyncIterable<string>, pieces: string[] = []): Promise<string[]> {
  for await (const piece of stream) pieces.push(piece)
  return pieces
}
