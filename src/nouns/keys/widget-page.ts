import { html } from 'hono/html'
import { mayDo, listVisibleProjects } from '../../features/projects/allow.ts'
import { createKeyDeed } from './run.ts'
import type { Project } from '../../features/projects/projects.ts'
import type { ProjectPorts } from '../projects/present-project.ts'
import { changeSettings } from '../settings/run.ts'
import { visibilityOf } from '../../features/projects/visibility.ts'
import { AppError } from '../../lib/errors.ts'
import type { Endpoint } from '../../api/endpoint.ts'
import { copyableBlock, csrfField, textField } from '../../api/frame/html/form.ts'
import type { Html } from '../../api/frame/html/html.ts'
import { linkFor } from '../../api/frame/html/may-press.ts'
import { show } from '../../api/frame/html/respond.ts'
import { typedInto, type Visit, type Pages } from '../../api/frame/pages.ts'
import { fieldOf } from '../../api/frame/read-form.ts'
import { docsPath } from '../../api/render/docs-path.ts'
import { widgetUrl, type ReadWidget } from '../../api/widget/get-widget.ts'
import { readSettings, settingsFields, settingsValues } from '../../verbs/setting-fields.ts'
import { verbForm } from '../../verbs/form.ts'
import { inSettings, settingsFrame } from '../../api/frame/settings-tab.ts'

interface Ports extends ProjectPorts {
  publicUrl(): string
  readWidget: ReadWidget
}

const path = '/projects/{domain}/widget'

/** How the assistant gets on a site: the lines to copy with a key of their own, and a try. */
export function widgetPages(pages: Pages, ports: Ports): Endpoint[] {
  const page = pages.projectPage(path, 'createKey', (visit) => showPage(ports, visit))
  return [
    page,
    // Shows the new key in the response itself: it is not stored, so no page to redirect to could show it.
    verbForm(pages, ports, path, createKeyDeed, {
      shownOn: page,
      reads({ form }) {
        const origins = readOrigins(form)
        return { origins, name: `Widget on ${new URL(origins[0] ?? '').host}`.slice(0, 100) }
      },
      given: ({ project }) => ({ kind: 'assistant' as const, project: project.id }),
      done: (visit, { key: secret }) => showPage(ports, visit, { secret, origins: readOrigins(visit.form) }),
    }),
    verbForm(pages, ports, `${path}/docs`, changeSettings, {
      shownOn: page,
      reads: ({ form, project }) => readSettings('widget', form, project.settings),
      given: () => ({}),
      done: ({ context, project }) =>
        context.redirect(`/projects/${project.domain}/widget?done=settings`, 303),
    }),
  ]
}

function readOrigins(form: URLSearchParams): string[] {
  const addresses = fieldOf(form, 'origin')
    .split(/[\s,]+/)
    .filter((one) => one !== '')
  if (addresses.length === 0) throw new AppError('invalid', 'Enter the URL of your site')
  return addresses.map((one) => {
    // People copy the address of a page, or leave the scheme out.
    const hasScheme = one.includes('://')
    const isHere = ['localhost', '127.0.0.1', '[::1]'].some((host) => one.startsWith(host))
    const address = hasScheme ? one : `${isHere ? 'http' : 'https'}://${one}`
    const url = URL.canParse(address) ? new URL(address) : undefined
    // Any word may be a host. Without a scheme it is rather a word of somebody who was told to give a site's name.
    const isSite = hasScheme || ['.', ':', 'localhost'].some((sign) => url?.host.includes(sign))
    if (!url || !isSite)
      throw new AppError(
        'invalid',
        `${JSON.stringify(one.slice(0, 100))} isn’t a valid URL. Example: https://docs.example.com`,
      )
    return `${url.protocol}//${url.host}`
  })
}

/** The guide is a page of the demo project, where there is one. */
function guideLink(demo: Project | undefined): Html {
  if (!demo) return html`the guide “Embed the assistant” of Docwright’s documentation`
  return html`the guide
    <a href="${docsPath(demo.domain, '/guides/embed-the-assistant')}">Embed the assistant</a>`
}

