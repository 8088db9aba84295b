import { html } from 'hono/html'
import type { Identify } from './identify.ts'
import { listProviders } from './providers.ts'
import type { Html } from '../../../api/frame/html/html.ts'
import { verbFields } from '../../../verbs/form.ts'
import { acceptInvitation } from './verbs.ts'

const accountTyped = ['name', 'email', 'password'] as const

/** What is typed to make an account, with a password or a passkey. */
export const newAccount = {
  typed: { only: accountTyped, required: accountTyped },
  reads: ({ form }: { form: URLSearchParams }) => (wantsPasskey(form) ? { password: undefined } : {}),
} as const

/** The secret of a link, which its page sends along. */
export function tokenIn({ form }: { form: URLSearchParams }): { token: string } {
  return { token: form.get('link') ?? '' }
}

/** What a new account begins with: a name, an email address, and a password or a passkey. */
export function accountFields(identify: Identify, typed: URLSearchParams): Html {
  const takesPasskeys = identify.takesPasskeys()
  const required = takesPasskeys ? (['name', 'email'] as const) : accountTyped
  return html`${verbFields(acceptInvitation, { only: accountTyped, required, typed })}
    <div class="buttons">
      <button class="primary">Create account</button>
      ${takesPasskeys ? html`<button name="with" value="passkey" formnovalidate hidden data-passkey-only>Use a passkey instead</button>` : ''}
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

function wantsPasskey(form: URLSearchParams): boolean {
  return form.get('with') === 'passkey'
}

/** Where somebody goes after making an account: without a password, to the passkey first. */
export function afterAccount(form: URLSearchParams, path: string): string {
  return wantsPasskey(form) ? `/account?passkey=new&return=${encodeURIComponent(path)}` : path
}
