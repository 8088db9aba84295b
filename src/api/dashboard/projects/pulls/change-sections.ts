import { html } from 'hono/html'
import type { Job } from '../../../../features/agent/jobs.ts'
import type { Change } from '../../../../features/agent/workspace/job-work.ts'
import type { Caller } from '../../../../features/projects/allow.ts'
import type { Project } from '../../../../features/projects/projects.ts'
import type { Session } from '../../../../features/projects/sign-in.ts'
import { diffTrees } from '../../../../integrations/git/trees/diff-trees.ts'
import type { RequestContext } from '../../../endpoint.ts'
import { diffView } from '../../html/diff.ts'
import type { Html } from '../../html/html.ts'
import type { PagePorts } from '../../ports.ts'
import { commitSection } from './commits.ts'
import { readReview } from './review.ts'
import { reviewAtLines, reviewComments, reviewProgress } from './review-parts.ts'

interface ShownChange {
  context: RequestContext
  session: Session
  caller: Caller
  project: Project
  job: Job
  /** Of the page. */
  path: string
  change: Change
}

/** The change of a job with the comments at its lines, the draft review, and the commits. */
export async function changeSections(ports: PagePorts, shown: ShownChange): Promise<Html> {
  const { change, project, job } = shown
  const review = await readReview(ports, shown)
  const lines = reviewAtLines(ports, review)
  const { text } = await diffTrees(change.repository, change.from, change.to)
  const view =
    text === '' ? html`<p class="empty">No difference to the base is left.</p>` : diffView(text, lines)
  return html`<section id="changes">
      <h2>Changes</h2>
      ${reviewProgress(review)} ${view}
    </section>
    ${reviewComments(ports, review, lines)} ${await commitSection(project, job.id, change, ports.now())}`
}
