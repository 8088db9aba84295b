import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

export interface ChatBody {
  messages: Record<string, unknown>[]
  tools?: unknown[]
  tool_choice?: unknown
  stream?: boolean
}

/** What the model of a server says to a call. */
export interface Said {
  content?: string
  calls?: { name: string; input: object }[]
}

export interface OwnServerOptions {
  say: (body: ChatBody) => Said | Promise<Said>
  /** Calls that it answers at once, as `/props` says it. */
  slots?: number
  /** Tokens of each slot. */
  window?: number
  /** What does not fit is left out without a word, as Ollama does it, instead of refused, as llama.cpp does. */
  cuts?: boolean
  /** A status and message with which it refuses a call; undefined: it takes it. */
  refuse?: (body: ChatBody) => { status: number; message: string } | undefined
}

/** Bytes of a request that are a token. */
const bytesOfToken = 4

/** A server of one's own in front of a scripted model, with the habits of llama.cpp or of Ollama. */
export async function startOwnServer(options: OwnServerOptions) {
  const { slots = 1, window = 32_768, cuts = false } = options
  const bodies: ChatBody[] = []
  let open = 0
  let most = 0
  let refused = 0
  let isAway = false
  const server = createServer((request, response) => {
    if (isAway) return void request.socket.destroy()
    const { method, url } = request
    response.setHeader('content-type', 'application/json')
    if (method === 'GET') return void response.end(JSON.stringify(told(url)))
    void (async () => {
      const sent = await text(request)
      const body = JSON.parse(sent) as ChatBody
      const tokens = Math.ceil(Buffer.byteLength(sent) / bytesOfToken)
      const refusal = options.refuse?.(body) ?? tooLong(tokens)
      if (refusal) {
        refused++
        response.statusCode = refusal.status
        return void response.end(JSON.stringify({ error: { code: refusal.status, ...refusal } }))
      }
      bodies.push(body)
      open++
      most = Math.max(most, open)
      response.on('close', () => open--)
      const said = await options.say(body)
      const usage = { prompt_tokens: Math.min(tokens, window), completion_tokens: 20 }
      answer(response, body, said, usage)
    })()
  })
  const told = (url: string | undefined): unknown => {
    if (url === '/props' && !cuts)
      return { total_slots: slots, default_generation_settings: { n_ctx: window } }
    if (url === '/v1/models' && !cuts)
      return { object: 'list', data: [{ id: 'm', object: 'model', meta: { n_ctx: window } }] }
    return url === '/v1/models' ? { object: 'list', data: [{ id: 'm', object: 'model' }] } : {}
  }
  const tooLong = (tokens: number) =>
    tokens <= window || cuts
      ? undefined
      : {
          status: 400,
          message: `request (${tokens} tokens) exceeds the available context size (${window} tokens), try increasing it`,
          type: 'exceed_context_size_error',
          n_prompt_tokens: tokens,
          n_ctx: window,
        }
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    bodies,
    /** Calls that it answers now. */
    open: () => open,
    /** The most that it ever answered at once. */
    most: () => most,
    refused: () => refused,
    setAway: (away: boolean) => (isAway = away),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }
}

function answer(
  response: {
    write(text: string): void
    end(text?: string): void
    setHeader(name: string, value: string): void
  },
  { stream }: ChatBody,
  { content = '', calls }: Said,
  usage: object,
): void {
  const tool_calls = calls?.map(({ name, input }, index) => ({
    index,
    id: `call-${Math.random()}`,
    type: 'function',
    function: { name, arguments: JSON.stringify(input) },
  }))
  const message = { role: 'assistant', content, ...(tool_calls && { tool_calls }) }
  const reason = tool_calls ? 'tool_calls' : 'stop'
  const base = { id: 'x', created: 1, model: 'm' }
  if (stream !== true)
    return response.end(
      JSON.stringify({ ...base, choices: [{ index: 0, message, finish_reason: reason }], usage }),
    )
  response.setHeader('content-type', 'text/event-stream')
  const event = (choice: object, more = {}): void =>
    response.write(
      `data: ${JSON.stringify({ ...base, object: 'chat.completion.chunk', choices: [{ index: 0, ...choice }], ...more })}\n\n`,
    )
  event({ delta: message })
  event({ delta: {}, finish_reason: reason }, { usage })
  response.end('data: [DONE]\n\n')
}
