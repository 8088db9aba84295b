import { isRecord, readFrames, type Frame } from './frames.ts'

/** Where the assistant is, and who asks. */
export interface Address {
  /** Origin of the server, such as `https://docwright.example.com`. */
  server: string
  domain: string
  /** A public assistant key. Without one the browser's session or the project's setting decides. */
  key: string | undefined
  /** Token of a session, for people who are signed in on the server's own pages. */
  csrf: string | undefined
}

/** Why the server did not answer, in its own words. */
export class Refusal extends Error {
  readonly status: number
  /** Seconds. */
  readonly wait: number | undefined

  constructor(status: number, message: string, wait: number | undefined) {
    super(message)
    this.status = status
    this.wait = wait
  }
}

export interface Server {
  ask(body: object, signal: AbortSignal): Promise<AsyncGenerator<Frame, void, undefined>>
  /** The frames of an answer from its beginning; undefined when none is under way. */
  resume(chatId: string, signal: AbortSignal): Promise<AsyncGenerator<Frame, void, undefined> | undefined>
  rate(body: object): Promise<void>
  starters(path: string): Promise<string[]>
}

export function createServer({ server, domain, key, csrf }: Address): Server {
  const base = `${server}/discovery/v2/assistant/${encodeURIComponent(domain)}`
  const send = async (path: string, body?: object, signal?: AbortSignal): Promise<Response> => {
    const response = await fetch(`${base}/${path}`, {
      method: body ? 'POST' : 'GET',
      headers: {
        'X-Docwright-Client': 'widget',
        ...(body && { 'Content-Type': 'application/json' }),
        ...(key === undefined
          ? csrf !== undefined && { 'X-CSRF-Token': csrf }
          : { Authorization: `Bearer ${key}` }),
      },
      credentials: key === undefined ? 'same-origin' : 'omit',
      cache: 'no-store',
      ...(body && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
    })
    if (!response.ok) throw await refusalOf(response)
    return response
  }
  return {
    async ask(body, signal) {
      return framesOf(await send('message', body, signal))
    },
    async resume(chatId, signal) {
      const response = await send(`message/${encodeURIComponent(chatId)}/stream`, undefined, signal)
      return response.status === 200 ? framesOf(response) : undefined
    },
    async rate(body) {
      await send('feedback', body)
    },
    async starters(path) {
      const response = await send(`starters?path=${encodeURIComponent(path)}`)
      const value: unknown = await response.json()
      const questions = isRecord(value) ? value['questions'] : undefined
      return Array.isArray(questions) ? questions.filter((one) => typeof one === 'string') : []
    },
  }
}

function framesOf({ body }: Response): AsyncGenerator<Frame, void, undefined> {
  if (!body) throw new TypeError('The answer is empty')
  return readFrames(body)
}

async function refusalOf(response: Response): Promise<Refusal> {
  const wait = Number(response.headers.get('retry-after'))
  let message = ''
  try {
    const value: unknown = await response.json()
    if (isRecord(value) && typeof value['error'] === 'string') message = value['error']
  } catch {
    // A proxy's own page says nothing to readers.
  }
  return new Refusal(response.status, message, wait > 0 ? Math.ceil(wait) : undefined)
}
