import type { LanguageModelV4Text } from '@ai-sdk/provider'
import { isRecord } from '../../lib/is-record.ts'
import type { Transcript } from '../transcript.ts'
import { composeAnswer } from './compose-answer.ts'
import { readResults } from './search-results.ts'

/** Answers with sentences from the results of the searches that the transcript holds. */
export function answerQuestion(transcript: Transcript): LanguageModelV4Text[] {
  const question = (transcript.asked.at(-1) ?? '').trim()
  const results = transcript.calls.flatMap((call) =>
    call.output?.ok === true ? readResults(call.output.value) : [],
  )
  const input = transcript.calls.find((call) => call.tool === 'search')?.input
  const query = isRecord(input) && typeof input['query'] === 'string' ? input['query'] : question
  // A query that begins with the question goes on with words of the questions before it.
  const [asked, earlier] = query.startsWith(question) ? [question, query.slice(question.length)] : [query, '']
  return [{ type: 'text', text: composeAnswer(asked, earlier, results) }]
}
