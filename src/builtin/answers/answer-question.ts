import type { LanguageModelV4Text, LanguageModelV4ToolCall } from '@ai-sdk/provider'
import { questionTerms, searchQuery } from '../../lib/question-terms.ts'
import { replay, toolCalls, type Plan } from '../replay.ts'
import type { Transcript } from '../transcript.ts'
import { composeAnswer, type Answer } from './compose-answer.ts'
import { languageOf, phrasesIn, readGreeting } from './phrases.ts'
import { readFound } from './search-results.ts'

/** What the server may know of an answer without reading its text: the `docwright` of its provider metadata. */
export type Judgement = Omit<Answer, 'text' | 'outcome'> & {
  outcome: Answer['outcome'] | 'greeting' | 'clarified'
}

/** Searches once, then answers with quotes from the results. */
export function answerQuestion(
  transcript: Transcript,
  canSearch: boolean,
): { content: (LanguageModelV4Text | LanguageModelV4ToolCall)[]; judgement?: Judgement } {
  const text = transcript.asked.at(-1) ?? ''
  const phrases = phrasesIn(languageOf(text) ?? 'en')
  const greeting = readGreeting(text)
  if (greeting !== undefined) return said(phrases[greeting], { outcome: 'greeting', missing: [] })
  const query = searchQuery(transcript.asked)
  if (questionTerms(query).size === 0) return said(phrases.greeting, { outcome: 'clarified', missing: [] })
  const searched = transcript.calls.some((call) => call.output !== undefined)
  if (!searched && canSearch) {
    const progress = replay(search(query), transcript, undefined)
    if (!progress.done) return { content: toolCalls(progress.calls) }
  }
  const found = transcript.calls.flatMap((call) =>
    call.output?.ok === true ? readFound(call.output.value) : [],
  )
  const context = query.startsWith(text.trim()) ? query.slice(text.trim().length) : ''
  const { text: answer, ...judgement } = composeAnswer({
    text,
    context,
    results: found.flatMap(({ results }) => results),
    unknown: found.flatMap(({ unknown }) => unknown),
  })
  return said(answer, judgement)
}

function said(text: string, judgement: Judgement) {
  return { content: [{ type: 'text' as const, text }], judgement }
}

function* search(query: string): Plan<undefined> {
  yield [{ tool: 'search', input: { query } }]
  return undefined
}
