import { doorOf } from '../../verbs/http.ts'
import { problemPages } from './forms.ts'
import { problemDeeds } from './run.ts'

/** What is wrong with the site of a project as a whole. */
export const problems = { endpoints: [doorOf(problemDeeds)], pages: [problemPages] } as const
