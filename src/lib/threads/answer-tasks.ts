import { parentPort, workerData } from 'node:worker_threads'
import {
  describe,
  restore,
  writeNote,
  type OwnerMessage,
  type ThreadContract,
  type ThreadMessage,
} from './thread-messages.ts'

/** What a task can say to its owner while it is worked on. */
export interface Owner<Contract extends ThreadContract> {
  /** Names the text that is read from now on: the one to blame when the thread does not come back. None: all of them. */
  reading(name: string | undefined): void
  /** @throws what the owner could not do */
  ask(request: Contract['request']): Promise<Contract['reply']>
}

/** Makes a worker of this file's thread: it does the tasks that its `TextThread` gives it, one at a time. */
export function answerTasks<Contract extends ThreadContract>(
  handle: (
    task: Contract['task'],
    owner: Owner<Contract>,
  ) => Contract['answer'] | Promise<Contract['answer']>,
): void {
  const waiting = new Map<number, PromiseWithResolvers<Contract['reply']>>()
  let lastId = 0
  const send = (message: ThreadMessage, moved: ArrayBuffer[] = []): void =>
    parentPort?.postMessage(message, moved)
  const owner: Owner<Contract> = {
    reading(name) {
      if (workerData instanceof SharedArrayBuffer) writeNote(workerData, name)
    },
    ask(request) {
      const id = ++lastId
      const reply = Promise.withResolvers<Contract['reply']>()
      waiting.set(id, reply)
      send({ kind: 'ask', id, request })
      return reply.promise
    },
  }
  const work = async (task: unknown): Promise<void> => {
    try {
      const answer = await handle(task, owner)
      // A whole buffer is moved instead of copied.
      send({ kind: 'answer', answer }, answer instanceof ArrayBuffer ? [answer] : [])
    } catch (error) {
      send({ kind: 'failed', error: describe(error) })
    }
  }
  parentPort?.on('message', (message: OwnerMessage) => {
    if (message.kind === 'task') return void work(message.task)
    const reply = waiting.get(message.id)
    waiting.delete(message.id)
    if (message.kind === 'reply') reply?.resolve(message.value)
    else reply?.reject(restore(message.error))
  })
  send({ kind: 'answer', answer: undefined })
}
