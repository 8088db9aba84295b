import { html } from 'hono/html'
import { jobTable } from '../jobs/pages/job-table.ts'
import { pullTable } from './pull-table.ts'
import type { Endpoint } from '../../api/endpoint.ts'
import type { Html } from '../../api/frame/html/html.ts'
import { show } from '../../api/frame/html/respond.ts'
import type { Pages, Visit } from '../../api/frame/pages.ts'
import { listJobs } from '../../features/agent/jobs.ts'
import type { Project } from '../../features/projects/projects.ts'
import { AppError } from '../../lib/errors.ts'
import { verbForm } from '../../verbs/form.ts'
import { findPull } from './find-pull.ts'
import * as deeds from './run.ts'
import { inForm, showPullEndpoint, type PullPagePorts } from './show-pull.ts'

type Ports = PullPagePorts & deeds.PullPorts

const path = '/projects/{domain}/pulls'
const one = `${path}/{number}`

/** The pages of pull requests, and the forms, each of which leads back to its page. */
export function pullPages(pages: Pages, ports: Ports): Endpoint[] {
  const shownOn = showPullEndpoint(pages, ports)
  const pullIn = ({ context }: Visit): { number: string } => ({ number: context.req.param('number') ?? '' })
  const shownAgain =
    (done: string) =>
    (visit: Visit & { project: Project }): Response =>
      visit.context.redirect(
        `/projects/${visit.project.domain}/pulls/${pullIn(visit).number}?done=${done}`,
        303,
      )
  return [
    listPage(pages, ports),
    shownOn,
    verbForm(pages, ports, `${one}/merge`, deeds.mergePullRequest, {
      typed: { only: ['style', 'headCommit'] },
      shownOn,
      async given(visit) {
        const { project, form } = visit
        const named = pullIn(visit)
        if (
          project.kind === 'path' &&
          (await findPull(ports, project, named.number)).draft &&
          !form.has('draft')
        )
          throw new AppError(
            'conflict',
            'This pull request is a draft. Select Merge this draft anyway to continue',
          )
        return named
      },
      done: shownAgain('merged'),
    }),
    verbForm(pages, ports, `${one}/close`, deeds.closePullRequest, {
      shownOn,
      given: pullIn,
      done: shownAgain('closed'),
    }),
    verbForm(pages, ports, `${one}/reopen`, deeds.reopenPullRequest, {
      shownOn,
      given: pullIn,
      done: shownAgain('reopened'),
    }),
    verbForm(pages, ports, `${one}/comment`, deeds.addComment, {
      typed: inForm,
      shownOn,
      given: pullIn,
      done: shownAgain('commented'),
    }),
  ]
}

function listPage(pages: Pages, ports: Ports): Endpoint {
  return pages.projectPage(
    '/projects/{domain}/pulls',
    'listPullRequests',
    async ({ context, session, project }) => {
      if (project.kind === 'https') {
        const { rows: jobs } = await listJobs(ports.store.db, project.id, { limit: 200 })
        const opened = jobs.filter(({ pullRequest }) => pullRequest !== undefined)
        const body = html`<h1>Pull requests</h1>
          <p class="muted">
            Those of the latest jobs. They are reviewed and merged here, by the rules of the project’s git
            host, and closed there.
          </p>
          ${opened.length === 0 ? none(project) : jobTable(project, opened, ports.now())}`
        return show(context, { title: 'Pull requests', session, project, tab: 'pulls' }, body)
      }
      const pulls = await ports.pullRequests.list(project, { limit: 200 })
      const body = html`<h1>Pull requests</h1>
        ${pulls.length === 0 ? none(project) : pullTable(project, pulls, ports.now())}`
      return show(context, { title: 'Pull requests', session, project, tab: 'pulls' }, body)
    },
  )
}

function none({ domain }: Project): Html {
  return html`<p class="empty">None yet. <a href="/projects/${domain}/jobs">Start a job</a> to open one.</p>`
}