async function showPage(
  ports: Ports,
  { context, session, caller, project }: Visit & { project: Project },
  made?: { secret: string; origins: string[] },
): Promise<Response> {
  const script = await widgetUrl(ports.readWidget, 'widget.js').catch((error: unknown) => {
    if (error instanceof AppError) return error
    throw error
  })
  const base = `/projects/${project.domain}/widget`
  const demo = (await listVisibleProjects(ports.store.db, caller)).find(({ isDemo }) => isDemo)
  const body = html`<h1>Add the assistant to your site</h1>
    <p class="lead">Add one script tag to any site to let readers ask questions about this project.</p>
    ${script instanceof AppError ? html`<p class="failure">${script.message}</p>` : ''}
    <div class="widget-page">
      <div>
        <section>
          <h2>1. Create a key for your site</h2>
          <p>
            This key is public. It can only ask questions and search, and only from the sites you list here.
          </p>
          <form method="post" action="${base}" class="stack">
            ${csrfField(session)}
            ${textField({ name: 'origin', label: 'Site URL', value: typedInto(context, base).get('origin') ?? project.settings.site, placeholder: 'https://docs.example.com', required: true })}
            <button class="${made ? '' : 'primary'}">Create key${made ? ' for another site' : ''}</button>
          </form>
        </section>
        <section>
          <h2>2. Add this to your pages</h2>
          ${made ? html`<p class="notice" role="status">Your key for ${made.origins.join(', ')} is included below. Copy it now; you won’t see it again.</p>` : ''}
          <p>Before the end of <code>body</code>, or wherever your site takes scripts:</p>
          ${copyableBlock(snippet(ports.publicUrl(), project, made?.secret), 'the lines')}
          <p class="muted">
            Where modules are bundled: <code>import { mount } from '${ports.publicUrl()}/widget.mjs'</code>.
            Colors, texts, and behavior are attributes; ${guideLink(demo)} lists them.
          </p>
          <p class="muted">
            Where pages have a Content-Security-Policy: give the script your nonce, or allow it by
            <code>script-src ${new URL(ports.publicUrl()).origin}</code>, and its questions by
            <code>connect-src ${new URL(ports.publicUrl()).origin}</code>.
          </p>
        </section>
        ${linksSection(project, session)}
        ${docsSection(project, session, base, mayDo(caller, 'changeSettings', project.organizationId))}
      </div>
      <section class="widget-preview" aria-labelledby="try">
        <h2 id="try">Try it</h2>
        ${
          script instanceof AppError
            ? html`<p class="empty">The widget is not built on this server.</p>`
            : html`<docwright-assistant
                  inline
                  domain="${project.domain}"
                  csrf="${session.csrfToken}"
                  ${project.settings.assistantFiles === true ? html`files="text images"` : ''}
                ></docwright-assistant>
                <noscript><p class="empty">The assistant needs scripts.</p></noscript>
                <script src="${script}" defer></script>`
        }
      </section>
    </div>`
  return show(
    context,
    {
      title: 'Add the assistant to your site',
      session,
      project,
      ...inSettings(project, 'widget'),
      styles: ['manage.css', 'widget.css'],
    },
    settingsFrame(project, 'widget', body),
  )
}

function snippet(publicUrl: string, { domain, settings }: Project, secret = 'svc_dsc_…'): string {
  const files = settings.assistantFiles === true ? `\n  data-files="text images"` : ''
  return `<script src="${publicUrl}/widget.js"
  data-domain="${domain}"
  data-key="${secret}"${files}
  defer></script>`
}

/** Where the links of answers lead, for a project whose readers could not open them. */
function linksSection({ domain, settings }: Project, session: Visit['session']): Html {
  if (settings.site !== undefined || visibilityOf(settings) === 'public') return html``
  return html`<section>
    <h2>3. Set your site URL</h2>
    <p class="notice warning">
      Answers link to <code>/docs/${domain}/</code> on this server, where readers of your site are asked to
      sign in.
      ${linkFor(session, `/projects/${domain}/settings`, 'Enter your published site URL, or make the pages public')}.
    </p>
  </section>`
}

function docsSection(project: Project, session: Visit['session'], base: string, mayChange: boolean): Html {
  const isPublic = visibilityOf(project.settings) === 'public'
  const isOn = project.settings.assistantOnDocs === true
  return html`<section>
    <h2>On the pages of this server</h2>
    <p>
      Signed-in users can ask from pages under
      <a href="/docs/${project.domain}/">/docs/${project.domain}/</a>.
      ${isPublic ? 'These pages are public, so you can let anyone ask. Limits: 60 questions per IP address per hour, 2,000 per day in total.' : 'They are not public, so no one else may.'}
    </p>
    ${
      mayChange && (isPublic || isOn)
        ? html`<form method="post" action="${base}/docs" class="stack">
            ${csrfField(session)} ${settingsFields('widget', settingsValues('widget', project.settings))}
            <button>Save</button>
          </form>`
        : ''
    }
  </section>`
}
