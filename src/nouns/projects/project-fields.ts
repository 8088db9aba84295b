import { html } from 'hono/html'
import type { HostCredential } from '../../integrations/forges/host.ts'
import type { RepositoryKind } from '../../integrations/forges/hosts.ts'
import { AppError } from '../../lib/errors.ts'
import { abandonAct } from '../../store/acts.ts'
import type { RequestContext } from '../../api/endpoint.ts'
import { toAppError } from '../../api/errors.ts'
import { textField } from '../../api/frame/html/form.ts'
import type { Html } from '../../api/frame/html/html.ts'
import { fieldOf } from '../../api/frame/read-form.ts'
import { nameLabel } from './setting-fields.ts'

interface Ports {
  /** Logs an error of a page, with its cause. */
  reportError(error: Error, requestId: string): void
}

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
        label: html`User name for git <span class="muted">(rarely needed)</span>`,
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
  if (Math.max(token.length, privateKey.length) > longestSecret)
    throw new AppError('invalid', 'The token or the private key is too long to be one')
  if (token !== '' && appId + privateKey !== '')
    throw new AppError('invalid', 'Give a token or a GitHub App, not both')
  if (token === '' && username !== '')
    throw new AppError('invalid', 'The user name belongs to a token: give the token too')
  if (/[\s\p{Cc}]/u.test(token))
    throw new AppError('invalid', 'The token has a space or a line break in it: copy it again, alone')
  if (username.length > 200 || /\p{Cc}/u.test(username))
    throw new AppError('invalid', 'The user name is too long, or has characters that no name has')
  if (token !== '') return { kind: 'token', token, username: username === '' ? undefined : username }
  if (appId === '' && privateKey === '') return undefined
  if (appId === '' || privateKey === '')
    throw new AppError('invalid', 'A GitHub App needs both its id and its private key')
  if (!/^[\w.-]{1,100}$/.test(appId))
    throw new AppError('invalid', 'The id of a GitHub App is a number, or its client id')
  return { kind: 'github_app', appId, privateKey }
}

const kinds: readonly { kind: RepositoryKind; label: string }[] = [
  { kind: 'github', label: 'GitHub' },
  { kind: 'gitlab', label: 'GitLab' },
  { kind: 'gitea', label: 'Gitea or Forgejo' },
  { kind: 'bitbucket', label: 'Bitbucket Cloud' },
  { kind: 'git', label: 'something else: git alone' },
]

/** @param chosen when empty, the kind is detected from the address */
export function hostKindField(chosen: string): Html {
  return html`<label for="host">Kind of host</label>
    <select id="host" name="host">
      ${chosen === '' ? html`<option value="">found out from the address</option>` : ''}
      ${kinds.map(({ kind, label }) => html`<option value="${kind}" ${kind === chosen ? html` selected` : ''}>${label}</option>`)}
    </select>`
}

/** Undefined when the kind should be detected. @throws AppError `invalid` */
export function readHostKind(form: URLSearchParams): RepositoryKind | undefined {
  const name = fieldOf(form, 'host')
  const chosen = kinds.find(({ kind }) => kind === name)
  if (name !== '' && !chosen) throw new AppError('invalid', 'Choose a kind of host from the list')
  return chosen?.kind
}

/** Why a form was refused, with the status of the response. */
export interface Refusal {
  message: string
  status: 400 | 503
}

/** The message for a form that failed for a reason that people can fix. @throws every other error unchanged */
export function refusalOf(
  ports: Pick<Ports, 'reportError'>,
  context: RequestContext,
  thrown: unknown,
): Refusal {
  abandonAct()
  const error = toAppError(thrown)
  if (error.code === 'internal') throw thrown
  if (error.code === 'unavailable') ports.reportError(error, context.get('requestId') ?? '')
  return { message: nameLabel(error.message), status: error.code === 'unavailable' ? 503 : 400 }
}

/** A form that was submitted and refused. */
export interface RefusedForm<Name extends string> {
  form: Name
  values: URLSearchParams
  refusal: Refusal
}
