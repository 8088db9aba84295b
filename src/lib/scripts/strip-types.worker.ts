import { stripTypeScriptTypes } from 'node:module'
import { parentPort } from 'node:worker_threads'

// The function says that it is experimental each time a process uses it first; nobody here can act on that.
process.emitWarning = () => {}

parentPort?.on('message', (text: string) => {
  parentPort?.postMessage({ text: stripped(text), healthy: stripped('let a: b') === 'let a   ' })
})

function stripped(text: string): string | undefined {
  try {
    return stripTypeScriptTypes(text, { mode: 'strip' })
  } catch {
    return undefined
  }
}
