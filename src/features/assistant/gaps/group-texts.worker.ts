import { answerTasks } from '../../../lib/threads/answer-tasks.ts'
import { groupTexts, type Grouping } from './group-texts.ts'

/** Groups questions in a thread, because readers write them, and there may be many. */
export interface GroupThread {
  task: { known: string[][]; questions: string[]; subject: string }
  request: void
  reply: void
  answer: Grouping
}

answerTasks<GroupThread>(({ known, questions, subject }) => groupTexts(known, questions, subject))
