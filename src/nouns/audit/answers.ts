import { z } from '@hono/zod-openapi'

export const auditLine = z
  .object({
    id: z.int(),
    at: z.iso.datetime(),
    action: z.string().describe('The `operationId` of what was done.'),
    text: z.string().describe('The same in words.'),
    actor: z.object({ kind: z.enum(['person', 'key', 'operator']), id: z.string(), name: z.string() }),
    organization: z.string().nullable(),
    project: z.string().nullable(),
    target: z.string().nullable().describe('What it was done to, such as the id of a job.'),
    address: z.string().nullable().describe('Where the request came from.'),
  })
  .openapi('AuditLine', { description: 'One thing that was done.' })

export const auditPage = z
  .object({ lines: z.array(auditLine), nextCursor: z.string().nullable() })
  .openapi('AuditPage', { description: 'A page of the audit log.' })
