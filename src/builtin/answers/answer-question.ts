import type { LanguageModelV4Text, LanguageModelV4ToolCall } from '@ai-sdk/provider'
import { replay, toolCalls, type Plan } from '../replay.ts'
import type { Transcript } from '../transcript.ts'
import { composeAnswer } from './compose-answer.ts'
import { searchQuery } from '../../lib/question-terms.ts'
import { readResults } from './search-results.ts'

/** Searches once, then answers with sentences from the results. */
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
    if (!progress.done) return toolCalls(progress.calls)
  }
  const context = query.startsWith(question.trim()) ? query.slice(question.trim().length) : ''
  return [{ type: 'text', text: composeAnswer(question, context, results) }]
}

function* search(query: string): Plan<undefined> {
  yield [{ tool: 'search', input: { query } }]
  return undefined
}
