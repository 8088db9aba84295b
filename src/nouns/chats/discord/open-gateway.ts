import { z } from 'zod'
import { keepNewest } from '../../../lib/keep-newest.ts'
import type { Socket, SocketPorts } from '../platform.ts'
import { askDiscord } from './api.ts'
import { interactionIn, isCommand, isThreadType } from './read-packet.ts'

/** After Discord’s documentation of its gateway. */
const op = {
  dispatch: 0,
  heartbeat: 1,
  identify: 2,
  resume: 6,
  reconnect: 7,
  invalid: 9,
  hello: 10,
  beaten: 11,
}
/** Servers, their messages and direct messages, and what messages say. */
const intents = { usual: (1 << 0) | (1 << 9) | (1 << 12), content: 1 << 15 }
/** The app may not ask for what messages say. */
const disallowed = 4014
/** Milliseconds until the gateway must have greeted. */
const patience = 20_000
const mostChannels = 20_000

const packet = z.looseObject({
  op: z.int(),
  t: z.string().nullish(),
  s: z.int().nullish(),
  d: z.unknown().optional(),
})
const hello = z.looseObject({ heartbeat_interval: z.int().min(1000) })
const ready = z.looseObject({ session_id: z.string(), resume_gateway_url: z.string() })
const session = z.object({ id: z.string(), url: z.string(), at: z.int() })
const channel = z.looseObject({ id: z.string(), type: z.int(), parent_id: z.string().nullish() })
const server = z.looseObject({
  channels: z.array(channel).default([]),
  threads: z.array(channel).default([]),
})
const message = z.looseObject({ channel_id: z.string(), guild_id: z.string().optional() })

/** The packets that somebody has to do with. */
const wanted = new Set(['MESSAGE_CREATE', 'INTERACTION_CREATE', 'GUILD_DELETE'])

/**
 * Opens the connection by which Discord sends what happens. It goes on where the last one stopped, so that nothing is lost
 * between two processes. It is not opened again when it ends.
 */
export function openGateway(api: string, token: string, ports: SocketPorts): Socket {
  const { keep, reportError, ended } = ports
  let before = readSession(ports.session)
  let socket: WebSocket | undefined
  let beating: NodeJS.Timeout | undefined
  let isBeaten = true
  let isOver = false
  /** Packets are kept one after the other, so that the place to go on from is never ahead. */
  let keeping: Promise<void> = Promise.resolve()
  /** The parents of threads; empty for other channels. */
  const parents = new Map<string, string>()

  const end = (): void => {
    if (isOver) return
    isOver = true
    clearTimeout(waiting)
    clearTimeout(beating)
    // Any other code would end the session, which the next process goes on with.
    socket?.close(4000)
    ended()
  }
  const waiting = setTimeout(end, patience)
  const send = (code: number, d: unknown): void => {
    if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify({ op: code, d }))
  }
  const fail = (error: unknown): void => {
    if (!isOver) reportError(error)
    end()
  }

  function beat(every: number, first = every): void {
    clearTimeout(beating)
    beating = setTimeout(() => {
      // A connection that does not answer is dead, whatever the network says.
      if (!isBeaten) return end()
      isBeaten = false
      send(op.heartbeat, before?.at ?? null)
      beat(every)
    }, first)
  }

  function greet(content: boolean): void {
    if (before) return send(op.resume, { token, session_id: before.id, seq: before.at })
    send(op.identify, {
      token,
      intents: intents.usual | (content ? intents.content : 0),
      properties: { os: process.platform, browser: 'docwright', device: 'docwright' },
    })
  }

  async function keepPacket(type: string, d: unknown, at: number): Promise<void> {
    if (type === 'READY') {
      const { session_id: id, resume_gateway_url: url } = ready.parse(d)
      before = { id, url, at }
    }
    if (type === 'GUILD_CREATE') {
      const { channels, threads } = server.parse(d)
      for (const one of [...channels, ...threads]) noteChannel(one)
    }
    if (before) before = { ...before, at }
    if (!wanted.has(type)) return
    const body = JSON.stringify({ t: type, d: type === 'MESSAGE_CREATE' ? await withParent(d) : d })
    await keep({ contentType: 'application/json', body }, before && JSON.stringify(before))
    const interaction = interactionIn(body)
    if (!interaction) return
    // Within three seconds: what says more comes later. One that was sent again was answered before.
    const answer = isCommand(interaction) ? { type: 5, data: { flags: 64 } } : { type: 6 }
    await askDiscord(api, undefined, `interactions/${interaction.id}/${interaction.token}/callback`, {
      method: 'POST',
      body: answer,
    }).catch(() => undefined)
  }

  function noteChannel({ id, type, parent_id: parent }: z.output<typeof channel>): string {
    const of = isThreadType(type) ? (parent ?? '') : ''
    keepNewest(parents, mostChannels, id, of)
    return of
  }

  /** Discord does not say with a message in which channel its thread is. */
  async function withParent(d: unknown): Promise<unknown> {
    const said = message.parse(d)
    if (said.guild_id === undefined) return said
    const parent =
      parents.get(said.channel_id) ??
      noteChannel(channel.parse(await askDiscord(api, token, `channels/${said.channel_id}`)))
    return parent === '' ? said : { ...said, parent_id: parent }
  }

  function receive(text: string, content: boolean): void {
    const { op: code, t, s, d } = packet.parse(JSON.parse(text))
    if (code === op.hello) {
      clearTimeout(waiting)
      const every = hello.parse(d).heartbeat_interval
      beat(every, every * Math.random())
      greet(content)
    } else if (code === op.heartbeat) send(op.heartbeat, before?.at ?? null)
    else if (code === op.beaten) isBeaten = true
    else if (code === op.reconnect) end()
    else if (code === op.invalid) {
      // The session is over, unless Discord says that it can be gone on with.
      if (d !== true) before = undefined
      greet(content)
    } else if (code === op.dispatch && typeof t === 'string' && typeof s === 'number')
      keeping = keeping.then(() => (isOver ? undefined : keepPacket(t, d, s))).catch(fail)
  }

  function open(url: string, content: boolean): void {
    const address = new URL(url)
    address.search = '?v=10&encoding=json'
    const opened = new WebSocket(address)
    socket = opened
    opened.addEventListener('message', ({ data }) => {
      try {
        receive(String(data), content)
      } catch (error) {
        fail(error)
      }
    })
    opened.addEventListener('error', end)
    opened.addEventListener('close', ({ code, reason }) => {
      if (isOver) return
      if (code === disallowed && content) {
        clearTimeout(beating)
        return open(url, false)
      }
      if (code >= 4000) reportError(new Error(`Discord closed the connection: ${reason || code}`))
      end()
    })
  }

  const opening = before
    ? Promise.resolve(before.url)
    : askDiscord(api, token, 'gateway/bot').then(
        (answer) => z.looseObject({ url: z.string() }).parse(answer).url,
      )
  opening.then((url) => (isOver ? undefined : open(url, true))).catch(fail)
  return { close: end }
}

function readSession(text: string | undefined): z.output<typeof session> | undefined {
  return text === undefined ? undefined : session.safeParse(JSON.parse(text)).data
}
