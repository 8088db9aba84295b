import { html } from 'hono/html'
import { listJobs } from '../../features/agent/jobs.ts'
import type { RecentAnalytics } from '../../features/assistant/insights/recent-analytics.ts'
import type { Project } from '../../features/projects/projects.ts'
import { verbForm } from '../../verbs/form.ts'
import type { ShownHost, ProjectHosts } from './setup/project-hosts.ts'
import type { Session } from '../../features/projects/sign-in.ts'
import { readers, visibilityOf } from '../../features/projects/visibility.ts'
import { ownCommand } from '../../lib/own-command.ts'
import { counted } from '../../lib/text/counted.ts'
import type { Store } from '../../store/database.ts'
import type { Endpoint, Visitor } from '../../api/endpoint.ts'
import { buttonForm, copyable } from '../../api/frame/html/form.ts'
import type { Html } from '../../api/frame/html/html.ts'
import { externalLink } from '../../api/frame/html/parts.ts'
import { icon } from '../../api/frame/html/icons.ts'
import { linkButtonFor, linkFor, mayOpen, maySend } from '../../api/frame/html/may-press.ts'
import { show } from '../../api/frame/html/respond.ts'
import type { Pages } from '../../api/frame/pages.ts'
import { projectStream } from '../../api/live/streams.ts'
import { jobTable } from '../jobs/pages/job-table.ts'
import { locationFor } from '../../api/frame/html/location-for.ts'
import { nextUp } from './next-up.ts'
import type { ProjectPorts } from './present-project.ts'
import { syncProject } from './run.ts'
import { addFolderCommand, domainIn } from './setup/add-project.ts'
import { addPath } from './add-page.ts'
import { firstRead, isSyncing, lastRead, syncAsked, syncState } from '../../api/frame/html/sync-state.ts'

interface Ports {
  store: Store
  publicUrl(): string
  now(): Date
  analytics: RecentAnalytics
  hosts: ProjectHosts
}

export function syncProjectEndpoint(pages: Pages, ports: ProjectPorts): Endpoint {
  return verbForm(pages, ports, '/projects/{domain}/sync', syncProject, {
    typed: { only: [] },
    given: () => ({}),
    done: ({ context, project }) => context.redirect(syncAsked(project), 303),
  })
}

/** Days of the questions that the overview counts. */
const days = 30

