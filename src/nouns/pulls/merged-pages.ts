import { html } from 'hono/html'
import type { Job } from '../../features/agent/jobs.ts'
import { findPage } from '../../features/docs/pages.ts'
import type { Project } from '../../features/projects/projects.ts'
import type { Store } from '../../store/database.ts'
import type { AskPorts } from '../../api/discovery/ask-assistant.ts'
import type { Html } from '../../api/frame/html/html.ts'
import { externalLink } from '../../api/frame/html/parts.ts'
import { docsPath } from '../../api/render/docs-path.ts'

interface Ports {
  store: Store
  assistant: AskPorts<Project>['assistant']
}

const mostPages = 8

/** Leads to what a merge has changed, as readers see it. */
export async function mergedPages(
  { store, assistant }: Pick<Ports, 'store' | 'assistant'>,
  project: Project,
  changes: Job['changes'],
): Promise<Html> {
  const left = changes.filter(({ status }) => status !== 'deleted').slice(0, mostPages)
  const candidates = await Promise.all(left.map(({ path }) => findPage(store.db, project.id, path)))
  // The path of a file may also be the address of another page.
  const pages = candidates.filter((page) => page !== undefined && left.some(({ path }) => path === page.path))
  const hasSite = project.settings.site !== undefined
  return html`${
      pages.length === 0
        ? html`<p><a href="${docsPath(project.domain, '/')}">Read the documentation</a></p>`
        : html`<p>As readers see it:</p>
            <ul>
              ${pages.map(
                (page) =>
                  page &&
                  html`<li>
                    <a href="${docsPath(project.domain, page.url)}">${page.title}</a>
                    ${hasSite ? html`· ${externalLink(assistant.linkOf(project, page.url, undefined), 'on your site')}` : ''}
                  </li>`,
              )}
            </ul>`
    }
    <p class="muted">
      Docs, search, and the assistant update in a few
      seconds${hasSite ? '; your site updates after its next build' : ''}.
    </p>`
}
