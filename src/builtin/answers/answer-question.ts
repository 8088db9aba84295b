import type { LanguageModelV4Text, LanguageModelV4ToolCall } from '@ai-sdk/provider'
import { isCourtesy } from '../../lib/prompts/courtesies.ts'
import { isRecord } from '../../lib/is-record.ts'
import {
  errorCodesIn,
  isErrorMessage,
  isTrouble,
  isWritten,
  readPasted,
} from '../../lib/prompts/pasted-text.ts'
import { questionTerms } from '../../lib/prompts/question-terms.ts'
import { replay, toolCalls, type Plan } from '../replay.ts'
import type { ToolOutput, Transcript } from '../transcript.ts'
import { knownWords } from './find-missing.ts'
import { judgeAnswer, writeAnswer, type Answer, type Judged } from './compose-answer.ts'
import { chooseLine, joinParts } from './join-parts.ts'
import { isFrequent, languageOf, phrasesIn } from './phrases.ts'
import { readFound, type SearchResult } from './search-results.ts'
import { splitQuestion } from './split-question.ts'

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
  // A query that begins with the question goes on with words of the questions before it.
  const isQuestion = query.startsWith(text.trim())
  const wording = isQuestion ? text : query
  const pasted = readPasted(text)
  // One line is a question in words, unless it has what documentation repeats as it is, or begins as programs do.
  const isPasted =
    pasted.rest !== '' || (isErrorMessage(text) && (errorCodesIn(text).length > 0 || isWritten(text)))
  const lines = isPasted ? linesOf(pasted.asked) : []
  const codes = isPasted ? errorCodesIn(pasted.asked, text) : []
  const parts = lines.length > 0 ? [...new Set([...lines, ...codes])] : splitQuestion(wording)
  if (canSearch) {
    const progress = replay(
      search(
        { query, question: text, parts: lines.length > 0 ? codes : parts.length > 1 ? parts : [] },
        presetSearch?.output,
      ),
      transcript,
      undefined,
    )
    if (!progress.done) return { content: toolCalls(progress.calls) }
  }
  const searched = searches.map(({ input, output }) => ({
    query: queryOf(input),
    outputs: output?.ok === true ? readFound(output.value) : [],
  }))
  const rarities = new Map(
    searched.flatMap(({ outputs }) => outputs.flatMap((one) => Object.entries(one.rarities))),
  )
  const context = isQuestion ? query.slice(text.trim().length) : ''
  const judged = parts.map((part): [string, Judged] => {
    // What a search for another part of the question has found is not about this one.
    const others = lines.length > 0 ? [] : parts.filter((one) => one !== part)
    // The parts of a code say nothing.
    const isCode = codes.includes(part)
    const outputs = searched
      .filter((one) => one.query === undefined || !others.includes(one.query))
      .sort((one, other) => Number(other.query === part) - Number(one.query === part))
      .flatMap((one) => one.outputs)
    return [
      part,
      judgeAnswer({
        text: part,
        context,
        results: outputs.flatMap(({ results }) => results).filter((one) => !isCode || holdsCode(one, part)),
        near: outputs.flatMap(({ near }) => near),
        unknown: outputs.flatMap(({ unknown }) => unknown).filter((word) => part.includes(word)),
        rarities,
        leads: parts.length === 1 && outputs[0]?.leads === true,
        pasted: lines.length > 0,
      }),
    ]
  })
  const { text: answer, ...judgement } = writeAnswer(
    lines.length > 0 ? chooseLine(judged, codes) : joinParts(judged),
  )
  return said(answer, judgement)
}

function holdsCode({ title, heading, content, url }: SearchResult, code: string): boolean {
  return [title, heading, content, url].some((text) => text.includes(code))
}

/** The lines of what was pasted, each without the name of the error or program before it too, and the messages in data. */
function linesOf(text: string): string[] {
  const all = text.split('\n')
  const troubles = all.filter(isTrouble)
  // A command beside an error says what was done, and not what is asked for.
  const lines = (troubles.length > 0 ? troubles : all).flatMap((line) => [
    ...[...line.matchAll(/"([^"]{12,200})"/g)].flatMap(([, said = '']) => (said.includes(' ') ? [said] : [])),
    line,
    line.replace(/^[\w.]+(?:\s[A-Z]+)?:?\s+/, ''),
  ])
  return [...new Set(lines)].filter((line) => [...questionTerms(line).values()].includes(1))
}

function said(text: string, judgement: Judgement) {
  return { content: [{ type: 'text' as const, text }], judgement }
}

function queryOf(input: unknown): string | undefined {
  return isRecord(input) && typeof input['query'] === 'string' ? input['query'] : undefined
}

function* search(
  { query, question, parts }: { query: string; question: string; parts: readonly string[] },
  given: ToolOutput | undefined,
): Plan<undefined> {
  const [output] = given ? [given] : yield [{ tool: 'search', input: { query } }]
  if (parts.length > 0) yield parts.map((part) => ({ tool: 'search', input: { query: part } }))
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
