import { APICallError } from '@ai-sdk/provider'

/**
 * The fetch of all providers. It says so when an address redirects or holds a web page, where the packages would
 * report an invalid answer or try again.
 * @throws APICallError
 */
export async function fetchAnswer(...request: Parameters<typeof fetch>): Promise<Response> {
  const response = await fetch(...request)
  const isPage = /^text\/html\b/i.test(response.headers.get('content-type') ?? '')
  if (response.redirected && (isPage || !response.ok)) {
    const { origin, pathname } = new URL(response.url)
    throw await refuse(response, 404, `it has moved to ${origin}${pathname}`)
  }
  if (response.ok && isPage) throw await refuse(response, 200, 'a page in HTML came')
  return response
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
