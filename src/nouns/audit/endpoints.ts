import { z } from '@hono/zod-openapi'
import { allowIn, isOperator, type Caller } from '../../features/projects/allow.ts'
import { tellVerb, type Verb } from '../../features/projects/rights.ts'
import { eachAuditLine, listAudit, type AuditFilter, type AuditLine } from './table.ts'
import { cursorRule, limitUpTo } from '../../lib/list-query.ts'
import { AppError } from '../../lib/errors.ts'
import { csvLine } from '../../lib/text/csv.ts'
import { hasUnstorable } from '../../lib/text/plain-text.ts'
import { auditPage, type auditLine } from './answers.ts'
import type { Store } from '../../store/database.ts'
import type { Access } from '../../api/access.ts'
import { operations } from '../../api/description/operation.ts'
import type { Endpoint, RequestContext } from '../../api/endpoint.ts'
import { organizationFor } from '../../api/organization-for.ts'

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

interface Ports {
  access: Access
  store: Store
  publicUrl(): string
}

/** What people, keys and the operator did. */
export function auditEndpoints(ports: Ports): Endpoint[] {
  const { access, store } = ports
  const { onServer } = operations(access, 'People')
  return [
    onServer('listAudit', 'get /admin/audit', 'List the audit log', {
      description:
        'Newest first. With a filter a page is searched for in some thousand lines: it may be short, or empty, while `nextCursor` leads on.',
      query: auditQuery.extend({
        limit: limitUpTo(200, 50),
        cursor: z.coerce
          .number({ error: cursorRule })
          .int(cursorRule)
          .min(1, cursorRule)
          .optional()
          .describe('`nextCursor` of the page before.'),
      }),
      errors: [404],
      answer: [200, 'A page of the log', auditPage],
      async handle({ context, caller, query: { limit, cursor, ...query } }) {
        const filter = await auditFilter(ports, context, { caller, verb: 'listAudit', query })
        const { rows: lines, next } = await listAudit(store.db, { ...filter, before: cursor }, limit)
        return { lines: lines.map(lineBody), nextCursor: next === undefined ? null : String(next) }
      },
    }),
    onServer('exportAudit', 'get /admin/audit/export', 'Export the audit log', {
      description: 'All lines, newest first, as JSON lines or CSV.',
      query: auditQuery.extend({ format: z.enum(['jsonl', 'csv']).default('jsonl') }),
      errors: [404],
      answer: [200, 'The log', z.string(), 'application/x-ndjson'],
      also: {
        200: {
          description: 'The log',
          content: { 'application/x-ndjson': { schema: z.string() }, 'text/csv': { schema: z.string() } },
        },
      },
      async handle({ context, caller, query: { format, ...query } }) {
        const filter = await auditFilter(ports, context, { caller, verb: 'exportAudit', query })
        return exportAudit(store, filter, format)
      },
    }),
  ]
}

/** What somebody may see of the log. @throws AppError `forbidden`, `not_found` */
export async function auditFilter(
  ports: Pick<Ports, 'store' | 'publicUrl'>,
  context: RequestContext,
  { caller, verb, query }: { caller: Caller; verb: Verb; query: z.output<typeof auditQuery> },
): Promise<AuditFilter> {
  const { organization, action, actor, project, from, to } = query
  if (organization !== undefined) allowIn(caller, verb, organization)
  const organizationId = isOperator(caller)
    ? organization
    : (await organizationFor(ports, context, { caller, verb, organization })).id
  if (from !== undefined && to !== undefined && from > to)
    throw new AppError('invalid', '`from` must not be after `to`')
  return {
    organizationId,
    verb: action,
    actor,
    project,
    from: from === undefined ? undefined : new Date(from),
    to: to === undefined ? undefined : new Date(Date.parse(to) + 86_400_000),
  }
}

const columns: readonly [string, (body: z.output<typeof auditLine>) => string | number | null][] = [
  ['id', ({ id }) => id],
  ['at', ({ at }) => at],
  ['action', ({ action }) => action],
  ['text', ({ text }) => text],
  ['actorKind', ({ actor }) => actor.kind],
  ['actorId', ({ actor }) => actor.id],
  ['actor', ({ actor }) => actor.name],
  ['organization', ({ organization }) => organization],
  ['project', ({ project }) => project],
  ['target', ({ target }) => target],
  ['address', ({ address }) => address],
]

export function exportAudit(store: Store, filter: AuditFilter, format: 'jsonl' | 'csv'): Response {
  const encoder = new TextEncoder()
  const lines = eachAuditLine(store.db, filter)
  const toLine = (one: AuditLine): string => {
    const body = lineBody(one)
    return format === 'csv' ? csvLine(columns.map(([, of]) => of(body))) : `${JSON.stringify(body)}\n`
  }
  let isFirst = format === 'csv'
  const stream = new ReadableStream<Uint8Array>({
    async pull(controller) {
      if (isFirst) {
        isFirst = false
        return controller.enqueue(encoder.encode(csvLine(columns.map(([name]) => name))))
      }
      const { done, value } = await lines.next()
      if (done) controller.close()
      else controller.enqueue(encoder.encode(toLine(value)))
    },
    cancel: async () => void (await lines.return(undefined)),
  })
  return new Response(stream, {
    headers: {
      'Content-Type': format === 'csv' ? 'text/csv; charset=utf-8' : 'application/x-ndjson; charset=utf-8',
      'Content-Disposition': `attachment; filename="docwright-audit.${format}"`,
      'Cache-Control': 'private, no-store',
      'X-Content-Type-Options': 'nosniff',
    },
  })
}

function lineBody(one: AuditLine): z.output<typeof auditLine> {
  return {
    id: one.id,
    at: one.at.toISOString(),
    action: one.verb,
    text: tellVerb(one.verb),
    actor: one.actor,
    organization: one.organizationId ?? null,
    project: one.project ?? null,
    target: one.target ?? null,
    address: one.address ?? null,
  }
}
