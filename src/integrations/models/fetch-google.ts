import { fetchAnswer } from './fetch-answer.ts'
import { asJson, remade } from './remake-answer.ts'

/** The fetch for Google's models: a server that cannot stream gives its answers whole, one or a list of them. */
export async function fetchGoogle(...request: Parameters<typeof fetch>): Promise<Response> {
  const response = await fetchAnswer(...request)
  const [asked] = request
  const streams = String(asked instanceof Request ? asked.url : asked).includes(':streamGenerateContent')
  const { text, value } = streams ? await asJson(response) : {}
  if (text === undefined) return response
  const answers: unknown[] = Array.isArray(value) ? value : [value]
  return remade(response, answers.map((answer) => `data: ${JSON.stringify(answer)}\n\n`).join(''))
}
