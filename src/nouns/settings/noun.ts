import { doorOf } from '../../verbs/http.ts'
import { settingsPages } from './forms.ts'
import { changeSettings } from './run.ts'

/** The settings of a project with their pages, and those of its connection. */
export const settings = { endpoints: [doorOf([changeSettings])], pages: [settingsPages] } as const
