import { visiblePath } from '../../api/frame/html/visible.ts'
import { html } from 'hono/html'
import { describeChecks } from '../../features/agent/describe-checks.ts'
import type { Job } from '../../features/agent/jobs.ts'
import type { Html } from '../../api/frame/html/html.ts'
import type { ReadMarkdown } from '../../api/render/markdown/read-markdown.ts'
import { renderMarkdown } from '../../api/render/markdown/render-markdown.ts'
import { icon } from '../../api/frame/html/icons.ts'

/** What a pull request is about, what its checks say and the next step, before the change itself. */
export function pullHead(
  { readMarkdown }: { readMarkdown: ReadMarkdown },
  projectId: string,
  {
    description,
    job,
    next,
    linkOf,
  }: {
    description: string | undefined
    job: Job | undefined
    next: Html
    /** The page of another pull request of the repository. */
    linkOf: (number: number) => string | undefined
  },
): Html {
  // In descriptions they are code, so that hosts do nothing about them.
  const text = description?.replaceAll(/(?<![`[\\])`#(\d{1,9})`(?!`)/g, (reference, number: string) => {
    const link = linkOf(Number(number))
    return link === undefined ? reference : `[#${number}](${link})`
  })
  return html`<section class="card summary-card" aria-labelledby="description">
    <h2 id="description" class="hidden">Description</h2>
    <div class="prose pull-text" tabindex="0">
      ${text === undefined || text.trim() === '' ? html`<p class="muted">No description.</p>` : renderMarkdown(readMarkdown, projectId, text)}
    </div>
    <div class="checks-line">
      ${job === undefined ? '' : checksLine(job)}
      <div class="buttons">${next}</div>
    </div>
  </section>`
}

/** All checks in one line. */
function checksLine({ checks }: Job): Html {
  const isClean = checks.length === 0
  return html`<p>
    ${icon(isClean ? 'check' : 'problem', isClean ? 'is-good' : 'is-busy')}
    <span>${visiblePath(describeChecks(checks))}</span>
  </p>`
}
