import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { WebSocketServer, type WebSocket } from 'ws'

/** A message of the app, as it is now. */
export interface DiscordMessage {
  channel: string
  id: string
  text: string
  buttons: { label: string; custom: string }[]
  url: string | undefined
  edits: number
}

/** What one member alone was told, by the token of the interaction that it answers. */
interface DiscordAnswer {
  token: string
  text: string
}

export interface DiscordServer extends AsyncDisposable {
  url: string
  messages: DiscordMessage[]
  answers: DiscordAnswer[]
  /** Interactions that were acknowledged, with the type of the answer. */
  acknowledged: [string, number][]
  /** Calls that arrived, as `POST /path`. */
  calls: string[]
  /** Does what calls ask for that begin with this, and does not answer them. */
  unanswered: string | undefined
  /** The first calls that begin with this are told to wait. */
  limited: { path: string; times: number } | undefined
  /** Channels by id: threads have a parent. */
  channels: Map<string, { id: string; type: number; parent_id?: string }>
  commands: unknown
  /** Sockets that are open and greeted. */
  sockets(): number
  /** How often a socket went on with the session of another one. */
  resumed: number
  /** Sends an event to the session, or keeps it until one goes on with it. */
  send(type: string, data: object): void
  /** Sends what was sent, again. */
  repeat(): void
  /** The flags of the app. */
  flags: number
  /** Whether the app may ask for what messages say. */
  allowsContent: boolean
}

export const discordToken = 'discord-test-token'
export const discordBot = '900000000000000001'
export const discordGuild = '800000000000000001'

const body = (request: IncomingMessage): Promise<string> =>
  new Promise((read) => {
    let text = ''
    request.on('data', (chunk: Buffer) => (text += chunk.toString('utf8')))
    request.on('end', () => read(text))
  })

interface Given {
  nonce?: string
  content?: string
  embeds?: { description: string; url?: string }[]
  components?: { components: { label: string; custom_id?: string; url?: string }[] }[]
  type?: number
  recipient_id?: string
}

