import type { Session } from '../../features/projects/sign-in.ts'
import { AppError } from '../../lib/errors.ts'
import { sameSecret } from '../../lib/ids.ts'
import { hasUnstorable } from '../../lib/text/plain-text.ts'
import type { RequestContext } from '../endpoint.ts'
import { refuseOtherSites } from '../own-site.ts'
import { readBytes } from '../read-bytes.ts'

const limit = 1024 * 1024
/** Far more than any page has: each field may be printed again. */
const mostFields = 500

/** @throws AppError `invalid` for a body that no page of the dashboard sends, and the errors of `readBytes` */
export async function readForm(context: RequestContext): Promise<URLSearchParams> {
  // Forms from other sites are refused even where no CSRF token is needed.
  refuseOtherSites(context)
  const type = context.req.header('content-type') ?? ''
  if (!/^application\/x-www-form-urlencoded\b/i.test(type))
    throw new AppError('invalid', 'Send the form as application/x-www-form-urlencoded')
  const text = (await readBytes(context, { limit })).toString('utf8')
  if (text.split('&', mostFields + 1).length > mostFields)
    throw new AppError('invalid', `The form has more than ${mostFields} fields`)
  const form = new URLSearchParams(text)
  for (const [name, value] of form)
    if (hasUnstorable(name) || hasUnstorable(value))
      throw new AppError('invalid', 'The form contains an invalid character. Remove it and try again')
  return form
}

/** Whether the form was made by a page of this session. */
export function hasToken(form: URLSearchParams, session: Session): boolean {
  return sameSecret(form.get('csrf') ?? '', session.csrfToken)
}

/** A field as it was typed: browsers send its line ends as CR LF. */
export function fieldOf(form: URLSearchParams, name: string): string {
  return (form.get(name) ?? '').replaceAll('\r\n', '\n').trim()
}

const secretFields: ReadonlySet<string> = new Set(['token', 'privateKey', 'csrf', 'password', 'current'])

/** The submitted values without secrets, to be shown again. */
export function withoutSecrets(form: URLSearchParams): URLSearchParams {
  return new URLSearchParams([...form].filter(([name]) => !secretFields.has(name)))
}

/** Whether there is something in it that `withoutSecrets` leaves out, besides the token of the page. */
export function holdsSecret(form: URLSearchParams): boolean {
  return [...form].some(([name, value]) => name !== 'csrf' && value !== '' && secretFields.has(name))
}
