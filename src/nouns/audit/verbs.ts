import { z } from '@hono/zod-openapi'
import { cursorRule, limitUpTo } from '../../lib/list-query.ts'
import { hasUnstorable } from '../../lib/text/plain-text.ts'
import { defineVerb } from '../../verbs/verb.ts'
import { auditPage } from './answers.ts'

const day = z
  .string()
  .regex(/^[0-9]{4}-[0-9]{2}-[0-9]{2}$/, 'must be a day such as 2026-11-23')
  .openapi({ example: '2026-11-23' })
  .refine((text) => !Number.isNaN(Date.parse(text)), 'must be a day such as 2026-11-23')
  .openapi({ example: '2026-11-23' })
const short = z
  .string()
  .max(200)
  .refine((text) => !hasUnstorable(text), 'must not contain a NUL character')

export const auditQuery = z.object({
  organization: short
    .optional()
    .describe(
      'People: the shown one when absent. The operator: all, and what concerns the server, when absent.',
    ),
  action: short.optional().describe('The `operationId` of what was done, such as `createJob`.'),
  actor: short.optional().describe('Id of a person or a key, or a part of the name.'),
  project: short.optional().describe('Domain of the project.'),
  from: day.optional().describe('First day (UTC).'),
  to: day.optional().describe('Last day (UTC).'),
})

const filterWords = {
  organization: {
    label: 'Organization',
    option: '--organization <id>',
    help: 'organization',
  },
  actor: {
    label: 'Who',
    option: '--actor <name-or-id>',
    help: 'filter by member or key',
  },
  action: { label: 'What', option: '--action <name>', help: 'action, for example createJob' },
  project: { label: 'Project', option: '--project <domain>', help: 'project' },
  from: { label: 'From', option: '--from <day>', help: 'first day (UTC), for example 2026-11-23' },
  to: { label: 'To', option: '--to <day>', help: 'last day (UTC)' },
}

export const listAudit = defineVerb({
  name: 'listAudit',
  address: 'get /admin/audit',
  tag: 'People',
  summary: 'List the audit log',
  description:
    'Newest first. With a filter a page is searched for in some thousand lines: it may be short, or empty, while `nextCursor` leads on.',
  errors: [404],
  input: auditQuery.extend({
    limit: limitUpTo(200, 50),
    cursor: z.coerce
      .number({ error: cursorRule })
      .int(cursorRule)
      .min(1, cursorRule)
      .optional()
      .describe('`nextCursor` of the page before.'),
  }),
  output: auditPage,
  answer: [200, 'A page of the log'],
  fields: { ...filterWords, limit: { label: 'At most' }, cursor: { label: 'Page' } },
})
