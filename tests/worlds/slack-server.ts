import { createHmac } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { WebSocketServer } from 'ws'
import { botScopes } from '../../src/nouns/chats/slack/manifest.ts'

/** A message that the app has posted, as it is now. */
export interface PostedMessage {
  channel: string
  ts: string
  thread: string | undefined
  text: string
  /** Labels of buttons with what they send. */
  buttons: { id: string; label: string; value: string }[]
  edits: number
  /** What the app keeps with it. */
  metadata: unknown
  /** Set for what one member alone sees. */
  for: string | undefined
}

export interface SlackServer extends AsyncDisposable {
  url: string
  messages: PostedMessage[]
  /** Calls that arrived, by method. */
  calls: string[]
  /** Does what calls of a method ask for, and does not answer them. */
  unanswered: Set<string>
  /** How many sockets are open. */
  sockets(): number
  /** Sends an envelope over one of them. */
  send(envelope: object): void
  /** Envelopes that were acknowledged. */
  acknowledged: string[]
  /** That the token has. */
  scopes: string[]
}

export const slackToken = 'xoxb-test-token'
export const slackAppToken = 'xapp-test-token'
export const slackSecret = 'a-signing-secret'
export const slackBot = 'UBOT00001'

/** Speaks what the app needs of Slack’s Web API, in its published form, and refuses everything else. */
export async function startSlack(): Promise<SlackServer> {
  const messages: PostedMessage[] = []
  const calls: string[] = []
  const unanswered = new Set<string>()
  const scopes = [...botScopes]
  let clock = 1_800_000_000
  const server = createServer((request, response) => {
    void bodyOf(request).then((body) => {
      const method = (request.url ?? '').replace(/^\/+/, '').split('?')[0] ?? ''
      const given = new URLSearchParams(body)
      calls.push(method)
      if (method === 'apps.connections.open') {
        const isKnown = request.headers.authorization === `Bearer ${slackAppToken}`
        const url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}/socket`
        response.setHeader('content-type', 'application/json')
        response.end(JSON.stringify(isKnown ? { ok: true, url } : { ok: false, error: 'invalid_auth' }))
        return
      }
      const isAllowed =
        request.headers.authorization === `Bearer ${slackToken}` || given.get('token') === slackToken
      const answer = isAllowed ? answerTo(method, given) : { ok: false, error: 'invalid_auth' }
      if (unanswered.has(method)) return
      response.setHeader('content-type', 'application/json')
      if (isAllowed) response.setHeader('x-oauth-scopes', scopes.join(','))
      response.end(JSON.stringify(answer))
    })
  })

  const acknowledged: string[] = []
  const sockets = new WebSocketServer({ server })
  sockets.on('connection', (socket) => {
    socket.on('message', (data: Buffer) => {
      acknowledged.push((JSON.parse(data.toString('utf8')) as { envelope_id: string }).envelope_id)
    })
    socket.send(JSON.stringify({ type: 'hello', num_connections: 1 }))
  })

  function answerTo(method: string, given: URLSearchParams): object {
    const channel = given.get('channel') ?? ''
    if (method === 'auth.test')
      return { ok: true, team: 'Acme', team_id: 'T0001', user_id: slackBot, bot_id: 'B0001' }
    if (method === 'users.info') {
      const id = given.get('user') ?? ''
      return { ok: true, user: { id, name: id.toLowerCase(), real_name: `Member ${id}`, profile: {} } }
    }
    if (method === 'conversations.info')
      return {
        ok: true,
        channel: { id: channel, name: channel.toLowerCase(), is_im: channel.startsWith('D') },
      }
    if (method === 'chat.postMessage' || method === 'chat.postEphemeral') {
      const ts = `${++clock}.000100`
      messages.push({
        channel,
        ts,
        thread: given.get('thread_ts') ?? undefined,
        ...contentOf(given),
        edits: 0,
        metadata: JSON.parse(given.get('metadata') ?? 'null'),
        for: given.get('user') ?? undefined,
      })
      return method === 'chat.postMessage' ? { ok: true, channel, ts } : { ok: true, message_ts: ts }
    }
    if (method === 'chat.update') {
      const message = messages.find(({ ts, channel: place }) => ts === given.get('ts') && place === channel)
      if (!message) return { ok: false, error: 'message_not_found' }
      Object.assign(message, contentOf(given), { edits: message.edits + 1 })
      return { ok: true, channel, ts: message.ts }
    }
    if (method === 'conversations.history')
      return {
        ok: true,
        messages: messages
          .filter(({ channel: place, thread }) => place === channel && thread === undefined)
          .map(({ ts, text, metadata }) => ({ type: 'message', ts, text, bot_id: 'B0001', metadata })),
        has_more: false,
      }
    if (method === 'conversations.replies')
      return {
        ok: true,
        messages: messages
          .filter(({ thread, ts }) => [thread, ts].includes(given.get('ts') ?? ''))
          .map(({ ts, thread, text, metadata }) => ({
            type: 'message',
            ts,
            thread_ts: thread,
            text,
            user: slackBot,
            bot_id: 'B0001',
            ...(given.get('include_all_metadata') === 'true' && { metadata }),
          })),
        has_more: false,
      }
    return { ok: false, error: `unknown_method ${method}` }
  }

  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    messages,
    calls,
    unanswered,
    scopes,
    acknowledged,
    sockets: () => sockets.clients.size,
    send(envelope) {
      const [socket] = sockets.clients
      socket?.send(JSON.stringify(envelope))
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets.clients) socket.terminate()
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }
}

/** The headers and the body of a call that Slack makes. */
export function signedCall(
  body: object | URLSearchParams,
  { secret = slackSecret, age = 0 }: { secret?: string; age?: number } = {},
): { method: 'POST'; headers: Record<string, string>; body: string } {
  const isForm = body instanceof URLSearchParams
  const text = isForm ? body.toString() : JSON.stringify(body)
  const timestamp = String(Math.floor(Date.now() / 1000) - age)
  const signature = createHmac('sha256', secret).update(`v0:${timestamp}:${text}`).digest('hex')
  return {
    method: 'POST',
    headers: {
      'content-type': isForm ? 'application/x-www-form-urlencoded' : 'application/json',
      'x-slack-request-timestamp': timestamp,
      'x-slack-signature': `v0=${signature}`,
    },
    body: text,
  }
}

function contentOf(given: URLSearchParams): Pick<PostedMessage, 'text' | 'buttons'> {
  const blocks = JSON.parse(given.get('blocks') ?? '[]') as Block[]
  const texts = blocks.flatMap(({ text }) => (text ? [text.text] : []))
  return {
    text: texts.length > 0 ? texts.join('\n') : (given.get('text') ?? given.get('markdown_text') ?? ''),
    buttons: blocks.flatMap(({ elements = [] }) =>
      elements.flatMap(({ action_id: id, text, value = '' }) =>
        id === undefined ? [] : [{ id, label: text?.text ?? '', value }],
      ),
    ),
  }
}

interface Block {
  text?: { text: string }
  elements?: { action_id?: string; text?: { text: string }; value?: string }[]
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}
