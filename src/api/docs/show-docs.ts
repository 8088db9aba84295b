import { html } from 'hono/html'
import type { SearchLog } from '../../features/assistant/insights/searches.ts'
import { findPage, type StoredPage } from '../../features/docs/pages.ts'
import { belongsTo, mayDo } from '../../features/projects/allow.ts'
import type { OpenMirror, Project } from '../../features/projects/projects.ts'
import type { Session } from '../../features/projects/sign-in.ts'
import { visibilityOf } from '../../features/projects/visibility.ts'
import { AppError } from '../../lib/errors.ts'
import { sha256 } from '../../lib/ids.ts'
import { hasUnstorable } from '../../lib/text/plain-text.ts'
import { readWholeNumber } from '../../lib/whole-number.ts'
import { namesType } from '../accept.ts'
import type { Endpoint, RequestContext } from '../endpoint.ts'
import { hasVersion } from '../entity-tag.ts'
import { errorResponse } from '../errors.ts'
import type { Html } from '../frame/html/html.ts'
import { respond } from '../frame/html/respond.ts'
import { callerOf, type Pages } from '../frame/pages.ts'
import type { CountRead } from '../metrics.ts'
import { searches } from '../rate.ts'
import { docsPath, markdownPath, sitePath } from '../render/docs-path.ts'
import { findImages } from '../render/find-images.ts'
import type { ReadMarkdown } from '../render/markdown/read-markdown.ts'
import { sendImage } from '../render/send-image.ts'
import { readSession } from '../session-cookie.ts'
import { widgetUrl, type ReadWidget } from '../widget/get-widget.ts'
import { docsLayout } from './docs-layout.ts'
import { listAllPages } from './navigation/list-all-pages.ts'
import type { PageLists } from './navigation/page-list.ts'
import { breadcrumbs, neighbours, pageNavigation } from './navigation/page-navigation.ts'
import { switches } from './navigation/switches.ts'
import { pageOutline } from './navigation/page-outline.ts'
import { hideFromStrangers, markdownHeaders, openDocs, readerOf, type OpenDocsPorts } from './open-docs.ts'
import type { WriteMarkdown } from './page-markdown.ts'
import type { SearchDocs } from './ports.ts'
import { createRenderedPages } from './rendered-pages.ts'
import { resultList, searchResults, typedResults } from './search-results.ts'

interface Ports extends OpenDocsPorts {
  mirror: OpenMirror
  searchDocs: SearchDocs
  searchLog: Pick<SearchLog, 'record' | 'flush'>
  pagesOf: PageLists
  writeMarkdown: WriteMarkdown
  countRead: CountRead
  readWidget: ReadWidget
  readMarkdown: ReadMarkdown
}

/** An image of a documentation page, for those who may read the pages. */
export function showDocsImageEndpoint(pages: Pages, ports: Ports): Endpoint {
  return pages.browserEndpoint('get', '/docs/{domain}/-/images/{oid}', async (context) => {
    const project = await openDocs(ports, context)
    return project instanceof Response ? project : sendImage(context, () => ports.mirror(project))
  })
}

/**
 * Serves every address below `/docs/{domain}` to those whom the project's visibility allows: a page, the list of
 * pages, or search results. A page is Markdown at its address with `.md`, and where the client prefers Markdown.
 */
export function showDocsEndpoint(pages: Pages, ports: Ports): Endpoint {
  const rendered = createRenderedPages(ports.readMarkdown, async (project, page, addresses) => {
    const { commit } = project.sync
    return commit === undefined ? {} : findImages(await ports.mirror(project), commit, page.path, addresses)
  })
  return pages.browserEndpoint('get', '/docs/{domain}/*', async (context) => {
    const project = await openDocs(ports, context)
    if (project instanceof Response) return project
    const { pathname, search } = new URL(context.req.url)
    if (pathname === `/docs/${project.domain}`) return context.redirect(`${pathname}/${search}`, 301)
    const list = await ports.pagesOf(project)
    const { pages, links } = list
    const visitor = await readSession(ports.store, ports.publicUrl(), context)
    // A session of another organization counts as none here.
    const session = visitor && belongsTo(callerOf(visitor), project.organizationId) ? visitor : undefined
    const ask = await askBox(ports, project, session)
    const isSignedIn = session !== undefined
    const navigation = (current?: StoredPage): Html => pageNavigation(project.domain, list, current)
    const query = context.req.query('q')?.trim().slice(0, 200)
    if (query !== undefined && query !== '' && !hasUnstorable(query)) {
      searches.take(context, readerOf(context, project))
      const began = performance.now()
      const { hits, confidence } = await ports.searchDocs(project, query)
      // What is shown while somebody types is no search yet.
      if (context.req.query('typing') !== undefined)
        return respond(context, typedResults(project, query, hits))
      ports.searchLog.record({
        projectId: project.id,
        query,
        results: hits.length,
        confidence,
        caller: 'web',
        fp: undefined,
        milliseconds: Math.round(performance.now() - began),
      })
      return respond(
        context,
        docsLayout(
          { project, title: `Search: ${query}`, query, navigation: navigation(), isSignedIn, ask },
          searchResults(project, query, hits),
        ),
      )
    }
    const url = sitePath(project.domain, pathname)
    const page = hasUnstorable(url) ? undefined : await findPage(ports.store.db, project.id, url)
    context.header('Vary', 'Accept')
    const ofMarkdown = page?.url !== url && url.endsWith('.md')
    const asMarkdown = ofMarkdown || namesType(context, 'text/markdown', 'text/html')
    if (page && (ofMarkdown || (asMarkdown && page.url === url))) {
      searches.take(context, readerOf(context, project))
      ports.countRead('markdown')
      return sendMarkdown(context, project, page, await ports.writeMarkdown(project, page, links))
    }
    if (page && page.url !== url) return context.redirect(docsPath(project.domain, page.url), 302)
    const all = context.req.query('all') !== undefined
    if (!page || all) {
      const [first] = list.inOrder
      if (url === '/' && !all && first) return context.redirect(docsPath(project.domain, first.url), 302)
      if (url === '/') {
        const start = readWholeNumber(context.req.query('from'), 9_999_999) ?? 0
        const body = listAllPages(project.domain, pages, start)
        return respond(
          context,
          docsLayout({ project, title: 'All pages', navigation: navigation(), isSignedIn, ask }, body),
        )
      }
      if (asMarkdown)
        return errorResponse(
          new AppError(
            'not_found',
            `There is no page at ${url}; /docs/${project.domain}/llms.txt lists them`,
          ),
        )
      return notFound(ports, context, { project, url, navigation: navigation(), isSignedIn, ask })
    }
    if (page.hidden) hideFromStrangers(context)
    ports.countRead('html')
    context.header('Link', linksOf(project, page))
    const content = await rendered(project, page, links)
    const beginning = content.slice(0, 200)
    const markdown = markdownPath(project.domain, page.url)
    const mayEdit = session !== undefined && mayDo(callerOf(session), 'createJob', project.organizationId)
    const body = html`<div class="docs-body">
      <div>
        <article
          class="prose"
          ${mayEdit ? html`data-change="/projects/${project.domain}/jobs/new?page=${encodeURIComponent(page.path)}"` : ''}
        >
          <div class="page-head">${breadcrumbs(list, page)} ${switches(project.domain, list, page)}</div>
          ${hasOwnHeading(project, beginning) ? '' : heading(page)} ${content}
        </article>
        <p class="page-tools">
          ${mayEdit ? html`<a href="/projects/${project.domain}/jobs/new?page=${encodeURIComponent(page.path)}">Edit with the agent</a>` : ''}
          <a href="${markdown}">View as Markdown</a>
        </p>
        ${neighbours(project.domain, list, page)}
      </div>
      ${pageOutline(page.sections)}
    </div>`
    return respond(
      context,
      docsLayout(
        {
          project,
          title: page.title,
          language: page.language,
          navigation: navigation(page),
          markdown,
          isSignedIn,
          ask,
        },
        body,
      ),
    )
  })
}

