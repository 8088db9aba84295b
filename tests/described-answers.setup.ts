import { undescribed, undescribedEvent } from './described-answers.ts'

/** What this file is run for once with each test file of a process, which all have one `fetch`. */
const shared: typeof globalThis & { docwrightPlainFetch?: typeof fetch } = globalThis
const plainFetch = (shared.docwrightPlainFetch ??= globalThis.fetch)

/** Every answer that a test gets from a server is one that the API's description has. */
globalThis.fetch = async (input, init) => {
  const response = await plainFetch(input, init)
  const request = input instanceof Request ? input : undefined
  const isOurs = response.headers.get('x-request-id')?.startsWith('req_') === true
  const asked = input instanceof Request ? input.url : input instanceof URL ? input.href : input
  // What was redirected is no answer of the operation that was asked for.
  if (!isOurs || (response.redirected && response.url !== asked)) return response
  const method = init?.method ?? request?.method ?? 'GET'
  refuse(await undescribed(method, asked, response))
  if (response.headers.get('content-type')?.startsWith('text/event-stream')) {
    // A stream that is read as a whole. Others are left alone: a copy would keep them open.
    const readText = response.text.bind(response)
    Object.assign(response, {
      async text() {
        const text = await readText()
        refuse(undescribedEvent(method, asked, text))
        return text
      },
    })
  }
  return response
}

function refuse(wrong: string | undefined): void {
  if (wrong !== undefined) throw new Error(`An answer is not as openapi.json describes it: ${wrong}`)
}
