import { undescribed } from './described-answers.ts'

/** Every answer that a test gets from a server is one that the API's description has. */
const plainFetch = globalThis.fetch

globalThis.fetch = async (input, init) => {
  const response = await plainFetch(input, init)
  const request = input instanceof Request ? input : undefined
  const isOurs = response.headers.get('x-request-id')?.startsWith('req_') === true
  const asked = request?.url ?? String(input)
  // What was redirected is no answer of the operation that was asked for.
  if (!isOurs || (response.redirected && response.url !== asked)) return response
  const wrong = await undescribed(init?.method ?? request?.method ?? 'GET', asked, response)
  if (wrong !== undefined) throw new Error(`An answer is not as openapi.json describes it: ${wrong}`)
  return response
}
