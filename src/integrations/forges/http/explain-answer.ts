import type { ErrorCode } from '../../../lib/errors.ts'

const codes: Record<number, ErrorCode> = {
  400: 'invalid',
  401: 'unauthorized',
  402: 'forbidden',
  403: 'forbidden',
  404: 'not_found',
  409: 'conflict',
  410: 'not_found',
  413: 'too_large',
  422: 'invalid',
  // Gitea's answer of an archived repository.
  423: 'forbidden',
  451: 'forbidden',
}

export function codeOfStatus(status: number): ErrorCode {
  return codes[status] ?? (status >= 400 && status < 500 ? 'invalid' : 'unavailable')
}

/**
 * One sentence: what is wrong and what to do.
 * @param what a verb and its object: `open a pull request in owner/name`
 * @param advice what to do about a 403, where the answer tells: `it needs the permission …`
 */
export function explainAnswer(
  host: string,
  what: string,
  { status, detail, advice }: { status: number; detail: string; advice: string | undefined },
): string {
  const said = detail === '' ? '' : ` (${detail})`
  switch (status) {
    case 401:
      return `${host} does not accept the credential to ${what}${said}: it has expired or was revoked, so make a new one and set it for the project`
    case 403:
      return `${host} does not let the credential ${what}${said}: ${advice ?? 'give it the permission for that'}`
    case 404:
      return `${host} finds nothing to ${what}${said}: it does not exist, or the credential may not see it`
    case 410:
      return `${host} cannot ${what}${said}: it is gone or switched off there`
    case 423:
      return `${host} cannot ${what}${said}: the repository is archived or locked, so unlock it first`
    case 451:
      return `${host} does not ${what}${said}: it is blocked for legal reasons`
    default:
      return status >= 500
        ? `${host} failed to ${what} with status ${status}${said}: try again later`
        : `${host} refused to ${what} with status ${status}${said}`
  }
}
