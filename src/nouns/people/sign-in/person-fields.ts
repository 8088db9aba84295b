import { html } from 'hono/html'
import type { Identify } from './identify.ts'
import { listProviders } from './providers.ts'
import { textField } from '../../../api/frame/html/form.ts'
import type { Html } from '../../../api/frame/html/html.ts'

/** The fields of these forms that are never shown again. */
export const accountSecrets: readonly string[] = ['token', 'password', 'current']

/** Password managers know which field is which by `autocomplete`. */
export function emailField(value: string | null, prefix = ''): Html {
  return textField(
    {
      name: 'email',
      label: 'Email',
      type: 'email',
      autocomplete: 'username',
      required: true,
      maximum: 254,
      value,
    },
    prefix,
  )
}

export function passwordField(
  use: 'current' | 'new',
  { name = 'password', label = 'Password', required = true } = {},
): Html {
  return textField({
    name,
    label,
    required,
    type: 'password',
    autocomplete: `${use}-password`,
    maximum: 128,
    ...(use === 'new' && { hint: 'At least 10 characters. A few words in a row are easy to remember.' }),
  })
}

/** What a new account begins with: a name, an e-mail address, and a password or a passkey. */
export function accountFields(identify: Identify, typed: URLSearchParams): Html {
  const name = { name: 'name', label: 'Name', autocomplete: 'name', required: true, maximum: 100 }
  return html`${textField({ ...name, value: typed.get('name'), hint: 'Shown beside your comments and in commits.' })}
    ${emailField(typed.get('email'))} ${passwordField('new', { required: !identify.takesPasskeys() })}
    <div class="buttons">
      <button class="primary">Create account</button>
      ${identify.takesPasskeys() ? html`<button name="with" value="passkey" formnovalidate hidden data-passkey-only>Use a passkey instead</button>` : ''}
    </div>`
}

/** Buttons for the other servers that people may sign in with. */
export function providerForms(identify: Identify, invitation?: string): Html {
  const providers = listProviders(identify.providers)
  if (providers.length === 0) return html``
  return html`<div class="providers">
    ${providers.map(
      ({ name, label }) =>
        html`<form method="post" action="/sign-in/provider">
          <input type="hidden" name="provider" value="${name}" />
          ${invitation === undefined ? '' : html`<input type="hidden" name="link" value="${invitation}" />`}
          <button>Continue with ${label}</button>
        </form>`,
    )}
  </div>`
}

/** The password of a form that may also ask for a passkey. */
export function passwordOf(form: URLSearchParams): string | undefined {
  return form.get('with') === 'passkey' ? undefined : (form.get('password') ?? '')
}

/** Where somebody goes after making an account: without a password, to the passkey first. */
export function afterAccount(form: URLSearchParams, path: string): string {
  return form.get('with') === 'passkey' ? `/account?passkey=new&return=${encodeURIComponent(path)}` : path
}
