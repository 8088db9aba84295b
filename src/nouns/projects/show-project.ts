import { html } from 'hono/html'
import { countJobs } from '../../features/agent/find-jobs.ts'
import { listJobs } from '../../features/agent/jobs.ts'
import { countProblems } from '../../features/docs/problems/stored-check.ts'
import type { Project } from '../../features/projects/projects.ts'
import type { PullRequests } from '../../features/projects/pull-requests.ts'
import { verbForm } from '../../verbs/form.ts'
import type { ShownHost, ProjectHosts } from './setup/project-hosts.ts'
import type { Session } from '../../features/projects/sign-in.ts'
import { readers, visibilityOf } from '../../features/projects/visibility.ts'
import { ownCommand } from '../../lib/own-command.ts'
import { counted } from '../../lib/text/counted.ts'
import type { Store } from '../../store/database.ts'
import type { Endpoint } from '../../api/endpoint.ts'
import { buttonForm, copyable, copyableBlock } from '../../api/frame/html/form.ts'
import type { Html } from '../../api/frame/html/html.ts'
import { linkButtonFor, linkFor, mayOpen, mayPress, maySend } from '../../api/frame/html/may-press.ts'
import { externalLink } from '../../api/frame/html/parts.ts'
import { show } from '../../api/frame/html/respond.ts'
import type { Pages } from '../../api/frame/pages.ts'
import { projectStream } from '../../api/dashboard/live/streams.ts'
import { jobTable } from '../../api/dashboard/projects/jobs/job-table.ts'
import { locationFor } from './location-for.ts'
import { pullTable } from '../../api/dashboard/projects/pulls/pull-table.ts'
import type { ProjectPorts } from './present-project.ts'
import { syncProject } from './run.ts'
import { firstRead, isSyncing, lastRead, syncAsked, syncState } from './sync-state.ts'

interface Ports {
  store: Store
  publicUrl(): string
  now(): Date
  pullRequests: PullRequests
  hosts: ProjectHosts
}

export function syncProjectEndpoint(pages: Pages, ports: ProjectPorts): Endpoint {
  return verbForm(pages, ports, '/projects/{domain}/sync', syncProject, {
    typed: { only: [] },
    given: () => ({}),
    done: ({ context, project }) => context.redirect(syncAsked(project), 303),
  })
}

export function showProjectEndpoint(pages: Pages, ports: Ports): Endpoint {
  return pages.projectPage('/projects/{domain}', 'getProject', async ({ context, session, project }) => {
    const { rows: jobs } = await listJobs(ports.store.db, project.id, { limit: 5 })
    const [counts, problems] = await Promise.all([
      countJobs(ports.store.db, [project.id]),
      countProblems(ports.store.db, [project.id]),
    ])
    const isLocal = project.kind === 'path'
    const pulls = isLocal ? await ports.pullRequests.list(project, { state: 'open', limit: 5 }) : []
    const host = isLocal ? undefined : await ports.hosts.describe(project)
    const base = `/projects/${project.domain}`
    const now = ports.now()
    const body = html`<div class="heading">
        <h1>${project.domain}</h1>
        <div class="buttons">
          ${mayOpen(session, `${base}/jobs/new`) ? html`<a class="button primary" href="${base}/jobs/new">Start job</a>` : ''}
          ${buttonForm(session, { action: `${base}/sync`, label: 'Sync now' })}
        </div>
      </div>
      <p class="meta">${syncState(project, now)}</p>
      ${firstRead(project)} ${failure(project, session)} ${missingPages(project, session)} ${leftOut(project)}
      ${host === undefined ? '' : hostNotes(base, session, host)}
      ${tiles(project, { ...counts.get(project.id), problems: problems.get(project.id) })}
      <section>
        <h2>Recent jobs</h2>
        ${jobs.length === 0 ? noJobs(base, session) : jobTable(project, jobs, now)}
        ${jobs.length === 0 ? '' : html`<p><a href="${base}/jobs">All jobs</a></p>`}
      </section>
      ${
        isLocal
          ? html`<section>
              <h2>Open pull requests</h2>
              ${pulls.length === 0 ? html`<p class="empty">No open pull requests. Jobs that change files open one.</p>` : pullTable(project, pulls, now)}
            </section>`
          : ''
      }
      <section>
        <h2>Details</h2>
        <dl class="facts">${facts(project, session, ports.publicUrl())}</dl>
      </section>
      ${
        mayPress(session, 'createKey', project)
          ? html`<section>
              <h2>Use the API</h2>
              ${snippets(project, ports.publicUrl())}
            </section>`
          : ''
      }`
    const working = isSyncing(project) || jobs.some(({ status }) => status === 'active')
    const live = { stream: projectStream(project), working }
    const since = context.req.query('since') ?? '0'
    const isOver = project.sync.state === 'failed' || since !== lastRead(project)
    return show(
      context,
      { title: project.domain, session, project, tab: 'overview', styles: ['manage.css'], isOver, live },
      body,
    )
  })
}

/** What is going on, each with the page that shows it. */
function tiles(
  { domain, pageCount }: Project,
  { active = 0, pulls = 0, problems }: { active?: number; pulls?: number; problems: number | undefined },
): Html {
  const base = `/projects/${domain}`
  const tile = (href: string, number: number | undefined, noun: string): Html =>
    html`<li>
      <a href="${href}"
        ><strong>${number === undefined ? 'Check' : number.toLocaleString('en')}</strong>
        <span>${number === undefined ? 'for ' : ''}${number === 1 ? noun : `${noun}s`}</span></a
      >
    </li>`
  return html`<ul class="tiles">
    ${tile(`/docs/${domain}/`, pageCount, 'page')} ${tile(`${base}/problems`, problems, 'problem')}
    ${tile(`${base}/pulls`, pulls, 'open pull request')}
    ${tile(`${base}/jobs?state=active`, active, 'active job')}
  </ul>`
}

