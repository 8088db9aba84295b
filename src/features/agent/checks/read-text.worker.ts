import { parentPort } from 'node:worker_threads'
import { compileMdx } from './compile-mdx.ts'
import { readData } from './read-data.ts'
import { parseCode } from '../policy/parse-code.ts'
import type { TextAnswer, TextTask } from './text-worker.ts'

parentPort?.on('message', (task: TextTask) => {
  void answerTo(task).then((answer) => parentPort?.postMessage(answer))
})

parentPort?.postMessage('ready')

async function answerTo(task: TextTask): Promise<TextAnswer> {
  switch (task.kind) {
    case 'mdx':
      return { kind: 'mdx', error: await compileMdx(task.source) }
    case 'data':
      return { kind: 'data', report: readData(task.text, task.path) }
    default:
      return { kind: 'code', ranges: parseCode(task.text, task.dialect) }
  }
}
