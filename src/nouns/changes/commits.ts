import { html } from 'hono/html'
import { getJob } from '../../features/agent/jobs.ts'
import { listChangeCommits, type ChangeCommit } from '../../features/agent/review/list-change-commits.ts'
import { diffedProject, jobChange, type Change } from '../../features/agent/workspace/job-work.ts'
import type { OpenMirror } from '../../features/projects/projects.ts'
import { emptyTree } from '../../integrations/git/trees/commit-history.ts'
import { hasUnstorable } from '../../lib/text/plain-text.ts'
import type { Store } from '../../store/database.ts'
import type { PageLists } from '../../api/docs/navigation/page-list.ts'
import type { Endpoint } from '../../api/endpoint.ts'
import { notFound } from '../../api/errors.ts'
import type { Html } from '../../api/frame/html/html.ts'
import { ago } from '../../api/frame/html/parts.ts'
import { respond, show } from '../../api/frame/html/respond.ts'
import type { Pages } from '../../api/frame/pages.ts'
import type { ReadRows } from './files/read-rows.ts'
import { readReviewRequest } from './files/review-request.ts'
import type { Reviewed } from './files/reviewed.ts'
import { showReview, showReviewFile } from './files/show-review.ts'

interface Ports {
  store: Store
  now(): Date
  mirror: OpenMirror
  pagesOf: PageLists
  readRows: ReadRows
}

const commitAssets = {
  styles: ['components.css', 'review.css', 'comments.css'],
  scripts: ['review.js'],
} as const

/** The commits of a change, each leading to its own diff. */
export async function commitSection(
  { domain }: { domain: string },
  jobId: string,
  change: Change,
  now: Date,
): Promise<Html> {
  const commits = await listChangeCommits(change)
  if (commits.length === 0) return html``
  return html`<section id="commits">
    <h2>Commits</h2>
    <ol class="commits">
      ${commits.map(
        (commit) =>
          html`<li>
            <a class="commit-title" href="/projects/${domain}/jobs/${jobId}/commits/${commit.id}"
              >${commit.title === '' ? 'Without a message' : commit.title}</a
            >
            <p class="muted">${byLine(commit, now)}</p>
          </li>`,
      )}
    </ol>
  </section>`
}

function byLine({ id, author, coAuthors, date }: ChangeCommit, now: Date): Html {
  return html`<code>${id.slice(0, 9)}</code>
    ${author}${coAuthors.length === 0 ? '' : ` with ${coAuthors.join(', ')}`}, ${ago(date, now)}`
}

/** What one commit of a job's branch changed. */
export function showCommitEndpoint(pages: Pages, ports: Ports): Endpoint {
  return pages.projectPage(
    '/projects/{domain}/jobs/{id}/commits/{commit}',
    'listJobCommits',
    async ({ context, session, project }) => {
      const [id = '', wanted = ''] = [context.req.param('id'), context.req.param('commit')]
      const job = hasUnstorable(id) ? undefined : await getJob(ports.store.db, project.id, id)
      if (!job) throw notFound('job', id)
      const diffed = diffedProject(project, ports.mirror)
      const change = await jobChange(ports.store, diffed, job.id, { fresh: false })
      const commits = change === undefined ? [] : await listChangeCommits(change)
      const commit = commits.find((one) => one.id === wanted)
      if (change === undefined || commit === undefined) throw notFound('commit', wanted)
      const reviewed: Reviewed = {
        project,
        repository: change.repository,
        from: commit.parent ?? emptyTree(commit.id),
        to: commit.id,
        page: `/projects/${project.domain}/jobs/${job.id}/commits/${commit.id}`,
        checks: [],
        reasons: new Map(),
        kept: new Set(),
        images: true,
      }
      const request = readReviewRequest(context)
      if (request.alone) return respond(context, await showReviewFile(ports, reviewed, request))
      const body = html`<p class="trail">
          <a href="/projects/${project.domain}/jobs/${job.id}">${job.title === '' ? 'Job' : job.title}</a>
        </p>
        <h1>${commit.title}</h1>
        <p class="meta muted">${byLine(commit, ports.now())}</p>
        ${commit.isMerge ? html`<p class="notice">Merge commit. Shows changes from the other branch.</p>` : ''}
        <section class="wide">
          <h2>Diff</h2>
          ${await showReview(ports, reviewed, request)}
        </section>`
      return show(
        context,
        { title: commit.title, session, project, tab: 'jobs', wide: true, ...commitAssets },
        body,
      )
    },
  )
}
