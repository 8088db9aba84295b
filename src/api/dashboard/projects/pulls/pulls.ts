import { html } from 'hono/html'
import { z } from 'zod'
import type { HostedPulls } from '../../../../features/agent/hosts/hosted-pulls.ts'
import { listJobs } from '../../../../features/agent/jobs.ts'
import { nameOf, type Caller } from '../../../../features/projects/allow.ts'
import type { Project } from '../../../../features/projects/projects.ts'
import type { Verb } from '../../../../features/projects/rights.ts'
import { mergeStyles } from '../../../../integrations/forges/merging.ts'
import type { PullRequest } from '../../../../integrations/forges/local/pull-request-detail.ts'
import { AppError } from '../../../../lib/errors.ts'
import { mergerOf } from '../../../admin/judge-pull.ts'
import { mergePull, pullNumberOf, pullOf } from '../../../admin/pulls.ts'
import type { Endpoint } from '../../../endpoint.ts'
import type { Html } from '../../../frame/html/html.ts'
import { ago, badge, table } from '../../../frame/html/parts.ts'
import { show } from '../../../frame/html/respond.ts'
import type { Pages } from '../../../frame/pages.ts'
import { fieldOf } from '../../../frame/read-form.ts'
import { jobTable } from '../jobs/job-table.ts'
import { showPullEndpoint, type PullPagePorts } from './show-pull.ts'

interface Ports extends PullPagePorts {
  hostedPulls: HostedPulls
}

export function listPullsEndpoint(pages: Pages, ports: Ports): Endpoint {
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
  return html`<p class="empty">
    None yet. <a href="/projects/${domain}/jobs">Start a job</a>: when it changes files, it opens one.
  </p>`
}

export function pullTable(project: Project, pulls: PullRequest[], now: Date): Html {
  return table(
    'Pull requests',
    ['Number', 'Title', 'State', 'Branch', 'Opened'],
    pulls.map(
      (pull) =>
        html`<tr>
          <td>#${pull.number}</td>
          <td class="wide">
            <a href="/projects/${project.domain}/pulls/${pull.number}">${pull.title}</a>
          </td>
          <td>${badge(pull.state)}${pull.draft ? html` ${badge('draft')}` : ''}</td>
          <td><code>${pull.head}</code></td>
          <td>${ago(pull.createdAt, now)}</td>
        </tr>`,
    ),
    'entries',
  )
}

/** The forms of a pull request's page. Each leads back to it. */
export function pullForms(pages: Pages, ports: Ports): Endpoint[] {
  const { pullRequests } = ports
  const action = (
    verb: Verb,
    path: string,
    done: string,
    act: (project: Project, pull: PullRequest, form: URLSearchParams, caller: Caller) => Promise<void>,
  ): Endpoint =>
    pages.projectForm(
      `/projects/{domain}/pulls/{number}/${path}`,
      verb,
      async ({ context, project, form, caller }) => {
        const pull = await pullOf(pullRequests, context, project)
        const { number } = pull
        await act(project, pull, form, caller)
        return context.redirect(`/projects/${project.domain}/pulls/${number}?done=${done}`, 303)
      },
      showPullEndpoint(pages, ports),
    )
  return [
    pages.projectForm(
      '/projects/{domain}/pulls/{number}/merge',
      'mergePullRequest',
      async ({ context, project, form, caller }) => {
        if (project.kind === 'path') {
          const { draft } = await pullOf(pullRequests, context, project)
          if (draft && form.get('draft') !== 'yes')
            throw new AppError('conflict', 'It is a draft: tick that you merge it all the same')
        }
        const style = z.enum(mergeStyles).optional().catch(undefined)
        const wish = {
          style: style.parse(form.get('style') ?? undefined),
          headCommit: form.get('head') ?? undefined,
        }
        await mergePull(ports, { context, project, caller }, wish)
        return context.redirect(`/projects/${project.domain}/pulls/${pullNumberOf(context)}?done=merged`, 303)
      },
      showPullEndpoint(pages, ports),
    ),
    action('closePullRequest', 'close', 'closed', (project, { number }, _form, caller) =>
      pullRequests.close(project, number, mergerOf(caller)),
    ),
    action('reopenPullRequest', 'reopen', 'reopened', (project, { number }, _form, caller) =>
      pullRequests.reopen(project, number, mergerOf(caller)),
    ),
    action('addComment', 'comment', 'commented', (project, { number }, form, caller) =>
      pullRequests.comment(project, number, fieldOf(form, 'body'), nameOf(caller)),
    ),
  ]
}
