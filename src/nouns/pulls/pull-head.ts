import { html } from 'hono/html'
import { describeChecks } from '../../features/agent/describe-checks.ts'
import type { Job } from '../../features/agent/jobs.ts'
import type { Html } from '../../api/frame/html/html.ts'
import type { ReadMarkdown } from '../../api/render/markdown/read-markdown.ts'
import { renderMarkdown } from '../../api/render/markdown/render-markdown.ts'
import { visiblePath } from '../../api/dashboard/review/reviewed.ts'

/** What a pull request is about and what its checks say, beside whether it can be merged. */
export function pullHead(
  { readMarkdown }: { readMarkdown: ReadMarkdown },
  projectId: string,
  { description, job, box }: { description: string | undefined; job: Job | undefined; box: Html },
): Html {
  return html`<div class="pull-head">
    <section aria-labelledby="description">
      <h2 id="description">Description</h2>
      <div class="prose card pull-text" tabindex="0">
        ${description === undefined || description.trim() === '' ? html`<p class="muted">No description.</p>` : renderMarkdown(readMarkdown, projectId, description)}
      </div>
    </section>
    <div>
      ${job === undefined ? '' : html`<p class="pull-checks"><strong>Checks:</strong> ${visiblePath(describeChecks(job.checks))}</p>`}
      ${box}
    </div>
  </div>`
}
