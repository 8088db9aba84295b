import { fetchAnswer } from './fetch-answer.ts'
import { isRecord } from '../../lib/is-record.ts'
import { asJson, remade } from './remake-answer.ts'

/** The fetch for OpenAI's Responses, of which gateways leave out what is mostly empty. */
export async function fetchResponses(...request: Parameters<typeof fetch>): Promise<Response> {
  const response = await fetchAnswer(...request)
  const { text, value } = await asJson(response)
  if (text === undefined) return response
  const output = isRecord(value) && Array.isArray(value['output']) ? value['output'].filter(isRecord) : []
  const parts = output.flatMap(({ content }) => (Array.isArray(content) ? content.filter(isRecord) : []))
  for (const part of parts) if (part['type'] === 'output_text') part['annotations'] ??= []
  return remade(response, JSON.stringify(value))
}
