import type { z } from '@hono/zod-openapi'
import { organizationAsked } from '../../api/organization-for.ts'
import { allowIn, isOperator } from '../../features/projects/allow.ts'
import { tellVerb, type Verb } from '../../features/projects/rights.ts'
import { AppError } from '../../lib/errors.ts'
import type { Store } from '../../store/database.ts'
import { deed, type Asking } from '../../verbs/verb.ts'
import type { auditLine } from './answers.ts'
import { listAudit as readAudit, type AuditFilter, type AuditLine } from './table.ts'
import * as verbs from './verbs.ts'

interface Ports {
  store: Store
}

const listAudit = deed(verbs.listAudit, async ({ store }: Ports, asking, { limit, cursor, ...query }) => {
  const filter = await auditFilter(store, asking, 'listAudit', query)
  const { rows: lines, next } = await readAudit(store.db, { ...filter, before: cursor }, limit)
  return { lines: lines.map(lineBody), nextCursor: next === undefined ? null : String(next) }
})

export const auditDeeds = [listAudit]

/** What somebody may see of the log. @throws AppError `forbidden`, `not_found` */
export async function auditFilter(
  store: Store,
  asking: Asking,
  verb: Verb,
  query: z.output<typeof verbs.auditQuery>,
): Promise<AuditFilter> {
  const { organization, action, actor, project, from, to } = query
  const { caller } = asking
  if (organization !== undefined) allowIn(caller, verb, organization)
  const organizationId = isOperator(caller)
    ? organization
    : (await organizationAsked(store, asking, { verb, organization })).id
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

export function lineBody(one: AuditLine): z.output<typeof auditLine> {
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
