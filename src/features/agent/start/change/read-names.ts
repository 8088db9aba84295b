import { createTextThread } from '../../../../lib/threads/text-thread.ts'
import type { ChangedNameColumn } from '../../../../store/columns.ts'

export interface NamesThread {
  task: { diff: string; pages: readonly { path: string; content: Uint8Array }[] }
  answer: { names: ChangedNameColumn[]; generated: string[] }
}

const thread = createTextThread<NamesThread>(new URL('read-names.worker.ts', import.meta.url), {
  deadline: 20_000,
  memory: 512,
})

const total = 30_000

/**
 * The names that a diff changes, where pages have them, and which of these pages a program makes. Both are texts of strangers.
 * @throws ThreadFailure
 */
export async function readNames(
  task: NamesThread['task'],
  signal: AbortSignal,
): Promise<NamesThread['answer']> {
  return thread.run(task, { total, signal })
}
