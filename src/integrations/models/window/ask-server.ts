import { isRecord } from '../../../lib/is-record.ts'
import { endingSignal } from '../../../lib/ending-signal.ts'

/** Milliseconds for one address. */
const millisecondsOfAnAnswer = 2000
/** Milliseconds until a server that loads models on demand has loaded one, which its next answer would wait for too. */
const millisecondsOfLoading = 20_000
const mostBytes = 8 * 1024 * 1024
const noAnswer = Symbol('no answer')

interface Server {
  /** The model as the server names it. */
  id: string
  key: string | undefined
  /** The whole address of its interface, which mostly ends in `/v1`. */
  url: string
}

/**
 * Asks a server with OpenAI's interface how many tokens its model reads and writes in one call. There is no common way:
 * some say it in the list of models, others at addresses of their own.
 * @returns undefined where the server does not say; never rejects
 */
export async function askForWindow(
  server: Server,
  fetcher: typeof fetch = fetch,
): Promise<number | undefined> {
  const root = server.url.replace(/\/(?:v\d\w{0,9}|openai)\/?$/, '').replace(/\/$/, '')
  const get = (url: string): Promise<unknown> => ask(fetcher, server, url)
  const list = await get(`${server.url.replace(/\/$/, '')}/models`)
  // A server that does not answer this is not asked for more.
  if (list === noAnswer) return undefined
  const listed = windowIn(entryOf(list, server.id))
  if (listed !== undefined) return listed
  // The order of trust: what runs comes before what is set up.
  const [props, running, loaded, gateway, info] = await Promise.all(
    ['/props', '/api/ps', '/api/v0/models', '/model/info', '/info'].map((path) => get(`${root}${path}`)),
  )
  const window =
    windowIn(isRecord(props) ? props['default_generation_settings'] : undefined) ??
    windowIn(entryOf(running, server.id)) ??
    windowIn(entryOf(loaded, server.id)) ??
    windowIn(entryOf(gateway, server.id)) ??
    windowIn(info)
  if (window !== undefined || !isRecord(running) || !Array.isArray(running['models'])) return window
  // This server runs no model that is not used. Asked without a prompt, it only loads it.
  const body = JSON.stringify({ model: server.id })
  await ask(fetcher, server, `${root}/api/generate`, { method: 'POST', body }, millisecondsOfLoading)
  return windowIn(entryOf(await get(`${root}/api/ps`), server.id))
}

async function ask(
  fetcher: typeof fetch,
  { key }: Server,
  url: string,
  more: RequestInit = {},
  milliseconds = millisecondsOfAnAnswer,
): Promise<unknown> {
  using waiting = endingSignal({ milliseconds })
  try {
    const headers = {
      ...(more.body !== undefined && { 'content-type': 'application/json' }),
      ...(key !== undefined && { Authorization: `Bearer ${key}` }),
    }
    const response = await fetcher(url, { ...more, headers, signal: waiting.signal, redirect: 'error' })
    if (!response.ok) {
      await response.body?.cancel().catch(() => undefined)
      return undefined
    }
    const chunks: Uint8Array[] = []
    let size = 0
    for await (const chunk of response.body ?? []) {
      size += chunk.length
      if (size > mostBytes) return undefined
      chunks.push(chunk)
    }
    return JSON.parse(Buffer.concat(chunks).toString('utf8'))
  } catch {
    return waiting.signal.aborted ? noAnswer : undefined
  }
}

const nameKeys = ['id', 'model', 'name', 'model_name', 'key']

/** What a list says of one model. A server that runs a single one may call it by the path of its file. */
function entryOf(list: unknown, id: string): unknown {
  if (!isRecord(list)) return undefined
  const entries = [list['data'], list['models']].flatMap((some: unknown) => (Array.isArray(some) ? some : []))
  const named = entries.filter(isRecord)
  const isNamed = (entry: Record<string, unknown>, name: string): boolean =>
    nameKeys.some((key) => entry[key] === name)
  const own = named.filter((entry) => isNamed(entry, id) || isNamed(entry, `${id}:latest`))
  if (own.length > 0) return own.find((entry) => windowIn(entry) !== undefined)
  // One entry in each of two lists is one model.
  const ids = new Set(
    named.map((entry) => nameKeys.map((key) => entry[key]).find((name) => name !== undefined)),
  )
  return ids.size === 1 && isAnyName(list) ? named.find((entry) => windowIn(entry) !== undefined) : undefined
}

// A server that runs what it is asked for lists other models than the one that is meant.
function isAnyName(list: Record<string, unknown>): boolean {
  return Array.isArray(list['data'])
}

/** In the order of trust: what a server has set aside comes before what the model could do. */
const windowKeys = [
  'n_ctx',
  'loaded_context_length',
  'max_model_len',
  'context_length',
  'context_window',
  'max_context_length',
  'max_total_tokens',
  'max_input_tokens',
]
const nestedKeys = ['meta', 'model_info', 'top_provider', 'config', 'parameters']

function windowIn(entry: unknown): number | undefined {
  if (!isRecord(entry) || entry['state'] === 'not-loaded') return undefined
  const places = [entry, ...nestedKeys.map((key) => entry[key]).filter(isRecord)]
  const windows = windowKeys.flatMap((key) => places.map((place) => place[key]).filter(isWindow))
  const [first] = windows
  const { top_provider: provider } = entry
  // Of a model with several providers, the least counts.
  const least = isRecord(provider) ? provider['context_length'] : undefined
  return first !== undefined && isWindow(least) ? Math.min(first, least) : first
}

function isWindow(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 256
}
