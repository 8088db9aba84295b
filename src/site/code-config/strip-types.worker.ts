import * as nodeModule from 'node:module'
import { answerTasks } from '../../lib/threads/answer-tasks.ts'
import type { StripTypes } from './parse-script.ts'

// Node warns once per process that the function is experimental, which helps nobody here.
process.emitWarning = () => {}

answerTasks<StripTypes>((text) => {
  // Node 20 cannot: configuration with types is not read there.
  if (!('stripTypeScriptTypes' in nodeModule)) return undefined
  const result = stripped(text)
  // If the parser fails on the simplest text, it is broken: the thread ends, and another one replaces it.
  if (stripped('let a: b') !== 'let a   ') process.exit(1)
  return result
})

function stripped(text: string): string | undefined {
  try {
    return nodeModule.stripTypeScriptTypes(text, { mode: 'strip' })
  } catch {
    return undefined
  }
}
