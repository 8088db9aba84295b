import { html } from 'hono/html'
import type { Project } from '../../../../features/projects/projects.ts'
import type { ShownHost } from '../../../../features/projects/connections/project-hosts.ts'
import type { Session } from '../../../../features/projects/sign-in.ts'
import { csrfField, formProblem, textField } from '../../html/form.ts'
import type { Html } from '../../html/html.ts'
import type { DashboardPorts } from '../../ports.ts'
import { appFields, hostKindField, tokenFields } from '../project-fields.ts'

export type HostForm = 'token' | 'app' | 'repository' | 'move'

/** A form as it was sent, and why it was refused. */
export interface Draft {
  values: URLSearchParams
  problem: string
}

/** What changes how a repository is reached. Everything is tried before it is kept. */
export function hostForms(
  project: Project,
  session: Session,
  host: ShownHost,
  {
    draft,
    secretKey,
  }: {
    draft: (form: HostForm) => Draft | undefined
    secretKey: DashboardPorts['secretKeyOf']
  },
): Html {
  const own = host.credential?.of === 'project' ? host.credential : undefined
  const [token, app] = [draft('token'), draft('app')]
  const [repository, move] = [draft('repository'), draft('move')]
  const none = new URLSearchParams()
  const form = (path: string, sent: Draft | undefined, label: string, fields: Html): Html =>
    html`<form
      method="post"
      action="/projects/${project.domain}/host/${path}"
      class="stack form"
      autocomplete="off"
      data-stay="Trying it…"
    >
      ${csrfField(session)} ${fields} ${formProblem(sent?.problem)}
      <button class="primary">${label}</button>
    </form>`
  const kept = html`<p class="muted">${keptWith(secretKey)}</p>`
  return html`<details
      class="create"
      data-key="token"
      ${token || host.credential === undefined ? html` open` : ''}
    >
      <summary>${own?.kind === 'token' ? 'Replace the access token' : 'Give an access token'}</summary>
      ${form('token', token, 'Try and save', html`${tokenFields(token?.values ?? none)} ${kept}`)}
    </details>
    ${
      host.kind === 'github'
        ? html`<details class="create" data-key="app" ${app ? html` open` : ''}>
            <summary>${own?.kind === 'github_app' ? 'Replace the GitHub App' : 'Use a GitHub App'}</summary>
            ${form('app', app, 'Try and save', html`${appFields(app?.values ?? none)} ${kept}`)}
          </details>`
        : ''
    }
    <details class="create" data-key="repository" ${repository ? html` open` : ''}>
      <summary>Change the branch, the fork or the kind of host</summary>
      ${form('repository', repository, 'Try and save', repositoryFields(project, host, repository?.values))}
    </details>
    <details class="create" data-key="move" ${move ? html` open` : ''}>
      <summary>Move to another address</summary>
      ${form('move', move, 'Try and move', moveFields(project, host, move?.values ?? none))}
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
      For documentation that has moved: pages, jobs and keys stay. Open pull requests at the old address are
      followed no longer.
    </p>
    ${text('location', 'New address of the repository', location)}
    ${text('ref', html`Branch <span class="muted">(empty: ${followsDefault ? 'the default one' : ref})</span>`, followsDefault ? 'main' : ref)}
    ${fork === undefined ? '' : text('fork', html`Fork to push branches to <span class="muted">(empty: the repository itself)</span>`, '', values.get('fork') ?? fork)}
    ${tokenFields(values, 'move-')}
    <p class="muted">
      Without a token, the present credential stays on the same site; for another site, the server’s own is
      used if it has one.
    </p>`
}

function repositoryFields(
  { ref, followsDefault }: Project,
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
  ${
    host.kind === 'git'
      ? ''
      : textField({
          name: 'fork',
          label: html`Fork to push branches to <span class="muted">(empty: the repository itself)</span>`,
          value: sent?.get('fork') ?? fork,
          placeholder: `${host.site}/our-bot/${host.path.split('/').at(-1) ?? ''}`,
        })
  }
  ${hostKindField(sent?.get('host') ?? host.kind)}`
}

function keptWith(secretKey: DashboardPorts['secretKeyOf']): string {
  return secretKey === 'file'
    ? 'It is encrypted with the file secret-key in the server’s data folder, and never shown again. Keep a copy of that file apart from the database: without it, credentials have to be given anew.'
    : 'It is encrypted with DOCWRIGHT_SECRET_KEY, and never shown again. That key can be changed with “docwright secrets reseal”; without it, credentials have to be given anew.'
}
