import { settingsForms } from './forms.ts'
import { showSettingsEndpoints } from './page.ts'

/** The pages of a project’s settings and of its connection. */
export const settings = { endpoints: [], pages: [showSettingsEndpoints, settingsForms] } as const