function heading({ title, description }: StoredPage): Html {
  return html`<h1>${title}</h1>
    ${description === undefined ? '' : html`<p class="lead">${description}</p>`}`
}

/** Where the title of the front matter stands above what the page begins with, even another heading. */
const titleAbove = new Set(['mintlify', 'starlight', 'hugo'])

/** Elsewhere a page that begins with a heading is shown under that one, and its title is only for lists. */
function hasOwnHeading({ framework }: Project, beginning: string): boolean {
  return !titleAbove.has(framework ?? '') && /^\s*<h1[\s>]/.test(beginning)
}

/** The assistant beside the page, for whoever may ask it here; empty for others, and where the widget is not built. */
async function askBox(ports: Ports, project: Project, session: Session | undefined): Promise<Html> {
  const { settings, domain, organizationId } = project
  const mayAsk = session
    ? mayDo(callerOf(session), 'askAssistant', organizationId)
    : visibilityOf(settings) === 'public' && settings.assistantOnDocs === true
  const script = mayAsk ? await widgetUrl(ports.readWidget, 'widget.js').catch(() => undefined) : undefined
  if (script === undefined) return html``
  return html`<docwright-assistant
      domain="${domain}"
      ${session ? html`csrf="${session.csrfToken}"` : ''}
      ${settings.assistantFiles === true ? html`files="text images"` : ''}
    ></docwright-assistant>
    <script src="${script}" defer></script>`
}

/** What programs are told of a page: its Markdown, and the list that it is in. */
function linksOf({ domain }: Project, { url }: StoredPage): string {
  const type = 'type="text/markdown"'
  return `<${markdownPath(domain, url)}>; rel="alternate"; ${type}, </docs/${domain}/llms.txt>; rel="describedby"; ${type}`
}

function sendMarkdown(context: RequestContext, project: Project, page: StoredPage, text: string): Response {
  const isOpen = visibilityOf(project.settings) === 'public' && !page.hidden
  const tag = `"${sha256(text).slice(0, 32)}"`
  context.header('ETag', tag)
  context.header('Cache-Control', isOpen ? 'no-cache' : 'private, no-store')
  // The page itself is what search engines should find.
  context.header('X-Robots-Tag', 'noindex')
  context.header('Link', `<${docsPath(project.domain, page.url)}>; rel="canonical"`)
  if (hasVersion(context, tag)) return context.body(null, 304)
  return context.body(text, 200, markdownHeaders)
}

async function notFound(
  ports: Ports,
  context: RequestContext,
  {
    project,
    url,
    navigation,
    isSignedIn,
    ask,
  }: { project: Project; url: string; navigation: Html; isSignedIn: boolean; ask: Html },
): Promise<Response> {
  const words = url
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .slice(0, 200)
  if (words !== '') searches.take(context, readerOf(context, project))
  const hits = words === '' ? [] : (await ports.searchDocs(project, words)).hits
  const near = [...new Map(hits.map((section) => [section.url, section])).values()].slice(0, 5)
  const body = html`<h1>No page here</h1>
    <p>The documentation of ${project.domain} has no page at <code>${url}</code>.</p>
    ${
      near.length === 0
        ? ''
        : html`<p>These pages come close:</p>
            ${resultList(project, near)}`
    }
    <p><a class="button" href="/docs/${project.domain}/?all=1">All pages</a></p>`
  return respond(
    context,
    docsLayout({ project, title: 'No page here', navigation, isSignedIn, ask }, body),
    404,
  )
}
