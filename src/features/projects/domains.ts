import { AppError } from '../../lib/errors.ts'

/** The name of the server of the Model Context Protocol for jobs. Those for documentations have domains as names. */
export const jobServerName = 'docwright.jobs'

const label = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?'
const domainForm = new RegExp(String.raw`^${label}(?:\.${label})*$`)
const longestDomain = 253

/** The form of a domain in words: that of a host name in lower case. */
export const domainHint = 'letters, digits, hyphens and dots, as in docs.example.com'

/**
 * Checks what is to name a project in addresses.
 * @throws AppError `invalid` that says what to choose instead
 */
export function requireDomain(domain: string): void {
  if (domain.length > longestDomain || !domainForm.test(domain))
    throw new AppError(
      'invalid',
      'The domain may hold a to z, 0 to 9, and hyphens and dots inside, with at most 63 characters between dots. Choose one such as docs.example.com',
    )
  // Addresses of repositories end in it: /git/{domain}.git.
  if (domain.endsWith('.git') || domain === jobServerName)
    throw new AppError('invalid', `The domain ${domain} is reserved. Choose another`)
}
