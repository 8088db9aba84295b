import { answerTasks } from '../../../lib/threads/answer-tasks.ts'
import { printer } from './print.ts'
import { pullRequestBody } from './pull-request-body.ts'
import type { MarkdownThread } from './write-markdown.ts'

answerTasks<MarkdownThread>((task) =>
  'request' in task ? pullRequestBody(task.request, printer) : printer.block(task.comment, task.maxLength),
)
