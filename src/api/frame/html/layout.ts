import { html } from 'hono/html'
import type { Project } from '../../../features/projects/projects.ts'
import type { Session } from '../../../features/projects/sign-in.ts'
import type { Trouble } from '../../../lib/machine-trouble.ts'
import type { Visitor } from '../../endpoint.ts'
import { assetUrl, type AssetName } from '../assets/assets.ts'
import { csrfField, formProblem } from './form.ts'
import type { Html } from './html.ts'
import { mayOpen } from './may-press.ts'

type Tab = 'overview' | 'jobs' | 'pulls' | 'problems' | 'assistant' | 'settings'

export interface Page {
  title: string
  session?: Visitor | undefined
  project?: Project | undefined
  tab?: Tab | undefined
  /** Style sheets and scripts that only some pages need, after the common ones. */
  styles?: readonly AssetName[] | undefined
  scripts?: readonly AssetName[] | undefined
  /** Its sections of the class `wide` need the width of the screen; the others keep their measure. */
  wide?: boolean | undefined
  /** It shows itself, beside its form, why that was refused. */
  saysRefusal?: true
  /** What the notice tells to be under way has ended: it is told no more. */
  isOver?: boolean | undefined
  /**
   * The page changes by itself: it is fetched again when its event stream says so, and morphed in place. `true`: it
   * has no stream, and is fetched again every few seconds.
   */
  live?: boolean | Live | undefined
}

export interface Live {
  /** The address of its event stream: one of those in `live/stream-changes.ts`. */
  stream: string
  /** What the stream calls the state that the page shows, where the page knows it. */
  version?: string | undefined
  /** Something happens right now, so that the page reloads itself also where no scripts run. */
  working?: boolean | undefined
}

const notices: ReadonlyMap<string, string> = new Map([
  ['sync', 'Reading the repository again.'],
  ['added', 'The project is added. Its repository is fetched and read now.'],
  ['message', 'Follow-up sent.'],
  ['publishing', 'The kept changes are being published as a draft.'],
  ['cancelled', 'The job is cancelled.'],
  ['archived', 'The job is archived.'],
  ['merged', 'The pull request is merged. The documentation follows within seconds.'],
  ['commented', 'The comment is there; the agent reads it with the next follow-up.'],
  ['closed', 'The pull request is closed.'],
  ['reopened', 'The pull request is open again.'],
  ['settings', 'The settings are saved. Jobs follow them from the next prompt on.'],
  ['connected', 'The repository answered, and the change is saved.'],
  ['context-added', 'The repository answered. The agent reads it from the next prompt on.'],
  ['context-removed', 'The context repository is removed.'],
  ['moved', 'The repository answered, and the project has moved there.'],
  ['checked', 'The host was asked again.'],
  ['forgotten', 'The credential of this project is forgotten.'],
  ['removed', 'The webhook is removed.'],
  ['sent', 'It is on its way; the log tells how it went.'],
  ['conversation-deleted', 'The conversation is deleted.'],
  [
    'person-deleted',
    'Everything of that person is deleted: questions with their answers, ratings and searches.',
  ],
  ['gap-named', 'The gap has its new name.'],
  ['gap-dismissed', 'The gap is dismissed. It is open again when more is asked.'],
  ['gap-reopened', 'The gap is open again.'],
  ['gap-merged', 'The two gaps are one now.'],
  ['revoked', 'The key is revoked and no longer works.'],
  ['role', 'The role is changed, from now on.'],
  ['person-removed', 'The person no longer belongs to this organization.'],
  ['invitation-revoked', 'The invitation no longer works.'],
  ['renamed', 'The organization has its new name.'],
  ['organization', 'The organization is made, and shown from now on.'],
  ['account', 'Your account is saved.'],
  ['password', 'The password is set. Sign in with it.'],
  ['password-changed', 'The password is changed, and all other sessions have ended.'],
  ['passkey', 'The passkey is added. You can sign in with it.'],
  ['linked', 'The login is linked. You can sign in with it.'],
  ['way-removed', 'It is removed, and signs nobody in any more.'],
  ['session', 'The session has ended.'],
  ['sessions', 'All other sessions have ended.'],
  ['account-deleted', 'Your account is deleted.'],
])

