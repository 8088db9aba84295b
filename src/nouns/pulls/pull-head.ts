import { visiblePath } from '../../api/frame/html/visible.ts'
import { html } from 'hono/html'
import { describeChecks } from '../../features/agent/describe-checks.ts'
import type { Job } from '../../features/agent/jobs.ts'
import type { Html } from '../../api/frame/html/html.ts'
import type { ReadMarkdown } from '../../api/render/markdown/read-markdown.ts'
import { renderMarkdown } from '../../api/render/markdown/render-markdown.ts'
import { icon } from '../../api/frame/html/icons.ts'

/** What a pull request is about and what its checks say, before the change itself. */
export function pullHead(
  { readMarkdown }: { readMarkdown: ReadMarkdown },
  projectId: string,
  { description, job }: { description: string | undefined; job: Job | undefined },
): Html {
  return html`<section class="card summary-card" aria-labelledby="description">
    <h2 id="description" class="hidden">Description</h2>
    <div class="prose pull-text" tabindex="0">
      ${description === undefined || description.trim() === '' ? html`<p class="muted">No description.</p>` : renderMarkdown(readMarkdown, projectId, description)}
    </div>
    ${job === undefined ? '' : checksLine(job)}
  </section>`
}

/** All checks in one line. */
function checksLine({ checks }: Job): Html {
  const isClean = checks.length === 0
  return html`<p class="checks-line">
    ${icon(isClean ? 'check' : 'problem', isClean ? 'is-good' : 'is-busy')}
    <span>${visiblePath(describeChecks(checks))}</span>
  </p>`
}
