import { stripTypeScriptTypes } from 'node:module'
import { answerTasks } from '../../lib/threads/answer-tasks.ts'
import type { StripTypes } from './parse-script.ts'

// Node warns once per process that the function is experimental, which helps nobody here.
process.emitWarning = () => {}

answerTasks<StripTypes>((text) => {
  const result = stripped(text)
  // If the parser fails on the simplest text, it is broken: the thread ends, and another one replaces it.
  if (stripped('let a: b') !== 'let a   ') process.exit(1)
  return result
})

function stripped(text: string): string | undefined {
  try {
    return stripTypeScriptTypes(text, { mode: 'strip' })
  } catch {
    return undefined
  }
}