function facts(project: Project, session: Session, publicUrl: string): Html {
  const { site } = project.settings
  const settings = `/projects/${project.domain}/settings`
  return html`<div>
      <dt>Project id</dt>
      <dd>${copyable(project.id, 'the project id')}</dd>
    </div>
    <div>
      <dt>Repository</dt>
      <dd>
        ${project.kind === 'path' ? html`<code>${locationFor(session, project)}</code>` : externalLink(project.location, project.location)}
      </dd>
    </div>
    ${
      project.kind === 'path'
        ? html`<div>
            <dt>Clone</dt>
            <dd>${copyable(`${publicUrl}/git/${project.domain}.git`, 'the clone address')}</dd>
          </div>`
        : ''
    }
    <div>
      <dt>Branch</dt>
      <dd><code>${project.ref}</code></dd>
    </div>
    <div>
      <dt>Docs folder</dt>
      <dd><code>${project.root === '' ? 'Whole repository' : project.root}</code></dd>
    </div>
    <div>
      <dt>Framework</dt>
      <dd>${project.framework ?? 'not known yet'}</dd>
    </div>
    <div>
      <dt>Visibility</dt>
      <dd>
        ${readers[visibilityOf(project.settings)]}
        ${mayOpen(session, settings) ? html`· <a href="${settings}">change</a>` : ''}
      </dd>
    </div>
    ${
      site === undefined
        ? ''
        : html`<div>
            <dt>Site</dt>
            <dd>${externalLink(site, site)}</dd>
          </div>`
    }`
}

function failure({ domain, sync: { error, at } }: Project, session: Session): Html {
  if (error === undefined) return html``
  if (at !== undefined) return html`<p class="failure"><strong>Last sync failed</strong> ${error}</p>`
  const read = html`<p class="failure"><strong>Not indexed yet</strong> ${error}</p>`
  if (!maySend(session, `/projects/${domain}/sync`)) return read
  return html`${read}
    <p class="muted">
      Fix the problem, then click Sync now. To remove the project, run:
      <code>${ownCommand} project remove ${domain} --yes</code>
    </p>`
}

/** Tells that there is nothing to read, with a button for each folder that has pages. */
function missingPages(project: Project, session: Session): Html {
  const {
    domain,
    sync: { warning, pageFolders },
  } = project
  if (warning === undefined) return html``
  return html`<div class="notice warning" role="alert">
    <p>${warning}</p>
    ${pageFolders.length === 0 ? '' : html`<div class="buttons">${pageFolders.map(({ folder, pages }) => buttonForm(session, { action: `/projects/${domain}/root`, label: `Read ${folder || 'the whole repository'} (${counted(pages, 'page')})`, fields: { root: folder } }))}</div>`}
  </div>`
}

/** Tells which pages are not in the index. */
function leftOut({ sync: { unreadable } }: Project): Html {
  if (unreadable.length === 0) return html``
  return html`<div class="notice warning">
    <p>
      ${unreadable.length === 1 ? 'One file is' : `${unreadable.length} files are`} skipped or only partly
      indexed:
    </p>
    <ul>
      ${unreadable.slice(0, 20).map(({ path, message }) => html`<li><code>${path}</code>: ${message}</li>`)}
    </ul>
  </div>`
}

/** Tells what prevents jobs from running. */
function hostNotes(base: string, session: Session, { notes = [], problem, kind }: ShownHost): Html {
  const paragraphs = problem ? [problem.message] : kind === 'git' ? [] : notes
  if (paragraphs.length === 0) return html``
  return html`<div class="notice warning">
    ${paragraphs.map((note) => html`<p>${note}.</p>`)}
    <p>${linkFor(session, `${base}/settings/host`, 'Git host settings')}</p>
  </div>`
}

function noJobs(base: string, session: Session): Html {
  return html`<p class="empty">No jobs yet. ${linkButtonFor(session, `${base}/jobs/new`, 'Start job')}</p>`
}

function snippets(project: Project, publicUrl: string): Html {
  const prompt = JSON.stringify({ prompt: 'Fix broken links' })
  const question = JSON.stringify({
    fp: 'anonymous',
    messages: [{ id: '1', role: 'user', parts: [{ type: 'text', text: 'How do I get started?' }] }],
  })
  return html`<p>
      Each request needs a key from the <a href="/projects/${project.domain}/keys">API keys page</a>.
    </p>
    <h3>Start a job</h3>
    ${copyableBlock(curl(`${publicUrl}/v2/agent/${project.id}/job`, 'DOCWRIGHT_ADMIN_KEY', prompt), 'the command')}
    <h3>Ask the assistant</h3>
    ${copyableBlock(curl(`${publicUrl}/discovery/v2/assistant/${project.domain}/message`, 'DOCWRIGHT_ASSISTANT_KEY', question), 'the command')}`
}

function curl(url: string, key: string, body: string): string {
  return `curl -N '${url}' \\
  -H "Authorization: Bearer $${key}" \\
  -H 'Content-Type: application/json' \\
  -d '${body}'`
}
