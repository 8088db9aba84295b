import { html } from 'hono/html'
import type { HostCredential } from '../../integrations/forges/host.ts'
import type { RepositoryKind } from '../../integrations/forges/hosts.ts'
import { AppError } from '../../lib/errors.ts'
import { textField } from './html/form.ts'
import type { Html } from './html/html.ts'
import { fieldOf } from './read-form.ts'

const longestSecret = 20_000

/**
 * The fields for an access token. The token is never shown again, so it must be typed again when the form is
 * refused.
 * @param prefix of the fields' ids, for pages that have these fields twice
 */
export function tokenFields(values: URLSearchParams, prefix = ''): Html {
  return html`<label for="${prefix}token">Access token</label>
    <input
      id="${prefix}token"
      name="token"
      type="password"
      maxlength="${longestSecret}"
      autocomplete="new-password"
      spellcheck="false"
    />
    ${textField(
      {
        name: 'username',
        label: html`Git username <span class="muted">(rarely needed)</span>`,
        value: values.get('username'),
        maximum: 200,
      },
      prefix,
    )}`
}

export function appFields(values: URLSearchParams): Html {
  return html`${textField({ name: 'appId', label: 'App id', value: values.get('appId'), placeholder: '123456', maximum: 100 })}
    <label for="privateKey">Private key, the whole .pem file</label>
    <textarea
      id="privateKey"
      name="privateKey"
      rows="4"
      maxlength="${longestSecret}"
      placeholder="-----BEGIN RSA PRIVATE KEY-----"
      autocomplete="off"
      autocapitalize="off"
      spellcheck="false"
    ></textarea>`
}

/** Undefined when no field was filled in. @throws AppError `invalid` */
export function readCredential(form: URLSearchParams): HostCredential | undefined {
  const [token, username] = [fieldOf(form, 'token'), fieldOf(form, 'username')]
  const [appId, privateKey] = [fieldOf(form, 'appId'), fieldOf(form, 'privateKey')]
  if (token !== '' && appId + privateKey !== '')
    throw new AppError('invalid', 'Enter a token or a GitHub App, not both')
  if (token === '' && username !== '')
    throw new AppError('invalid', 'The user name belongs to a token: enter the token too')
  if (token !== '') return { kind: 'token', token, username: username === '' ? undefined : username }
  if (appId === '' && privateKey === '') return undefined
  if (appId === '' || privateKey === '')
    throw new AppError('invalid', 'A GitHub App needs both its id and its private key')
  return { kind: 'github_app', appId, privateKey }
}

const kinds: readonly { kind: RepositoryKind; label: string }[] = [
  { kind: 'github', label: 'GitHub' },
  { kind: 'gitlab', label: 'GitLab' },
  { kind: 'gitea', label: 'Gitea or Forgejo' },
  { kind: 'bitbucket', label: 'Bitbucket Cloud' },
  { kind: 'git', label: 'Other (git only)' },
]

/** @param chosen when empty, the kind is detected from the address */
export function hostKindField(chosen: string): Html {
  return html`<label for="host">Kind of host</label>
    <select id="host" name="host">
      ${chosen === '' ? html`<option value="">Detect automatically</option>` : ''}
      ${kinds.map(({ kind, label }) => html`<option value="${kind}" ${kind === chosen ? html` selected` : ''}>${label}</option>`)}
    </select>`
}
