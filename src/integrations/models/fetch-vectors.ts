import { isRecord } from '../../lib/is-record.ts'
import { fetchAnswer } from './fetch-answer.ts'
import { asJson, remade } from './remake-answer.ts'

/**
 * The fetch for servers with OpenAI's embeddings. The package takes vectors in the order in which they come, but each
 * carries the place of its text, and a server that works in parallel sends them in another order. Some servers send
 * base64 whatever is asked for.
 */
export async function fetchVectors(...request: Parameters<typeof fetch>): Promise<Response> {
  const response = await fetchAnswer(...request)
  const { text, value } = await asJson(response)
  if (text === undefined) return response
  if (!isRecord(value) || !Array.isArray(value['data'])) return remade(response, text)
  const data = value['data']
    .filter(isRecord)
    .toSorted((a, b) => Number(a['index'] ?? 0) - Number(b['index'] ?? 0))
    .map(({ embedding, ...rest }) => ({ ...rest, embedding: numbersOf(embedding) }))
  return remade(response, JSON.stringify({ ...value, data }))
}

function numbersOf(embedding: unknown): unknown {
  if (typeof embedding !== 'string') return embedding
  const bytes = Uint8Array.from(Buffer.from(embedding, 'base64'))
  return Array.from(new Float32Array(bytes.buffer, 0, Math.floor(bytes.length / 4)))
}
