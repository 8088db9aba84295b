import { html } from 'hono/html'
import { audited, tellVerb } from '../../../features/projects/audited.ts'
import { listAudit, type AuditLine } from '../../../features/projects/people/audit.ts'
import { listProjects } from '../../../features/projects/projects.ts'
import { AppError } from '../../../lib/errors.ts'
import { auditFilter, auditQuery, exportAudit } from '../../admin/audit.ts'
import type { Html } from '../html/html.ts'
import { ago, table } from '../html/parts.ts'
import { show } from '../html/respond.ts'
import { page, type Visit } from '../page.ts'
import type { DashboardPorts } from '../ports.ts'
import type { Endpoint } from '../../endpoint.ts'
import { peopleTabs } from './people-tabs.ts'

const shown = 50

/** What people, keys and the operator did, newest first. The operator's page also shows what concerns the server. */
export function auditPages(ports: DashboardPorts): Endpoint[] {
  return [
    page(ports, '/audit', 'listAudit', async (visit) => {
      const { context, session, caller } = visit
      const { filter, query } = await readFilter(ports, visit)
      const before = Number(context.req.query('before'))
      const lines = await listAudit(
        ports.store.db,
        { ...filter, before: Number.isSafeInteger(before) && before > 0 ? before : undefined },
        shown + 1,
      )
      const projects = (await listProjects(ports.store.db, session.organization?.id)).map(
        ({ domain }) => domain,
      )
      const now = ports.now()
      const body = html`${session.organization ? peopleTabs(caller, session.organization, 'audit') : ''}
        <div class="heading">
          <h1>Audit log</h1>
          <div class="buttons">
            <a class="button" href="/audit/export?${withFormat(query, 'csv')}">Export CSV</a>
            <a class="button" href="/audit/export?${withFormat(query, 'jsonl')}">Export JSONL</a>
          </div>
        </div>
        ${filterForm(query, projects)}
        ${
          lines.length === 0
            ? html`<p class="empty">
                ${query.size === 0 ? 'Nothing is recorded yet.' : 'Nothing fits this filter.'}
              </p>`
            : table(
                'Audit log',
                ['When', 'Who', 'What', 'From'],
                lines.slice(0, shown).map((line) => row(line, now)),
              )
        }
        ${lines.length > shown ? html`<p><a class="button" href="/audit?${older(query, lines[shown - 1])}">Older</a></p>` : ''}`
      return show(context, { title: 'Audit log', session, styles: ['people.css'] }, body)
    }),
    page(ports, '/audit/export', 'exportAudit', async (visit) => {
      const { filter } = await readFilter(ports, visit)
      const format = visit.context.req.query('format') === 'csv' ? 'csv' : 'jsonl'
      return exportAudit(ports.store, filter, format)
    }),
  ]
}

async function readFilter(ports: DashboardPorts, { context, session, caller }: Visit) {
  const given = Object.entries(context.req.query()).filter(([, value]) => value !== '')
  const parsed = auditQuery.safeParse(Object.fromEntries(given))
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    throw new AppError('invalid', `${issue?.path.join('.') ?? 'The filter'} ${issue?.message ?? 'is wrong'}`)
  }
  // The operator sees everything here, with what concerns the server itself.
  const organization = session.person.isOperator ? parsed.data.organization : session.organization?.id
  const filter = await auditFilter(ports, context, {
    caller,
    verb: 'listAudit',
    query: { ...parsed.data, organization },
  })
  const query = new URLSearchParams(given.filter(([name]) => Object.hasOwn(auditQuery.shape, name)))
  return { filter, query }
}

function withFormat(query: URLSearchParams, format: string): string {
  return new URLSearchParams([...query, ['format', format]]).toString()
}

function older(query: URLSearchParams, last: AuditLine | undefined): string {
  return new URLSearchParams([...query, ['before', String(last?.id ?? '')]]).toString()
}

function filterForm(query: URLSearchParams, projects: string[]): Html {
  const option = (value: string, label: string, chosen: string | null): Html =>
    html`<option value="${value}" ${value === chosen ? html` selected` : ''}>${label}</option>`
  return html`<form method="get" action="/audit" class="audit-filter" aria-label="Filter">
    <label
      >Who
      <input
        name="actor"
        value="${query.get('actor') ?? ''}"
        maxlength="200"
        placeholder="Name or id"
        autocomplete="off"
    /></label>
    <label
      >What
      <select name="action">
        ${option('', 'Everything', query.get('action'))}
        ${Object.entries(audited)
          .toSorted(([, a], [, b]) => a.localeCompare(b))
          .map(([verb, text]) => option(verb, text, query.get('action')))}
      </select></label
    >
    <label
      >Project
      <select name="project">
        ${option('', 'All', query.get('project'))}
        ${projects.map((domain) => option(domain, domain, query.get('project')))}
      </select></label
    >
    <label>From <input type="date" name="from" value="${query.get('from') ?? ''}" /></label>
    <label>To <input type="date" name="to" value="${query.get('to') ?? ''}" /></label>
    <div class="buttons">
      <button>Filter</button>
      ${query.size > 0 ? html`<a class="quiet" href="/audit">All</a>` : ''}
    </div>
  </form>`
}

function row(line: AuditLine, now: Date): Html {
  return html`<tr>
    <td>${ago(line.at, now)}</td>
    <td>${line.actor.name}</td>
    <td class="wide">
      ${tellVerb(line.verb)}${line.project === undefined ? '' : html` in <a href="/projects/${line.project}">${line.project}</a>`}
      ${line.target === undefined ? '' : html`<br /><small class="muted">${target(line)}</small>`}
    </td>
    <td><small>${line.address ?? ''}</small></td>
  </tr>`
}

function target({ target: of = '', project }: AuditLine): Html {
  return project !== undefined && /^job_[\w-]+$/.test(of)
    ? html`<a href="/projects/${project}/jobs/${of}">${of}</a>`
    : html`${of}`
}
