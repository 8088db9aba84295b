import { html } from 'hono/html'
import type { Project } from '../../features/projects/projects.ts'
import { readers, visibilityOf } from '../../features/projects/visibility.ts'
import { assetUrl } from '../frame/assets/assets.ts'
import type { Html } from '../frame/html/html.ts'
import { styles } from '../frame/html/layout.ts'
import { externalLink } from '../frame/html/parts.ts'

interface DocsPage {
  project: Project
  title: string
  language?: string | undefined
  query?: string | undefined
  navigation: Html
  /** The address of the page's Markdown. */
  markdown?: string
  /** Whether the reader may open the project in the dashboard. */
  isSignedIn: boolean
  /** The assistant; empty for those who may not ask. */
  ask: Html
}

export function docsLayout(
  { project, title, language, query, navigation, markdown, isSignedIn, ask }: DocsPage,
  body: Html,
): Html {
  const spoken = language ?? project.language
  const visibility = visibilityOf(project.settings)
  const home = `/docs/${project.domain}/`
  return html`<html lang="${spoken ?? 'en'}" ${isRightToLeft(title, spoken) ? html`dir="rtl"` : ''}>
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <title>${title} · ${project.domain}</title>
      <link rel="icon" href="${assetUrl('icon.svg')}" type="image/svg+xml" />
      ${styles(['palette.css', 'docs.css', 'components.css'])}
      <script type="module" src="${assetUrl('copy.js')}"></script>
      <script type="module" src="${assetUrl('docs.js')}"></script>
      <link rel="describedby" type="text/markdown" href="${home}llms.txt" />
      ${markdown === undefined ? '' : html`<link rel="alternate" type="text/markdown" href="${markdown}" />`}
    </head>
    <body>
      <a class="skip" href="#content">Skip to content</a>
      <header class="top">
        <div class="bar docs-bar">
          <button class="menu-button" popovertarget="pages">Menu</button>
          <a class="brand" href="${home}"
            ><img src="${assetUrl('icon.svg')}" alt="" width="22" height="22" />${project.domain}</a
          >
          <form class="search" action="${home}" role="search">
            <label class="hidden" for="q">Search the documentation</label>
            <input
              id="q"
              name="q"
              type="search"
              value="${query ?? ''}"
              placeholder="Search"
              maxlength="200"
            /><button>Search</button>
          </form>
          <div class="links">
            ${isSignedIn ? html`<a class="quiet" href="/projects/${project.domain}">Dashboard</a>` : html`<a class="quiet" href="/sign-in?return=${encodeURIComponent(home)}">Sign in</a>`}
          </div>
        </div>
      </header>
      <div class="docs">
        ${navigation}
        <main id="content">
          ${body}
          ${visibility === 'public' ? '' : html`<footer class="muted">Only for ${readers[visibility]}.</footer>`}
          ${project.settings.site === undefined ? '' : html`<footer class="muted">A plain view of ${externalLink(project.settings.site, project.settings.site)}.</footer>`}
        </main>
      </div>
      ${ask}
    </body>
  </html>`
}

/** By the language, or by the first letter of the title on a site that names no language. */
function isRightToLeft(title: string, language: string | undefined): boolean {
  return language === undefined
    ? /^\P{L}{0,100}[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}]/u.test(title)
    : /^(?:ar|ckb|dv|fa|he|iw|ps|sd|ug|ur|yi)\b/i.test(language)
}
