import { html } from 'hono/html'
import { audited, tellVerb, tellVerbOfProject } from '../../features/projects/rights.ts'
import { listAudit, type AuditLine } from './table.ts'
import { listProjects } from '../../features/projects/projects.ts'
import { checkInput, quotedField } from '../../lib/text/issue-sentence.ts'
import { readWholeNumber } from '../../lib/whole-number.ts'
import type { Store } from '../../store/database.ts'
import { exportAudit } from './export.ts'
import { auditFilter } from './run.ts'
import { auditQuery } from './verbs.ts'
import type { Endpoint, RequestContext } from '../../api/endpoint.ts'
import type { Html } from '../../api/frame/html/html.ts'
import { ago, table } from '../../api/frame/html/parts.ts'
import { show } from '../../api/frame/html/respond.ts'
import type { Visit, Pages } from '../../api/frame/pages.ts'
import { noteRequest } from '../../api/note-request.ts'
import { peopleTabs } from '../../api/frame/people-tabs.ts'

interface Ports {
  store: Store
  clientAddress(context: RequestContext): string
  now(): Date
}

const perPage = 50

/** What people, keys and the operator did, newest first. The operator's page also shows what concerns the server. */
export function auditPages(pages: Pages, ports: Ports): Endpoint[] {
  return [
    pages.page('/audit', 'listAudit', async (visit) => {
      const { context, session } = visit
      const { filter, query } = await readFilter(ports, visit)
      const before = readWholeNumber(context.req.query('before'), Number.MAX_SAFE_INTEGER)
      const { rows: lines, next, searched } = await listAudit(ports.store.db, { ...filter, before }, perPage)
      const projects = (
        await listProjects(ports.store.db, session.organization && [session.organization.id])
      ).map(({ domain }) => domain)
      const now = ports.now()
      const body = html`${session.organization ? peopleTabs(session, 'audit') : ''}
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
            ? html`<p class="empty">${nothing(query, searched)}</p>`
            : table(
                'Audit log',
                ['When', 'Who', 'What', 'Address'],
                lines.map((line) => row(line, projects, now)),
              )
        }
        ${
          next === undefined
            ? ''
            : html`<p>
                <a class="button" href="/audit?${older(query, next)}"
                  >${searched === undefined ? 'Older' : `Search the ${searched.toLocaleString('en')} lines before these`}</a
                >
              </p>`
        }`
      return show(context, { title: 'Audit log', session, styles: ['people.css'] }, body)
    }),
    pages.page('/audit/export', 'exportAudit', async (visit) => {
      const { context, caller } = visit
      noteRequest(context, { caller, verb: 'exportAudit', address: ports.clientAddress(context) })
      const { filter } = await readFilter(ports, visit)
      const format = context.req.query('format') === 'csv' ? 'csv' : 'jsonl'
      return exportAudit(ports.store, filter, format)
    }),
  ]
}

async function readFilter(ports: Ports, { context, session, caller }: Visit) {
  const fields = Object.entries(context.req.query()).filter(([, value]) => value !== '')
  const wanted = checkInput(auditQuery, Object.fromEntries(fields), quotedField('The filter'))
  // The operator sees everything here, with what concerns the server itself.
  const organization = session.person.isOperator ? wanted.organization : session.organization?.id
  const shownOrganization = () => Promise.resolve(session.organization?.id)
  const asking = { caller, shownOrganization }
  const filter = await auditFilter(ports.store, asking, 'listAudit', { ...wanted, organization })
  const query = new URLSearchParams(fields.filter(([name]) => Object.hasOwn(auditQuery.shape, name)))
  return { filter, query }
}

function withFormat(query: URLSearchParams, format: string): string {
  return new URLSearchParams([...query, ['format', format]]).toString()
}

function older(query: URLSearchParams, before: number): string {
  return new URLSearchParams([...query, ['before', String(before)]]).toString()
}

function nothing(query: URLSearchParams, searched: number | undefined): string {
  if (searched !== undefined) return `No match in the last ${searched.toLocaleString('en')} entries.`
  return query.size === 0 ? 'Nothing is recorded yet.' : 'No entries match this filter.'
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

function row(line: AuditLine, projects: string[], now: Date): Html {
  const { project } = line
  return html`<tr>
    <td>${ago(line.at, now)}</td>
    <td class="given">${line.actor.name}</td>
    <td class="wide">
      ${
        project === undefined
          ? tellVerb(line.verb)
          : html`${tellVerbOfProject(line.verb)}
            ${projects.includes(project) ? html`<a href="/projects/${project}">${project}</a>` : project}`
      }
      ${line.target === undefined ? '' : html`<br /><small class="muted">${target(line)}</small>`}
    </td>
    <td><small>${line.address ?? ''}</small></td>
  </tr>`
}

function target({ target: of = '', project }: AuditLine): Html {
  // What belongs to a job or a pull request is named after it.
  const [first = ''] = of.split('/')
  if (project !== undefined && /^job_[\w-]+$/.test(first))
    return html`<a href="/projects/${project}/jobs/${first}">${first}</a>`
  return project !== undefined && /^\d+$/.test(first)
    ? html`<a href="/projects/${project}/pulls/${first}">#${first}</a>`
    : html`${of}`
}
