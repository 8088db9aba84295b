import { jsonOf } from '../../lib/text/json-of.ts'

/** Reads the body of a successful JSON answer; undefined for others. */
export async function asJson(response: Response): Promise<{ text?: string; value?: unknown }> {
  const type = response.headers.get('content-type') ?? ''
  if (!response.ok || response.body === null || !/^application\/json\b/i.test(type)) return {}
  const text = await response.text()
  return { text, value: jsonOf(text) ?? text }
}

/** The same answer with another body. */
export function remade(
  response: Response,
  body: string | ReadableStream,
  status = response.status,
): Response {
  const headers = new Headers(response.headers)
  // The body has changed, so its length and encoding do not apply.
  for (const name of ['content-length', 'content-encoding']) headers.delete(name)
  return new Response(body, { status, headers })
}
