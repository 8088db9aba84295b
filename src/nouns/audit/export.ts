import { z } from '@hono/zod-openapi'
import type { Access } from '../../api/access.ts'
import { operations } from '../../api/description/operation.ts'
import type { Endpoint } from '../../api/endpoint.ts'
import { shownOrganization } from '../../api/organization-for.ts'
import { csvLine } from '../../lib/text/csv.ts'
import type { Store } from '../../store/database.ts'
import type { auditLine } from './answers.ts'
import { auditFilter, lineBody } from './run.ts'
import { eachAuditLine, type AuditFilter, type AuditLine } from './table.ts'
import { auditQuery } from './verbs.ts'

interface Ports {
  access: Access
  store: Store
  publicUrl(): string
}

/** The whole log as a file. */
export function exportAuditEndpoint(ports: Ports): Endpoint {
  const { access, store } = ports
  const { onServer } = operations(access, 'People')
  return onServer('exportAudit', 'get /admin/audit/export', 'Export the audit log', {
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
      const filter = await auditFilter(
        store,
        { caller, shownOrganization: () => shownOrganization(ports, context) },
        'exportAudit',
        query,
      )
      return exportAudit(store, filter, format)
    },
  })
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
