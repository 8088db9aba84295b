import { html } from 'hono/html'
import type { Session } from '../../../features/projects/sign-in.ts'
import type { Store } from '../../../store/database.ts'
import type { PageLists } from '../../docs/navigation/page-list.ts'
import type { Endpoint } from '../../endpoint.ts'
import { findAnything } from '../../find/find-anything.ts'
import { findKinds, type Found } from '../../find/places.ts'
import { buttonForm } from '../../frame/html/form.ts'
import type { Html } from '../../frame/html/html.ts'
import { show } from '../../frame/html/respond.ts'
import type { Pages } from '../../frame/pages.ts'

interface Ports {
  store: Store
  publicUrl(): string
  pagesOf: PageLists
}

const titles: Readonly<Record<Found['kind'], string>> = {
  action: 'Actions',
  place: 'Dashboard pages',
  project: 'Projects',
  page: 'Documentation',
  job: 'Jobs',
}

/** The same as the command palette, for browsers that run no scripts. */
export function showFindEndpoint(pages: Pages, ports: Ports): Endpoint {
  return pages.page('/find', 'find', async ({ context, session, caller }) => {
    const query = (context.req.query('query') ?? '').slice(0, 200)
    const domain = context.req.query('project')
    const matches = await findAnything(ports, caller, { query, domain, shown: session.organization?.id })
    const body = html`<h1>Search</h1>
      <form action="/find" role="search" class="search-anything">
        ${domain === undefined ? '' : html`<input type="hidden" name="project" value="${domain}" />`}
        <label class="hidden" for="query">Search pages, projects, docs, jobs, and actions</label>
        <input id="query" name="query" value="${query}" maxlength="200" autocomplete="off" autofocus />
        <button class="primary">Find</button>
      </form>
      ${matches.length === 0 ? html`<p class="empty">No results. Try fewer or different words.</p>` : ''}
      ${findKinds.map((kind) =>
        group(
          kind,
          matches.filter((one) => one.kind === kind),
          session,
        ),
      )}`
    return show(context, { title: 'Find', session, styles: ['manage.css'] }, body)
  })
}

function group(kind: Found['kind'], found: readonly Found[], session: Session): Html {
  if (found.length === 0) return html``
  return html`<section class="found">
    <h2>${titles[kind]}</h2>
    <ul>
      ${found.map(
        ({ title, detail, url, isForm }) =>
          html`<li>
            ${isForm ? buttonForm(session, { action: url, label: title }) : html`<a href="${url}">${title}</a>`}
            <span class="muted">${detail}</span>
          </li>`,
      )}
    </ul>
  </section>`
}
