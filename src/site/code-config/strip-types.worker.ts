import { stripTypeScriptTypes } from 'node:module'
import { answerTasks } from '../../lib/threads/answer-tasks.ts'
import type { StripTypes } from './parse-script.ts'

// The function says that it is experimental each time a process uses it first; nobody here can act on that.
process.emitWarning = () => {}

answerTasks<StripTypes>((text) => {
  const result = stripped(text)
  // A parser that cannot read the simplest text any more is broken: the thread ends, and another takes its place.
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
