import { html } from 'hono/html'
import { AppError } from '../../../lib/errors.ts'
import type { HostCredential } from '../../../integrations/forges/host.ts'
import { textField } from '../html/form.ts'
import type { Html } from '../html/html.ts'
import { fieldOf } from '../read-form.ts'

const longestSecret = 20_000

/**
 * For an access token. It is never shown again, so that it has to be given anew when the form comes back.
 * @param prefix of the fields' ids, where a page has them twice
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

/** What was typed, to be shown again: without secrets. */
export function withoutSecrets(form: URLSearchParams): URLSearchParams {
  return new URLSearchParams([...form].filter(([name]) => !['token', 'privateKey', 'csrf'].includes(name)))
}
