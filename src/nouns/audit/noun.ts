import { doorOf } from '../../verbs/http.ts'
import { exportAuditEndpoint } from './export.ts'
import { auditPages } from './page.ts'
import { auditDeeds } from './run.ts'

/** What was done, and by whom. */
export const audit = { endpoints: [doorOf(auditDeeds), exportAuditEndpoint], pages: [auditPages] } as const
