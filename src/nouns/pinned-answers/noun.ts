import { doorOf } from '../../verbs/http.ts'
import { pinnedAnswerPages } from './page.ts'
import { pinnedAnswerDeeds } from './run.ts'

/** Answers that the docs team writes itself, and those that need it. */
export const pinnedAnswers = { endpoints: [doorOf(pinnedAnswerDeeds)], pages: [pinnedAnswerPages] } as const
