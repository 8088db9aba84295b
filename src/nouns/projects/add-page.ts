import { html } from 'hono/html'
import type { z } from 'zod'
import type { Session } from '../../features/projects/sign-in.ts'
import { ownCommand } from '../../lib/own-command.ts'
import { copyable, csrfField, formProblem, textField } from '../../api/frame/html/form.ts'
import type { Html } from '../../api/frame/html/html.ts'
import { layout } from '../../api/frame/html/layout.ts'
import { badge } from '../../api/frame/html/parts.ts'
import { domainHint, type checkRepository } from './verbs.ts'
import { appFields, hostKindField, tokenFields } from './project-fields.ts'
import { settingsField } from './setting-fields.ts'

type CheckedRepository = z.output<typeof checkRepository.output>

/** These paths are not below /projects/, where every name can be that of a project. */
export const addPath = '/add-project'
export const checkPath = '/add-project/check'

/** Adds a folder of the server's machine to the organization that is shown, which need not be the default one. */
export function addCommand({ organization }: Pick<Session, 'organization'>): string {
  const owner = organization ? ` --organization ${organization.id}` : ''
  return `${ownCommand} project add PATH --domain NAME${owner}`
}

/** The form for a new project, with what became of it when it was sent. */
export function addPage(
  session: Session,
  values: URLSearchParams,
  { problem, checked }: { problem?: string | undefined; checked?: CheckedRepository },
): Html {
  const text = (name: string, label: string | Html, placeholder = '', required = false): Html =>
    textField({ name, label, placeholder, required, value: values.get(name) })
  const hint = (label: string, more: string): Html => html`${label} <span class="explain">${more}</span>`
  const isOpen = ['ref', 'root', 'site', 'host', 'fork'].some((name) => values.get(name))
  const body = html`<p class="trail"><a href="/projects">Projects</a></p>
    <h1>Add a project</h1>
    <p class="muted">The repository and the credential are tried before anything is kept.</p>
    <form
      method="post"
      action="${addPath}"
      class="stack card form"
      id="add-project"
      autocomplete="off"
      data-stay="Trying it…"
    >
      ${csrfField(session)}
      ${text('location', 'Address of the repository', 'https://github.com/example/handbook', true)}
      ${text('domain', hint('Domain', `Its name in addresses: ${domainHint}. If empty, the repository’s name.`), 'handbook')}
      ${tokenFields(values)}
      <p class="explain">
        The assistant reads a public repository without a token; jobs need one to publish. The token is kept
        encrypted and never shown again. If empty, the server’s own token for that host is used, if it has
        one.
      </p>
      ${tokenSteps()} ${settingsField('general', 'visibility', values)}
      <details data-key="app" ${values.get('appId') ? html` open` : ''}>
        <summary>A GitHub App instead of a token</summary>
        <div class="stack">${appFields(values)}</div>
      </details>
      <details data-key="options" ${isOpen ? html` open` : ''}>
        <summary>Branch, folder, site, fork</summary>
        <div class="stack">
          ${text('ref', hint('Branch', 'If empty, the default branch, also after it is renamed.'), 'main')}
          ${text('root', hint('Folder of the pages', 'If empty, the whole repository. Folders with pages are proposed after the first read.'), 'docs')}
          ${text('site', hint('Address of the published site', 'Answers link there.'), 'https://docs.example.com')}
          ${text('fork', hint('Fork to push branches to', 'If empty, the repository itself.'))}
          ${hostKindField(values.get('host') ?? '')}
        </div>
      </details>
      ${formProblem(problem)}
      <div class="buttons">
        <button class="primary">Add the project</button>
        <button type="submit" formaction="${checkPath}" data-check>Check first</button>
      </div>
      <div id="check-result" class="check-result" role="status">${checked ? checkResult(checked) : ''}</div>
    </form>
    <p class="muted">A folder of the machine that runs Docwright is added there:</p>
    ${copyable(addCommand(session), 'the command')}`
  return layout(
    { title: 'Add a project', session, styles: ['manage.css'], scripts: ['add-project.js'] },
    body,
  )
}

const rightNames: Readonly<Record<CheckedRepository['rights'][number]['name'], string>> = {
  read: 'Read',
  push: 'Push a branch',
  pull_request: 'Open a pull request',
  webhook: 'Webhook',
}

const words = {
  yes: ['ready', 'yes'],
  no: ['failed', 'no'],
  unknown: ['unknown', 'not known yet'],
} as const

function checkResult({ host, path, login, branch, rights, notes }: CheckedRepository): Html {
  return html`<p>
      <strong>${path}</strong> on ${host === 'git' ? 'a git host' : host}, branch
      <code>${branch}</code>${login === null ? '' : html`, as <strong>${login}</strong>`}
    </p>
    <ul class="checks">
      ${rights.map(
        ({ name, state, why }) =>
          html`<li>
            ${badge(words[state][0], words[state][1])} <strong>${rightNames[name]}</strong>
            <span class="muted">${why}.</span>
          </li>`,
      )}
    </ul>
    ${notes.map((note) => html`<p>${note}.</p>`)}
    <p class="muted" data-without-scripts>
      Nothing is kept yet. Give the token again before you add the project: pages never show one.
    </p>`
}

const hostSteps = [
  {
    name: 'GitHub',
    steps:
      'Settings, Developer settings, Fine-grained tokens, Generate new token. Choose the repository’s owner, “Only select repositories” and the repository. Permissions: Contents (read and write) and Pull requests (read and write); Commit statuses and Webhooks (read and write) if you like.',
  },
  {
    name: 'GitLab',
    steps:
      'In the project: Settings, Access tokens, Add new token. Role Developer (Maintainer to set up the webhook), scope api.',
  },
  {
    name: 'Gitea, Forgejo, Codeberg',
    steps:
      'Settings, Applications, Generate new token. Scopes write:repository and write:issue; read:user to show the account’s name. The account has to administer the repository for the webhook.',
  },
  {
    name: 'Bitbucket Cloud',
    steps:
      'In the repository: Repository settings, Access tokens, Create. Repositories: Write, Pull requests: Write; Webhooks to set up the webhook.',
  },
] as const

function tokenSteps(): Html {
  return html`<details class="token-steps" data-key="steps">
    <summary>How to get a token</summary>
    <dl>
      ${hostSteps.map(
        ({ name, steps }) =>
          html`<dt>${name}</dt>
            <dd>${steps}</dd>`,
      )}
    </dl>
  </details>`
}
