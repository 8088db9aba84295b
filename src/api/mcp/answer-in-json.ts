import {
  isLegacyRequest,
  WebStandardStreamableHTTPServerTransport,
  type McpServer,
} from '@modelcontextprotocol/server'

/**
 * The headers that the protocol asks for, whatever a client sends: those of scripts accept anything, JSON alone or
 * nothing, and give JSON another type, while their body says what it is.
 */
export function protocolHeaders(sent: Headers): Headers {
  const headers = new Headers(sent)
  headers.set('accept', 'application/json, text/event-stream')
  headers.set('content-type', 'application/json')
  return headers
}

/**
 * Answers a request of a revision from 2025 with one JSON document, for clients that do not say that they read event
 * streams. The library would always send such a stream; with newer revisions it sends JSON by itself.
 * @param request with the headers that the protocol asks for
 * @returns undefined where the library has to answer
 */
export async function answerInJson(
  request: Request,
  parsedBody: unknown,
  createServer: () => McpServer,
): Promise<Response | undefined> {
  if (!(await isLegacyRequest(request, parsedBody))) return undefined
  const server = createServer()
  // Without a generator of session ids there are no sessions.
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
  try {
    await server.connect(transport)
    return await transport.handleRequest(request, { parsedBody })
  } finally {
    await server.close()
  }
}
