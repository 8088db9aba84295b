import type { LanguageModelV4Text, LanguageModelV4ToolCall } from '@ai-sdk/provider'
import { z } from 'zod'
import { replay, type Plan } from '../replay.ts'
import type { Transcript } from '../transcript.ts'
import { composeAnswer } from './compose-answer.ts'
import { searchQuery } from './search-query.ts'

const text = z
  .string()
  .nullish()
  .transform((value) => value ?? '')
const result = z.object({ path: text, url: text, title: text, heading: text, content: text })
const output = z.object({ results: z.array(z.unknown()) })

export type SearchResult = z.infer<typeof result>

/** One search, then an answer in the words of what it found. */
export function answerQuestion(
  transcript: Transcript,
  canSearch: boolean,
): (LanguageModelV4Text | LanguageModelV4ToolCall)[] {
  const question = transcript.asked.at(-1) ?? ''
  const query = searchQuery(transcript.asked)
  const results = transcript.calls.flatMap((call) =>
    call.output?.ok === true ? readResults(call.output.value) : [],
  )
  const searched = transcript.calls.some((call) => call.output !== undefined)
  if (!searched && canSearch && query !== '') {
    const progress = replay(search(query), transcript, undefined)
    if (!progress.done) {
      return progress.calls.map(({ id, call }) => ({
        type: 'tool-call',
        toolCallId: id,
        toolName: call.tool,
        input: JSON.stringify(call.input),
      }))
    }
  }
  const context = query.startsWith(question.trim()) ? query.slice(question.trim().length) : ''
  return [{ type: 'text', text: composeAnswer(question, context, results) }]
}

function* search(query: string): Plan<undefined> {
  yield [{ tool: 'search', input: { query } }]
  return undefined
}

function readResults(value: unknown): SearchResult[] {
  const parsed = output.safeParse(value)
  if (!parsed.success) return []
  return parsed.data.results.slice(0, 50).flatMap((item) => {
    const found = result.safeParse(item)
    return found.success ? [found.data] : []
  })
}
