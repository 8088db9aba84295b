import type { LanguageModelV4Content, LanguageModelV4Prompt } from '@ai-sdk/provider'
import { answerTasks } from '../lib/threads/answer-tasks.ts'
import { answerQuestion, type Judgement } from './answers/answer-question.ts'
import { askPerson, runJob } from './jobs/run-job.ts'
import { createPages } from '../site/page-text.ts'
import { readTranscript } from './transcript.ts'

export interface BuiltinTask {
  prompt: LanguageModelV4Prompt
  /** Names of the available tools. */
  tools: readonly string[]
}

export interface BuiltinThread {
  task: BuiltinTask
  /** The model's answer, and the tokens of prompt and answer. */
  answer: {
    content: LanguageModelV4Content[]
    /** Of a whole answer to a question. */
    judgement?: Judgement | undefined
    input: number
    output: number
  }
}

const kept = createPages()

answerTasks<BuiltinThread>(({ prompt, tools }, owner) => {
  const transcript = readTranscript(prompt)
  const said: Pick<BuiltinThread['answer'], 'content' | 'judgement'> = tools.includes('finish')
    ? {
        content: runJob(
          transcript,
          kept((path) => owner.reading(path)),
          tools.includes(askPerson),
        ),
      }
    : answerQuestion(transcript, tools.includes('search'))
  return { ...said, input: tokens(charactersIn(prompt)), output: tokens(charactersIn(said.content)) }
})

/** There is no tokenizer, so four characters count as one token. */
function tokens(characters: number): number {
  return Math.ceil(characters / 4)
}

function charactersIn(value: unknown, depth = 0): number {
  if (typeof value === 'string') return value.length
  if (typeof value !== 'object' || value === null || depth > 30) return 4
  let characters = 0
  for (const inner of Object.values(value)) characters += charactersIn(inner, depth + 1)
  return characters
}
