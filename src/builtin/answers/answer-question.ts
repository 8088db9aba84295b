import type { LanguageModelV4Text, LanguageModelV4ToolCall } from '@ai-sdk/provider'
import { isCourtesy } from '../../lib/prompts/courtesies.ts'
import { isRecord } from '../../lib/is-record.ts'
import { questionTerms } from '../../lib/prompts/question-terms.ts'
import { replay, toolCalls, type Plan } from '../replay.ts'
import type { ToolOutput, Transcript } from '../transcript.ts'
import { knownWords } from './find-missing.ts'
import { composeAnswer, type Answer } from './compose-answer.ts'
import { isFrequent, languageOf, phrasesIn } from './phrases.ts'
import { readFound } from './search-results.ts'

/** What the server may know of an answer without reading its text: the `docwright` of its provider metadata. */
export type Judgement = Omit<Answer, 'text' | 'outcome'> & {
  outcome: Answer['outcome'] | 'greeting' | 'clarified'
}

const thanks =
  /thank|thx|\bty\b|cheers|dank|merci|gracia|obrigad|grazie|\btack\b|спасибо|谢|謝|感谢|ありがとう|감사|고마/i

/** Answers with quotes from the results of a search, which it makes itself where it is given none. */
export function answerQuestion(
  transcript: Transcript,
  canSearch: boolean,
): { content: (LanguageModelV4Text | LanguageModelV4ToolCall)[]; judgement?: Judgement } {
  const text = transcript.asked.at(-1) ?? ''
  const phrases = phrasesIn(languageOf(text) ?? 'en')
  if (isCourtesy(text))
    return said(thanks.test(text) ? phrases.thanks : phrases.greeting, { outcome: 'greeting', missing: [] })
  const searches = transcript.calls.filter((call) => call.output !== undefined)
  const presetSearch = searches.find(({ id }) => !id.startsWith('call_'))
  const query = queryOf(presetSearch?.input) ?? text
  if (questionTerms(query).size === 0) return said(phrases.greeting, { outcome: 'clarified', missing: [] })
  if (canSearch) {
    const progress = replay(search(query, text, presetSearch?.output), transcript, undefined)
    if (!progress.done) return { content: toolCalls(progress.calls) }
  }
  const outputs = searches.flatMap(({ output }) => (output?.ok === true ? readFound(output.value) : []))
  // A query that begins with the question goes on with words of the questions before it.
  const isQuestion = query.startsWith(text.trim())
  const context = isQuestion ? query.slice(text.trim().length) : ''
  const { text: answer, ...judgement } = composeAnswer({
    text: isQuestion ? text : query,
    context,
    results: outputs.flatMap(({ results }) => results),
    near: outputs.flatMap(({ near }) => near),
    unknown: outputs.flatMap(({ unknown }) => unknown),
    rarities: new Map(outputs.flatMap(({ rarities }) => Object.entries(rarities))),
  })
  return said(answer, judgement)
}

function said(text: string, judgement: Judgement) {
  return { content: [{ type: 'text' as const, text }], judgement }
}

function queryOf(input: unknown): string | undefined {
  return isRecord(input) && typeof input['query'] === 'string' ? input['query'] : undefined
}

function* search(query: string, question: string, given: ToolOutput | undefined): Plan<undefined> {
  const [output] = given ? [given] : yield [{ tool: 'search', input: { query } }]
  const [found] = output?.ok === true ? readFound(output.value) : []
  if (!found || found.results.length > 0) return undefined
  // Too much of the question is in no page, or in another language: what is left may be half of an answer.
  const language = languageOf(question) ?? 'en'
  const known = knownWords(query, found.unknown).filter(
    (word) => !isFrequent(word, language) || language === 'en',
  )
  const rest = known.join(' ')
  if (rest !== query && [...questionTerms(rest).values()].includes(1))
    yield [{ tool: 'search', input: { query: rest } }]
  return undefined
}