/** Speaks what the app needs of Discord’s API and gateway, in their published form, and refuses everything else. */
export async function startDiscord(): Promise<DiscordServer> {
  const state: Omit<DiscordServer, 'url' | 'sockets' | 'send' | 'repeat' | typeof Symbol.asyncDispose> = {
    messages: [],
    answers: [],
    acknowledged: [],
    calls: [],
    unanswered: undefined,
    limited: undefined,
    channels: new Map(),
    commands: undefined,
    resumed: 0,
    flags: 1 << 19,
    allowsContent: true,
  }
  const nonces = new Map<string, DiscordMessage>()
  const deferred = new Set<string>()
  const sent: { t: string; d: object }[] = []
  let live: WebSocket | undefined
  let clock = 0
  const newId = (): string => String((BigInt(Date.now() - 1_420_070_400_000) << 22n) + BigInt(++clock))

  const server = createServer((request, response) => {
    void body(request).then((text) => {
      const call = `${request.method} ${decodeURI(request.url ?? '').replace(/^\/+/, '/')}`
      state.calls.push(call)
      const reply = (status: number, json?: object): void => {
        response.writeHead(status, json ? { 'content-type': 'application/json' } : {})
        response.end(json && JSON.stringify(json))
      }
      if (state.limited && state.limited.times > 0 && call.startsWith(state.limited.path)) {
        state.limited.times--
        return reply(429, { message: 'You are being rate limited.', retry_after: 0.2, global: false })
      }
      const isOpen = /^\w+ \/(?:interactions|webhooks)\//.test(call)
      if (!isOpen && request.headers.authorization !== `Bot ${discordToken}`)
        return reply(401, { message: '401: Unauthorized', code: 0 })
      const [status, json] = answerTo(call, text === '' ? {} : (JSON.parse(text) as Given))
      if (state.unanswered !== undefined && call.startsWith(state.unanswered)) return undefined
      return reply(status, json)
    })
  })

  function contentOf(given: Given): Pick<DiscordMessage, 'text' | 'buttons'> {
    return {
      text: (given.embeds ?? []).map(({ description }) => description).join('\n'),
      buttons: (given.components ?? []).flatMap(({ components }) =>
        components.map(({ label, custom_id: custom = '' }) => ({ label, custom })),
      ),
    }
  }
  const asMessage = ({ id, channel, text, url }: DiscordMessage): object => ({
    id,
    channel_id: channel,
    content: '',
    author: { id: discordBot, username: 'docwright', bot: true },
    mentions: [],
    embeds: [{ description: text, ...(url !== undefined && { url }) }],
  })

  function answerTo(call: string, given: Given): [number, object?] {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const match = (pattern: RegExp): string[] | undefined => pattern.exec(call)?.slice(1)
    if (call === 'GET /users/@me') return [200, { id: discordBot, username: 'docwright', bot: true }]
    if (call === 'GET /applications/@me') return [200, { id: discordBot, flags: state.flags }]
    if (call === 'GET /users/@me/guilds') return [200, [{ id: discordGuild, name: 'Acme' }]]
    if (call === 'GET /gateway/bot') return [200, { url: url.replace('http', 'ws') }]
    if (call === `PUT /applications/${discordBot}/guilds/${discordGuild}/commands`) {
      state.commands = given
      return [200, []]
    }
    if (call === 'POST /users/@me/channels') {
      const id = `7${given.recipient_id}`
      state.channels.set(id, { id, type: 1 })
      return [200, { id, type: 1 }]
    }
    const channel = match(/^GET \/channels\/(\d+)$/)?.[0]
    if (channel !== undefined) {
      const known = state.channels.get(channel)
      return known ? [200, known] : [404, { message: 'Unknown Channel', code: 10_003 }]
    }
    const begun = match(/^POST \/channels\/(\d+)\/messages\/(\d+)\/threads$/)
    if (begun) {
      const [parent = '', id = ''] = begun
      if (state.channels.has(id))
        return [400, { message: 'A thread has already been created', code: 160_004 }]
      state.channels.set(id, { id, type: 11, parent_id: parent })
      return [201, { id, type: 11, parent_id: parent }]
    }
    const posted = match(/^POST \/channels\/(\d+)\/messages$/)?.[0]
    if (posted !== undefined) {
      if (!state.channels.has(posted)) return [404, { message: 'Unknown Channel', code: 10_003 }]
      const known = nonces.get(given.nonce ?? '')
      if (known) return [200, asMessage(known)]
      const message = {
        channel: posted,
        id: newId(),
        ...contentOf(given),
        url: given.embeds?.[0]?.url,
        edits: 0,
      }
      state.messages.push(message)
      if (given.nonce !== undefined) nonces.set(given.nonce, message)
      return [200, asMessage(message)]
    }
    const listed = match(/^GET \/channels\/(\d+)\/messages\?/)?.[0]
    if (listed !== undefined) {
      const query = new URL(call.split(' ')[1] ?? '', url).searchParams
      const [after, before] = [query.get('after'), query.get('before')]
      const rows = state.messages
        .filter((one) => one.channel === listed)
        .filter(
          ({ id }) =>
            (after === null || BigInt(id) > BigInt(after)) &&
            (before === null || BigInt(id) < BigInt(before)),
        )
      return [200, rows.map(asMessage).toReversed()]
    }
    const edited = match(/^PATCH \/channels\/(\d+)\/messages\/(\d+)$/)
    if (edited) {
      const message = state.messages.find((one) => one.channel === edited[0] && one.id === edited[1])
      if (!message) return [404, { message: 'Unknown Message', code: 10_008 }]
      Object.assign(message, contentOf(given), { edits: message.edits + 1 })
      return [200, asMessage(message)]
    }
    const acknowledged = match(/^POST \/interactions\/(\d+)\/([^/]+)\/callback$/)
    if (acknowledged) {
      const [id = '', token = ''] = acknowledged
      if (deferred.has(token)) return [400, { message: 'Already acknowledged', code: 40_060 }]
      deferred.add(token)
      state.acknowledged.push([id, given.type ?? 0])
      return [204]
    }
    const followed = match(/^(?:POST|PATCH|DELETE) \/webhooks\/\d+\/([^/]+)(?:\/messages\/@original)?$/)?.[0]
    if (followed !== undefined) {
      if (!deferred.has(followed)) return [404, { message: 'Unknown Webhook', code: 10_015 }]
      if (!call.startsWith('DELETE')) state.answers.push({ token: followed, text: contentOf(given).text })
      return call.startsWith('DELETE') ? [204] : [200, { id: newId() }]
    }
    return [404, { message: `404: ${call}`, code: 0 }]
  }

  const gateway = new WebSocketServer({ server })
  gateway.on('connection', (socket) => {
    const say = (packet: object): void => socket.send(JSON.stringify(packet))
    say({ op: 10, d: { heartbeat_interval: 2000 } })
    const dispatch = (from: number): void => {
      live = socket
      for (const [index, { t, d }] of sent.entries()) if (index + 2 > from) say({ op: 0, t, d, s: index + 2 })
    }
    socket.on('message', (data: Buffer) => {
      const { op, d } = JSON.parse(data.toString('utf8')) as { op: number; d: Record<string, unknown> }
      if (op === 1) say({ op: 11 })
      if (op === 2) {
        if (((d['intents'] as number) & (1 << 15)) !== 0 && !state.allowsContent)
          return socket.close(4014, 'Disallowed intent(s).')
        const url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}`
        sent.length = 0
        say({ op: 0, t: 'READY', s: 1, d: { session_id: 'one', resume_gateway_url: url } })
        live = socket
      }
      if (op === 6) {
        state.resumed++
        dispatch(d['seq'] as number)
      }
      return undefined
    })
    socket.on('close', () => {
      if (live === socket) live = undefined
    })
  })

  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  return Object.assign(state, {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sockets: () => (live ? 1 : 0),
    send(t: string, d: object) {
      sent.push({ t, d })
      live?.send(JSON.stringify({ op: 0, t, d, s: sent.length + 1 }))
    },
    repeat() {
      for (const [index, { t, d }] of sent.entries())
        live?.send(JSON.stringify({ op: 0, t, d, s: index + 2 }))
    },
    async [Symbol.asyncDispose]() {
      for (const socket of gateway.clients) socket.terminate()
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  })
}
