import type { Entry } from './inside.ts'
import { html } from 'hono/html'
import type { Project } from '../../../features/projects/projects.ts'
import type { Session } from '../../../features/projects/sign-in.ts'
import type { Trouble } from '../../../lib/machine-trouble.ts'
import type { Visitor } from '../../endpoint.ts'
import { counted } from '../../../lib/text/counted.ts'
import { assetUrl, type AssetName } from '../assets/assets.ts'
import { csrfField, formProblem } from './form.ts'
import type { Html } from './html.ts'
import { icon, type IconName } from './icons.ts'
import { initials } from './initials.ts'
import { mayOpen } from './may-press.ts'

type Tab = 'overview' | 'jobs' | 'pulls' | 'problems' | 'assistant' | 'settings'

export interface Page {
  title: string
  session?: Visitor | undefined
  project?: Project | undefined
  tab?: Tab | undefined
  /** The pages below that entry of the navigation: they stand there on wide screens, and on the page itself on others. */
  inside?: readonly Entry[] | undefined
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
  ['sync', 'Sync started.'],
  ['added', 'Project added. Indexing has started.'],
  ['message', 'Follow-up sent.'],
  ['publishing', 'Publishing your changes as a draft pull request…'],
  ['cancelled', 'Job cancelled.'],
  ['archived', 'Job archived.'],
  ['merged', 'Pull request merged. The docs update in a few seconds.'],
  ['commented', 'Comment added. The agent sees it with your next follow-up.'],
  ['closed', 'Pull request closed.'],
  ['reopened', 'Pull request reopened.'],
  ['settings', 'Settings saved. They apply from the next prompt.'],
  ['connected', 'Connection tested and saved.'],
  ['context-added', 'Context repository added. The agent can read it from the next prompt.'],
  ['context-removed', 'Context repository removed.'],
  ['moved', 'Connection tested. The project now uses this repository.'],
  ['checked', 'Git host checked.'],
  ['forgotten', 'Credential removed.'],
  ['removed', 'Webhook deleted.'],
  ['sent', 'Message queued. See the delivery log for the result.'],
  ['conversation-deleted', 'Conversation deleted.'],
  ['person-deleted', 'Deleted all questions, answers, ratings, and searches from this reader.'],
  ['gap-named', 'Gap renamed.'],
  ['gap-dismissed', 'Gap dismissed. It reopens if readers keep asking.'],
  ['gap-reopened', 'Gap reopened.'],
  ['gap-merged', 'Gaps merged.'],
  ['automation-created', 'Automation created. It starts with what happens from now on.'],
  ['automation-changed', 'Automation saved.'],
  ['automation-deleted', 'Automation deleted. Its runs and their jobs stay.'],
  ['answer-pinned', 'Answer pinned. Readers who ask the question get it from now on.'],
  ['answer-changed', 'Pinned answer saved.'],
  ['answer-removed', 'Pinned answer removed.'],
  ['revoked', 'Key revoked.'],
  ['role', 'Role updated.'],
  ['person-removed', 'Member removed.'],
  ['invitation-revoked', 'Invitation revoked.'],
  ['renamed', 'Organization renamed.'],
  ['organization', 'Organization created. You are now viewing it.'],
  ['account', 'Account updated.'],
  ['password', 'Password set. You can now sign in.'],
  ['password-changed', 'Password changed. All other sessions were signed out.'],
  ['passkey', 'Passkey added.'],
  ['linked', 'Sign-in method linked.'],
  ['way-removed', 'Sign-in method removed.'],
  ['session', 'Session signed out.'],
  ['sessions', 'All other sessions were signed out.'],
  ['app-disconnected', 'App disconnected.'],
  ['chat-connected', 'Workspace connected. Now paste the manifest below into the Slack app.'],
  ['chat-disconnected', 'Workspace disconnected.'],
  ['channel-saved', 'Channel saved.'],
  ['chat-linked', 'Chat account linked. Go back to the chat.'],
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
    <body${project && session ? html` class="has-nav"` : ''}>
      <a class="skip" href="#content">Skip to content</a>
      <header class="top">
        <div class="bar">
          <a class="brand" href="/projects" aria-label="Docwright, all projects"
            ><img src="${assetUrl('icon.svg')}" alt="" width="22" height="22" /><span>Docwright</span></a
          >
          ${project && session ? crumbs(project) : ''}
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
        ${project && session ? tabs(session, project, page) : ''}
      </header>
      <main id="content" ${page.wide === true ? html`class="wide"` : ''} ${liveAttributes(page.live)}>
        ${session?.trouble ? troubleBanner(session.trouble) : ''}
        ${notice ? html`<p class="notice toast" role="status">${notice}</p>` : ''} ${formProblem(page.problem)}
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

/** The styles of every page and those of this one. */
export function styles(names: readonly AssetName[]): Html {
  const links = ['dashboard.css' as const, ...names].map(
    (name) => html`<link rel="stylesheet" href="${assetUrl(name)}" />`,
  )
  // The weight of text: the others are few words.
  return html`<link
      rel="preload"
      href="${assetUrl('inter-400.woff2')}"
      as="font"
      type="font/woff2"
      crossorigin
    />${links}`
}

function scriptTags(names: readonly AssetName[]): Html {
  return html`${names.map((name) => html`<script type="module" src="${assetUrl(name)}"></script>`)}`
}

function troubleBanner({ message }: Trouble): Html {
  return html`<p class="notice warning" role="alert" data-trouble>
    ${message}. New work is paused. Jobs resume automatically once this is fixed.
  </p>`
}

function find(project: Project | undefined): Html {
  const query = project ? `?project=${project.domain}` : ''
  return html`<command-palette ${project ? html`data-project="${project.domain}"` : ''}
    ><a class="find" href="/find${query}" aria-keyshortcuts="Control+K Meta+K"
      >${icon('search')}<span>Find</span><kbd aria-hidden="true">Ctrl K</kbd></a
    ></command-palette
  >`
}

// The organizations are shown to those who have a choice.
function ofVisitor(session: Session): Html {
  const { organizations, organization, person } = session
  const name = person.isOperator ? 'Operator' : person.name
  return html`<details class="account-menu">
    <summary>
      <span class="avatar" aria-hidden="true">${initials(name)}</span><span class="name">${name}</span>
    </summary>
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

function crumbs({ domain }: Project): Html {
  return html`<nav class="crumbs" aria-label="Project">
    <span aria-hidden="true">/</span><a href="/projects/${domain}">${domain}</a>
  </nav>`
}

function tabs(session: Visitor, project: Project, { tab: current, inside = [] }: Page): Html {
  const base = `/projects/${project.domain}`
  const { questions = 0, pulls = 0, problems = 0 } = session.waiting ?? {}
  const tab = (name: Tab, path: string, label: string, sign: IconName, waiting?: Html): Html =>
    mayOpen(session, `${base}${path}`)
      ? html`<a
            href="${base}${path}"
            ${name === current ? html`aria-current="${inside.length > 0 ? 'true' : 'page'}"` : ''}
            >${icon(sign)}${label}${waiting ?? ''}</a
          >${name === current ? inside.map(deeper) : ''}`
      : html``
  return html`<nav class="tabs" aria-label="Pages of the project">
    ${tab('overview', '', 'Overview', 'home')}
    ${tab('jobs', '/jobs', 'Jobs', 'agent', howMany(questions, counted(questions, 'question'), 'busy'))}
    ${tab('pulls', '/pulls', 'Pull requests', 'open', howMany(pulls, `${pulls} open`))}
    ${tab('problems', '/problems', 'Problems', 'problem', howMany(problems, counted(problems, 'problem')))}
    ${tab('assistant', '/assistant', 'Assistant', 'chat')}${tab('settings', '/settings', 'Settings', 'settings')}
    <a href="/docs/${project.domain}/">${icon('book')}Docs</a>
  </nav>`
}

function deeper({ href, title, isCurrent }: Entry): Html {
  return html`<a class="deeper" href="${href}" ${isCurrent ? html` aria-current="page"` : ''}>${title}</a>`
}

/** How many things wait behind an entry, if any. */
function howMany(count: number, words: string, tone = ''): Html {
  if (count === 0) return html``
  return html`<span class="how-many ${tone}" title="${words}">${count > 999 ? '999+' : count}</span>`
}
