import { html } from 'hono/html'
import type { Project } from '../../features/projects/projects.ts'
import type { ShownHost } from '../projects/setup/project-hosts.ts'
import type { Session } from '../../features/projects/sign-in.ts'
import { ownCommand } from '../../lib/own-command.ts'
import { buttonForm, csrfField, formProblem, textField } from '../../api/frame/html/form.ts'
import type { RefusedForm } from '../../api/endpoint.ts'
import type { Html } from '../../api/frame/html/html.ts'
import { ago, badge, externalLink } from '../../api/frame/html/parts.ts'
import { appFields, hostKindField, tokenFields } from '../../api/frame/credential-fields.ts'
import { syncState } from '../../api/frame/html/sync-state.ts'

interface Ports {
  /** Where the key that encrypts new secrets comes from. */
  secretKeyOf: 'DOCWRIGHT_SECRET_KEY' | 'file'
}

/** The connection to the git host, for the person who sets it up. */
export function hostSection(
  project: Project,
  session: Session,
  host: ShownHost,
  { now, interval }: { now: Date; interval: number },
): Html {
  const base = `/projects/${project.domain}/host`
  return html`<section>
    <div class="heading">
      <h2>Connection</h2>
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

/** Whether the host has not answered yet, so that the page should reload. */
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

// Explains a problem of the connection. Secrets that cannot be decrypted have to be given again.
function problem({ credential }: ShownHost, message: string): Html {
  const isUnreadable = credential !== undefined && credential.kind === undefined
  return html`<p class="failure">
    <strong>${isUnreadable ? 'Can’t decrypt the credential.' : 'Can’t reach the git host.'}</strong>
    ${message}. ${isUnreadable ? 'Or enter the credential again below to replace it.' : ''}
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
            confirm: `Remove the credential for ${project.domain}? Jobs can’t publish and private repositories can’t sync without one. Also revoke it on your git host.`,
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
        ? badge('ready', 'All required permissions')
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
      By hand: <code>${ownCommand} project host ${domain} --webhook-secret</code> prints its URL and secret.
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

/** The form of the project that is sent to a path, if it was refused just now. */
export type Drafts = (path: string) => RefusedForm | undefined

/** The forms that change the connection to the host. A change is tried before it is saved. */
export function hostForms(
  project: Project,
  session: Session,
  host: ShownHost,
  {
    draft,
    secretKey,
  }: {
    draft: Drafts
    secretKey: Ports['secretKeyOf']
  },
): Html {
  const own = host.credential?.of === 'project' ? host.credential : undefined
  const [token, app] = [draft('host/token'), draft('host/app')]
  const [repository, move] = [draft('host/repository'), draft('host/move')]
  const none = new URLSearchParams()
  const form = (path: string, sent: RefusedForm | undefined, label: string, fields: Html): Html =>
    html`<form
      method="post"
      action="/projects/${project.domain}/host/${path}"
      class="stack form"
      autocomplete="off"
      data-stay="Testing connection…"
    >
      ${csrfField(session)} ${fields} ${formProblem(sent?.message)}
      <button class="primary">${label}</button>
    </form>`
  const kept = html`<p class="muted">${keptWith(secretKey)}</p>`
  return html`<details
      class="create"
      data-key="token"
      ${token || host.credential === undefined ? html` open` : ''}
    >
      <summary>${own?.kind === 'token' ? 'Replace the access token' : 'Give an access token'}</summary>
      ${form('token', token, 'Test and save', html`${tokenFields(token?.values ?? none)} ${kept}`)}
    </details>
    ${
      host.kind === 'github'
        ? html`<details class="create" data-key="app" ${app ? html` open` : ''}>
            <summary>${own?.kind === 'github_app' ? 'Replace the GitHub App' : 'Use a GitHub App'}</summary>
            ${form('app', app, 'Test and save', html`${appFields(app?.values ?? none)} ${kept}`)}
          </details>`
        : ''
    }
    <details class="create" data-key="repository" ${repository ? html` open` : ''}>
      <summary>Change the branch, the folder, the fork or the kind of host</summary>
      ${form('repository', repository, 'Test and save', repositoryFields(project, host, repository?.values))}
    </details>
    <details class="create" data-key="move" ${move ? html` open` : ''}>
      <summary>Move to another repository</summary>
      ${form('move', move, 'Test and move', moveFields(project, host, move?.values ?? none))}
    </details>`
}

function moveFields(
  { location, ref, followsDefault }: Project,
  host: ShownHost,
  values: URLSearchParams,
): Html {
  const text = (name: string, label: string | Html, placeholder: string, value = values.get(name)): Html =>
    textField({ name, label, placeholder, value, required: name === 'location' }, 'move-')
  const fork = host.forkPath === undefined ? undefined : `${host.site}/${encodeURI(host.forkPath)}`
  return html`<p class="muted">
      For documentation that has moved: pages, jobs and keys stay. Docwright stops tracking pull requests in
      the old repository.
    </p>
    ${text('location', 'New repository URL', location)}
    ${text('ref', html`Branch <span class="muted">(empty: ${followsDefault ? 'the default one' : ref})</span>`, followsDefault ? 'main' : ref)}
    ${fork === undefined ? '' : text('fork', html`Fork URL <span class="muted">(empty: the repository itself)</span>`, '', values.get('fork') ?? fork)}
    ${tokenFields(values, 'move-')}
    <p class="muted">
      Without a token, the current credential stays on the same site; for another site, the server’s own is
      used if it has one.
    </p>`
}

function repositoryFields(
  { ref, followsDefault, root }: Project,
  host: ShownHost,
  sent: URLSearchParams | undefined,
): Html {
  const fork = host.forkPath === undefined ? '' : `${host.site}/${encodeURI(host.forkPath)}`
  return html`${textField({
    name: 'ref',
    label: html`Branch to read and to start from
      <span class="muted">(empty: the default one, also when it is renamed)</span>`,
    value: sent?.get('ref') ?? (followsDefault ? '' : ref),
    placeholder: followsDefault ? ref : 'default branch',
    maximum: 250,
  })}
  ${textField({
    name: 'root',
    label: html`Docs folder <span class="muted">(empty: the whole repository)</span>`,
    value: sent?.get('root') ?? root,
    placeholder: 'docs',
  })}
  ${
    host.kind === 'git'
      ? ''
      : textField({
          name: 'fork',
          label: html`Fork URL <span class="muted">(empty: the repository itself)</span>`,
          value: sent?.get('fork') ?? fork,
          placeholder: `${host.site}/our-bot/${host.path.split('/').at(-1) ?? ''}`,
        })
  }
  ${hostKindField(sent?.get('host') ?? host.kind)}`
}

function keptWith(secretKey: Ports['secretKeyOf']): string {
  return secretKey === 'file'
    ? 'It is encrypted with the file secret-key in the server’s data folder, and never shown again. Keep a copy of that file apart from the database: without it, you have to enter all credentials again.'
    : `It is encrypted with DOCWRIGHT_SECRET_KEY, and never shown again. That key can be changed with “${ownCommand} secrets reseal”; without it, you have to enter all credentials again.`
}