export function showProjectEndpoint(pages: Pages, ports: Ports): Endpoint {
  return pages.projectPage('/projects/{domain}', 'getProject', async ({ context, session, project }) => {
    const { db } = ports.store
    const [{ rows: jobs }, next, questions] = await Promise.all([
      listJobs(db, project.id, { limit: 5 }),
      nextUp(ports, session, project),
      recentQuestions(ports, project),
    ])
    const host = project.kind === 'path' ? undefined : await ports.hosts.describe(project)
    const base = `/projects/${project.domain}`
    const now = ports.now()
    const { active = 0, pulls = 0 } = session.waiting ?? {}
    const body = html`<div class="heading">
        <div>
          <h1>${project.domain}</h1>
          <p class="meta">${syncState(project, now)}</p>
        </div>
        <div class="buttons">
          ${buttonForm(session, { action: `${base}/sync`, label: 'Sync now' })}
          ${mayOpen(session, `${base}/jobs/new`) ? html`<a class="button" href="${base}/jobs/new">${icon('plus')}Start job</a>` : ''}
        </div>
      </div>
      ${firstRead(project)} ${failure(project, session)} ${otherFolders(project, session)} ${leftOut(project)}
      ${host === undefined ? '' : hostNotes(base, session, host)} ${next}
      <section aria-labelledby="health">
        <h2 id="health">Health</h2>
        ${tiles(project, session, { pulls, questions })}
      </section>
      <section aria-labelledby="last">
        <div class="heading">
          <h2 id="last">Recent jobs</h2>
          <span class="meta">
            ${active === 0 ? '' : html`<a href="${base}/jobs?state=active">${active.toLocaleString('en')} running</a>`}
            ${jobs.length === 0 ? '' : html`<a href="${base}/jobs">All jobs</a>`}
          </span>
        </div>
        ${jobs.length === 0 ? noJobs(base, session) : jobTable(project, jobs, now)}
      </section>
      <details class="more">
        <summary>Repository</summary>
        <dl class="facts">${facts(project, session, ports.publicUrl())}</dl>
      </details>`
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

interface RecentQuestions {
  asked: number
  /** Of those that were about the documentation. */
  answered: number
  judged: number
}

async function recentQuestions({ analytics }: Ports, { id }: Project): Promise<RecentQuestions> {
  const to = new Date()
  to.setUTCHours(24, 0, 0, 0)
  const range = { from: new Date(to.getTime() - days * 86_400_000), to }
  const { series } = await analytics.read(id, { range, interval: 'day' })
  const all: RecentQuestions = { asked: 0, answered: 0, judged: 0 }
  for (const { questions, outcomes } of series) {
    all.asked += questions
    all.answered += outcomes.answered
    all.judged +=
      outcomes.answered + outcomes.partial + outcomes.weak + outcomes.unanswered + outcomes.uncited
  }
  return all
}

/** How the documentation and the work on it are, each with the page that shows more. */
function tiles(
  { domain, pageCount }: Project,
  session: Visitor,
  { pulls, questions }: { pulls: number; questions: RecentQuestions },
): Html {
  const base = `/projects/${domain}`
  const problems = session.waiting?.problems
  const { asked, answered, judged } = questions
  const tile = (href: string, label: string, figure: string, fact: Html | string): Html =>
    html`<li>
      <a href="${href}"><span>${label}</span><strong>${figure}</strong><span>${fact}</span></a>
    </li>`
  return html`<ul class="tiles">
    ${tile(`/docs/${domain}/`, 'Pages', pageCount.toLocaleString('en'), 'indexed')}
    ${tile(`${base}/problems`, 'Problems', problems?.toLocaleString('en') ?? '–', problems === undefined ? 'not checked yet' : problems === 0 ? 'none found' : html`<span class="is-bad">to fix</span>`)}
    ${
      mayOpen(session, `${base}/assistant`)
        ? tile(
            `${base}/assistant`,
            'Answered',
            judged === 0 ? '–' : `${Math.round((100 * answered) / judged)}%`,
            asked === 0 ? 'no questions yet' : `of ${counted(asked, 'question')} in ${days} days`,
          )
        : ''
    }
    ${tile(`${base}/pulls`, 'Open pull requests', pulls.toLocaleString('en'), pulls === 0 ? 'nothing to review' : 'to review')}
  </ul>`
}

function facts(project: Project, session: Session, publicUrl: string): Html {
  const { site } = project.settings
  const settings = `/projects/${project.domain}/settings`
  return html`<div>
      <dt>Repository</dt>
      <dd>
        ${project.kind === 'path' ? locationFor(project) : externalLink(project.location, project.location)}
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

/** Tells that there is nothing to read, or that there are several sites, with a button for each folder that has pages. */
function otherFolders(project: Project, session: Session): Html {
  const {
    domain,
    sync: { warning, pageFolders },
  } = project
  const folders = warning === undefined ? pageFolders.slice(1) : pageFolders
  const buttons = folders.map(({ folder, pages }) =>
    buttonForm(session, {
      action: `/projects/${domain}/root`,
      label: `Read ${folder || 'the whole repository'} (${counted(pages, 'page')})`,
      fields: { root: folder },
    }),
  )
  if (warning !== undefined)
    return html`<div class="notice warning" role="alert">
      <p>${warning}</p>
      ${buttons.length === 0 ? '' : html`<div class="buttons">${buttons}</div>`}
    </div>`
  if (folders.length === 0) return html``
  return html`<div class="notice">
    <p>
      This repository has ${pageFolders.length} docs sites. This project reads
      <code>${pageFolders[0]?.folder ?? ''}</code>. Add a project for another site, or read that site here
      instead.
    </p>
    ${folders.map(({ folder }) => addAnother(project, session, folder))}
    <div class="buttons">${buttons}</div>
  </div>`
}

/** Another project of the same repository: the form, filled in, or the command for a folder on the server. */
function addAnother({ domain, kind, location }: Project, session: Session, folder: string): Html {
  if (!mayOpen(session, addPath)) return html``
  const name = domainIn(`${domain}-${folder.split('/')[0] ?? ''}`)
  if (kind === 'path')
    return copyable(
      addFolderCommand(location, ` --domain ${name} --root ${folder}`),
      `the command that adds ${folder}`,
    )
  const values = new URLSearchParams({ location, root: folder, domain: name })
  return html`<p><a href="${addPath}?${values.toString()}">Add ${folder} as a project</a></p>`
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
