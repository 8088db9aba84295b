import { html } from 'hono/html'
import type { Project } from '../../../../features/projects/projects.ts'
import type { ShownHost } from '../../../../features/projects/connections/project-hosts.ts'
import type { Session } from '../../../../features/projects/sign-in.ts'
import { ago, badge, externalLink } from '../../html/parts.ts'
import { buttonForm } from '../../html/form.ts'
import type { Html } from '../../html/html.ts'
import { syncState } from '../sync-state.ts'

/** How a project's repository is reached, as a person who sets it up wants to know it. */
export function hostSection(
  project: Project,
  session: Session,
  host: ShownHost,
  { now, interval }: { now: Date; interval: number },
): Html {
  const base = `/projects/${project.domain}/host`
  return html`<section>
    <div class="heading">
      <h2>Git host</h2>
      <div class="buttons">${buttonForm(session, { action: `${base}/check`, label: 'Check again' })}</div>
    </div>
    ${host.problem === undefined ? '' : problem(host, host.problem.message)}
    <dl class="facts">
      ${fact('Host', html`${kindName(host)}, ${externalLink(host.site, host.site)}`)}
      ${fact('Repository', externalLink(addressOf(host.site, host.path), host.path))}
      ${host.forkPath === undefined ? '' : fact('Fork', html`${externalLink(addressOf(host.site, host.forkPath), host.forkPath)} <span class="muted">branches are pushed there</span>`)}
      ${fact('Branch', branch(project, host))} ${fact('Credential', credential(project, session, host))}
      ${who(host) === undefined ? '' : fact('Acts as', html`${who(host)}`)}
      ${fact('Permissions', abilities(host, now))} ${expiry(host, now)}
      ${fact('Webhook', webhook(project, host, { now, interval }))}
      ${fact('Last fetched', fetched(project, now))}
      ${host.changeNotes.length === 0 ? '' : fact('Last change', html`${host.changeNotes.map((note) => html`<div>${note}.</div>`)}`)}
    </dl>
  </section>`
}

/** The host has not answered yet: the page looks again. */
export function isAsking({ notes, problem }: ShownHost): boolean {
  return notes === undefined && problem === undefined
}

function fact(name: string, value: Html): Html {
  return html`<div>
    <dt>${name}</dt>
    <dd>${value}</dd>
  </div>`
}

function kindName({ kind, name }: ShownHost): string {
  if (kind === 'gitea') return 'Gitea or Forgejo'
  return kind === 'git' ? 'Plain git' : name
}

function addressOf(site: string, path: string): string {
  return `${site}/${encodeURI(path)}`
}

// Secrets cannot be read: then they can only be given again.
function problem({ credential }: ShownHost, message: string): Html {
  const isUnreadable = credential !== undefined && credential.kind === undefined
  return html`<p class="failure">
    <strong>${isUnreadable ? 'The credential cannot be read.' : 'The host could not be asked.'}</strong>
    ${message}.
    ${isUnreadable ? 'Or give the credential again below: it replaces the one that cannot be read.' : ''}
  </p>`
}

function branch({ ref, followsDefault }: Project, { access }: ShownHost): Html {
  const standing = access?.defaultBranch
  const isOther = standing !== undefined && standing !== ref
  const remark = isOther
    ? html`(the default branch is <code>${standing}</code>)`
    : followsDefault || standing === ref
      ? '(the default branch)'
      : ''
  return html`<code>${ref}</code> <span class="muted">${remark}</span>`
}

function credential(project: Project, session: Session, host: ShownHost): Html {
  const { credential: used } = host
  if (used === undefined) return html`${badge('none')}`
  const what = { token: 'Access token', github_app: 'GitHub App', unknown: 'Something' }[
    used.kind ?? 'unknown'
  ]
  const name = [used.appId, used.username].flatMap((one) => (one === undefined ? [] : [one]))[0]
  return html`<div class="with-button">
    <span
      >${what} ${name === undefined ? '' : html`<code>${name}</code>`}
      <span class="muted"
        >${used.of === 'project' ? 'of this project, encrypted' : 'of the server, for all projects of this site'}</span
      ></span
    >
    ${
      used.of === 'project'
        ? buttonForm(session, {
            action: `/projects/${project.domain}/host/forget-credential`,
            label: 'Remove',
            kind: 'danger',
            confirm: `Forget the credential of ${project.domain}? Without one, jobs cannot publish, and a private repository cannot be fetched. It stays valid at the host: revoke it there too.`,
          })
        : ''
    }
  </div>`
}

function who({ access, login }: ShownHost): string | undefined {
  return access?.login ?? login
}

function abilities(host: ShownHost, now: Date): Html {
  const { access, notes, askedAt, problem } = host
  if (problem) return html`<span class="muted">not known</span>`
  if (notes === undefined) return html`${badge('active', 'asking the host')}`
  const when = askedAt && access ? html`<span class="muted">asked ${ago(askedAt, now)}</span>` : ''
  const ready = access !== undefined && !access.archived && access.missing.length === 0
  const state =
    host.kind === 'git'
      ? badge('pushes branches')
      : ready
        ? badge('ready', 'all that jobs need')
        : badge('failed', 'jobs cannot publish')
  return html`${state} ${when}
  ${
    notes.length === 0
      ? ''
      : html`<ul class="plain">
          ${notes.map((note) => html`<li>${note}</li>`)}
        </ul>`
  }`
}

function expiry({ access }: ShownHost, now: Date): Html {
  return access?.expiresAt === undefined ? html`` : fact('Expires', ago(access.expiresAt, now))
}

function webhook(
  { domain }: Project,
  { kind, webhook: { state, url, calledAt }, webhookNotes }: ShownHost,
  { now, interval }: { now: Date; interval: number },
): Html {
  const asks = `the server asks the host every ${inWords(interval)}`
  if (kind === 'git') return html`<span class="muted">none: ${asks}</span>`
  const called = calledAt && html`<span class="muted">last call ${ago(calledAt, now)}</span>`
  if (state === 'active')
    return html`${badge('ready', 'set up')}
      ${called ?? html`<span class="muted">no call yet: until then ${asks}</span>`}
      <div class="muted">The host calls <code>${url ?? ''}</code></div>`
  const reason = webhookNotes.length === 0 ? `Not set up: ${asks}` : webhookNotes.join('. ')
  return html`${badge('not set up')} ${called ?? ''}
    <div class="muted">${reason}.</div>
    <div class="muted">
      By hand: <code>docwright project host ${domain} --webhook-secret</code> tells its address and secret.
    </div>`
}

function fetched(project: Project, now: Date): Html {
  const { at, error, state } = project.sync
  const last = at === undefined ? 'never' : ago(at, now)
  return html`${state === 'ready' ? '' : last} ${syncState(project, now)}
  ${error === undefined ? '' : html`<div class="muted">${error}</div>`}`
}

function inWords(seconds: number): string {
  if (seconds < 120) return seconds === 1 ? 'second' : `${seconds} seconds`
  return `${Math.round(seconds / 60)} minutes`
}
