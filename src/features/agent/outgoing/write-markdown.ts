import { createTextThread } from '../../../lib/threads/text-thread.ts'
import type { RequestBody } from './pull-request-body.ts'

/** What is to be written: the body of a pull request, or a comment with its maximum length in characters. */
export type MarkdownTask = { request: RequestBody } | { comment: string; maxLength: number }

export interface MarkdownThread {
  task: MarkdownTask
  answer: string
}

const thread = createTextThread<MarkdownThread>(new URL('write-markdown.worker.ts', import.meta.url), {
  deadline: 3000,
  memory: 256,
})

/**
 * Writes Markdown that has no effect on a host. Texts that take too long to parse are printed as code.
 * @param total milliseconds that parsing and printing may take
 */
export async function writeMarkdown(task: MarkdownTask, total = 3000): Promise<string> {
  try {
    return await thread.run(task, { total })
  } catch {
    const [{ pullRequestBody }, { plainPrinter }] = await Promise.all([
      import('./pull-request-body.ts'),
      import('./print.ts'),
    ])
    return 'request' in task
      ? pullRequestBody(task.request, plainPrinter)
      : plainPrinter.block(task.comment, task.maxLength)
  }
}