/** @param page.done a key of `notices` */
export function layout(
  page: Page & { done?: string | undefined; problem?: string | undefined },
  body: Html,
): Html {
  const { project, session } = page
  const notice = page.isOver === true ? undefined : notices.get(page.done ?? '')
  return html`<html lang="en">
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <meta name="robots" content="noindex" />
      <title>${page.title} · Docwright</title>
      <link rel="icon" href="${assetUrl('icon.svg')}" type="image/svg+xml" />
      ${styles(['palette.css', ...(page.live ? (['live.css'] as const) : []), ...(page.styles ?? [])])}
      ${scriptTags(['forms.js', 'copy.js', ...(session ? (['palette.js'] as const) : []), ...(page.live ? (['live.js'] as const) : []), ...(page.scripts ?? [])])}
      ${isWorking(page.live) ? html`<noscript><meta http-equiv="refresh" content="10" /></noscript>` : ''}
    </head>
    <body>
      <a class="skip" href="#content">Skip to content</a>
      <header class="top">
        <div class="bar">
          <a class="brand" href="/projects"
            ><img src="${assetUrl('icon.svg')}" alt="" width="22" height="22" />Docwright</a
          >
          <div class="links">
            ${session ? find(project) : ''}
            <button type="button" class="menu-button" popovertarget="menu">Menu</button>
            <div class="menu" id="menu" popover>
              ${session && mayOpen(session, '/server') ? html`<a class="quiet" href="/server">Server</a>` : ''}
              <a class="quiet" href="/reference">API reference</a>
              ${session ? ofVisitor(session) : html`<a class="quiet" href="/sign-in">Sign in</a>`}
            </div>
          </div>
        </div>
        ${project && session ? tabs(session, project, page.tab) : ''}
      </header>
      <main id="content" ${page.wide === true ? html`class="wide"` : ''} ${liveAttributes(page.live)}>
        ${session?.trouble ? troubleBanner(session.trouble) : ''}
        ${notice ? html`<p class="notice" role="status">${notice}</p>` : ''} ${formProblem(page.problem)}
        ${body}
      </main>
    </body>
  </html>`
}

/** The script of live pages reads these. */
function liveAttributes(live: Page['live']): Html {
  if (live === undefined || live === false) return html``
  if (live === true) return html`data-live`
  return html`data-live data-stream="${live.stream}"
  ${live.version === undefined ? '' : html` data-version="${live.version}"`}`
}

function isWorking(live: Page['live']): boolean {
  return live === true || (typeof live === 'object' && live.working === true)
}

/** The styles of every page and those of this one. They ask for transitions between pages, which the script attends to. */
export function styles(names: readonly AssetName[]): Html {
  const links = ['dashboard.css' as const, ...names].map(
    (name) => html`<link rel="stylesheet" href="${assetUrl(name)}" />`,
  )
  return html`${links}
    <script src="${assetUrl('moves.js')}"></script>`
}

function scriptTags(names: readonly AssetName[]): Html {
  return html`${names.map((name) => html`<script type="module" src="${assetUrl(name)}"></script>`)}`
}

function troubleBanner({ message }: Trouble): Html {
  return html`<p class="notice warning" role="alert" data-trouble>
    ${message}. No new work is taken, and jobs wait. They go on by themselves when that is over.
  </p>`
}

function find(project: Project | undefined): Html {
  const query = project ? `?project=${project.domain}` : ''
  return html`<command-palette ${project ? html`data-project="${project.domain}"` : ''}
    ><a class="find" href="/find${query}" aria-keyshortcuts="Control+K Meta+K"
      >Find <kbd aria-hidden="true">Ctrl K</kbd></a
    ></command-palette
  >`
}

// The organizations are shown to those who have a choice.
function ofVisitor(session: Session): Html {
  const { organizations, organization, person } = session
  return html`<details class="account-menu">
    <summary>${person.isOperator ? 'Operator' : person.name}</summary>
    <div>
      ${
        organizations.length < 2
          ? ''
          : html`<form method="post" action="/people/show" aria-label="Organization">
              ${csrfField(session)}
              ${organizations.map(
                ({ id, name }) =>
                  html`<button
                    name="organization"
                    value="${id}"
                    ${id === organization?.id ? html` aria-current="true"` : ''}
                  >
                    ${name}
                  </button>`,
              )}
            </form>`
      }
      <a href="/people">People</a><a href="/account">${person.isOperator ? 'Sessions' : 'Your account'}</a>
      ${signOut(session)}
    </div>
  </details>`
}

function signOut(session: Session): Html {
  return html`<form method="post" action="/sign-out">${csrfField(session)}<button>Sign out</button></form>`
}

function tabs(session: Session, project: Project, current: Tab | undefined): Html {
  const base = `/projects/${project.domain}`
  const tab = (name: Tab, path: string, label: string): Html =>
    mayOpen(session, `${base}${path}`)
      ? html`<a href="${base}${path}" ${name === current ? html` aria-current="page"` : ''}>${label}</a>`
      : html``
  return html`<nav class="tabs" aria-label="Project">
    <strong>${project.domain}</strong>
    ${tab('overview', '', 'Overview')}${tab('jobs', '/jobs', 'Jobs')}${tab('pulls', '/pulls', 'Pull requests')}${tab('problems', '/problems', 'Problems')}${tab('assistant', '/assistant', 'Assistant')}${tab('settings', '/settings', 'Settings')}
    <a href="/docs/${project.domain}/">Docs</a>
  </nav>`
}
