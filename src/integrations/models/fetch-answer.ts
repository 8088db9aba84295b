import { APICallError } from '@ai-sdk/provider'

/**
 * The fetch of all providers. It says so when an address redirects or holds a web page, where the packages would
 * report an invalid answer or try again.
 * @throws APICallError
 */
export async function fetchAnswer(...request: Parameters<typeof fetch>): Promise<Response> {
  const [address, given] = request
  const response = await fetch(address, { ...given, ...(await withoutLimits()) })
  const isPage = /^text\/html\b/i.test(response.headers.get('content-type') ?? '')
  if (response.redirected && (isPage || !response.ok)) {
    const { origin, pathname } = new URL(response.url)
    throw await refuse(response, 404, `it has moved to ${origin}${pathname}`)
  }
  if (response.ok && isPage) throw await refuse(response, 200, 'a page in HTML came')
  return response
}

let limitless: Pick<RequestInit, 'dispatcher'> | undefined

/**
 * Node gives up after five minutes without headers, which servers send with the first word: a slow one reads for longer.
 * Callers have limits of their own. What Node sends requests with, and its proxies, can only be had after its first fetch.
 */
async function withoutLimits(): Promise<Pick<RequestInit, 'dispatcher'>> {
  if (limitless) return limitless
  await fetch('data:,')
  const usual: unknown = Reflect.get(globalThis, Symbol.for('undici.globalDispatcher.1'))
  limitless = isDispatcher(usual)
    ? {
        dispatcher: usual.compose(
          (dispatch) => (options, handler) =>
            dispatch({ ...options, headersTimeout: 0, bodyTimeout: 0 }, handler),
        ),
      }
    : {}
  return limitless
}

type Dispatcher = NonNullable<RequestInit['dispatcher']>

function isDispatcher(value: unknown): value is Dispatcher {
  return typeof value === 'object' && value !== null && 'dispatch' in value && 'compose' in value
}

async function refuse(response: Response, statusCode: number, message: string): Promise<APICallError> {
  await response.body?.cancel().catch(() => undefined)
  return new APICallError({
    message,
    statusCode,
    url: response.url,
    requestBodyValues: {},
    isRetryable: false,
  })
}
