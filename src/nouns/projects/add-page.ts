import { html } from 'hono/html'
import type { z } from 'zod'
import type { Session } from '../../features/projects/sign-in.ts'
import { addFolderCommand } from './setup/add-project.ts'
import { copyable, csrfField, formProblem, textField } from '../../api/frame/html/form.ts'
import type { Html } from '../../api/frame/html/html.ts'
import { layout } from '../../api/frame/html/layout.ts'
import { badge } from '../../api/frame/html/parts.ts'
import { domainHint, type checkRepository } from './verbs.ts'
import { appFields, hostKindField, tokenFields } from '../../api/frame/credential-fields.ts'
import { settingsField } from '../../verbs/setting-fields.ts'

type CheckedRepository = z.output<typeof checkRepository.output>

/** These paths are not below /projects/, where every name can be that of a project. */
export const addPath = '/add-project'
export const checkPath = '/add-project/check'

/** Adds a folder of the server's machine to the organization that is shown, which need not be the default one. */
export function addCommand({ organization }: Pick<Session, 'organization'>): string {
  const owner = organization ? ` --organization ${organization.id}` : ''
  return addFolderCommand('PATH', ` --domain NAME${owner}`)
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
    <p class="muted">Docwright tests the connection before saving anything.</p>
    <form
      method="post"
      action="${addPath}"
      class="stack card form"
      id="add-project"
      autocomplete="off"
      data-stay="Testing connection…"
    >
      ${csrfField(session)} ${text('location', 'Repository URL', 'https://github.com/example/handbook', true)}
      ${text('domain', hint('Domain', `Used in URLs: ${domainHint}. Default: the repository name.`), 'handbook')}
      ${tokenFields(values)}
      <p class="explain">
        Public repositories need no token for the assistant. Jobs need a token to open pull requests. Tokens
        are encrypted and never shown again. If you leave this empty, Docwright uses the server’s token for
        this git host, if there is one.
      </p>
      ${tokenSteps()} ${settingsField('general', 'visibility', values)}
      <details data-key="app" ${values.get('appId') ? html` open` : ''}>
        <summary>Use a GitHub App instead</summary>
        <div class="stack">${appFields(values)}</div>
      </details>
      <details data-key="options" ${isOpen ? html` open` : ''}>
        <summary>Branch, folder, site, fork</summary>
        <div class="stack">
          ${text('ref', hint('Branch', 'Default: the default branch, even if it’s renamed.'), 'main')}
          ${text('root', hint('Docs folder', 'Default: the whole repository. Docwright suggests folders after the first sync.'), 'docs')}
          ${text('site', hint('Published site URL', 'Answers link to pages on this site.'), 'https://docs.example.com')}
          ${text('fork', hint('Fork URL', 'If empty, the repository itself.'))}
          ${hostKindField(values.get('host') ?? '')}
        </div>
      </details>
      ${formProblem(problem)}
      <div class="buttons">
        <button class="primary">Add project</button>
        <button type="submit" formaction="${checkPath}" data-check>Test connection</button>
      </div>
      <div id="check-result" class="check-result" role="status">${checked ? checkResult(checked) : ''}</div>
    </form>
    <p class="muted">To add a local folder, run this on the server:</p>
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
      Nothing is saved yet. Enter the token again before you add the project.
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
    <summary>Get a token</summary>
    <dl>
      ${hostSteps.map(
        ({ name, steps }) =>
          html`<dt>${name}</dt>
            <dd>${steps}</dd>`,
      )}
    </dl>
  </details>`
}
