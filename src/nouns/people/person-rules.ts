import { z } from '@hono/zod-openapi'
import type { FieldWords } from '../../verbs/verb.ts'

function text(what: string, least: number, most: number): z.ZodString {
  const rule = `must be ${what} of ${least} to ${most} characters`
  return z.string({ error: rule }).min(least, rule).max(most, rule)
}

export const personName = text('a name', 1, 100)
export const personEmail = text('an email address', 1, 254)
export const newPassword = text('a password', 10, 128)
/** One that somebody may have typed wrong. */
export const knownPassword = text('a password', 1, 1000)

/** What a new account begins with. */
export const newPerson = {
  name: personName,
  email: personEmail,
  password: newPassword.optional().describe('Without one, add a passkey before the session ends.'),
}

// Password managers know which field is which by `autocomplete`.
export const personWords = {
  name: { label: 'Name', autocomplete: 'name', below: 'Shown beside your comments and in commits.' },
  email: { label: 'Email', type: 'email', autocomplete: 'username' },
  password: {
    label: 'Password',
    type: 'password',
    autocomplete: 'new-password',
    secret: true,
    below: 'At least 10 characters. A few words in a row are easy to remember.',
  },
} as const satisfies Record<string, FieldWords>

export const knownPasswordWords = {
  label: 'Password',
  type: 'password',
  autocomplete: 'current-password',
  secret: true,
} as const satisfies FieldWords

export const signInProvider = z
  .enum(['oidc', 'github'], 'must be oidc or github')
  .openapi('SignInProvider', { description: 'Who proves who someone is.' })
