import { settingsEndpoint } from './endpoints.ts'
import { settingsPages } from './forms.ts'

/** The pages of a project’s settings and of its connection. */
export const settings = { endpoints: [settingsEndpoint], pages: [settingsPages] } as const
