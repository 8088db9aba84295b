import { auditEndpoints } from './endpoints.ts'
import { auditPages } from './page.ts'

/** What was done, and by whom. */
export const audit = { endpoints: [auditEndpoints], pages: [auditPages] } as const
