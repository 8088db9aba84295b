import { isIP } from 'node:net'
import { AppError } from '../../../lib/errors.ts'
import { addressKind, hostOf } from '../../../lib/network-address.ts'

const longest = 2000

/**
 * Parses the address of a webhook and checks what can be checked without resolving its name.
 * @param toPrivate the operator allows plain http and addresses of private networks
 * @throws AppError `invalid` that says what is wrong with it
 */
export function parseWebhookUrl(text: string, toPrivate: boolean): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || text.length > longest || !/^https?:$/.test(url.protocol))
    throw invalid('is not an address; write it like https://example.com/hooks')
  if (url.protocol === 'http:' && !toPrivate)
    throw invalid('must begin with https; plain http only with DOCWRIGHT_WEBHOOKS_TO_PRIVATE=true')
  if (url.username !== '' || url.password !== '')
    throw invalid('holds a name or password; leave it out, receivers check the signature')
  const host = hostOf(url)
  if (isIP(host) > 0) requireAllowed([host], toPrivate)
  else if (/^(?:.*\.)?localhost\.?$/i.test(host) && !toPrivate) throw refused(host)
  return url
}

/** @throws AppError `invalid` unless webhooks may be sent to all of the addresses */
export function requireAllowed(addresses: readonly string[], toPrivate: boolean): void {
  const wrong = addresses.find((address) => {
    const kind = addressKind(address)
    return kind === 'never' || (kind === 'private' && !toPrivate)
  })
  if (wrong !== undefined) throw refused(wrong)
}

function refused(address: string): AppError {
  return invalid(
    addressKind(address) === 'never' && isIP(address) > 0
      ? `leads to ${address}, where webhooks never go; use a public address`
      : `leads to ${address}, which is no public address; DOCWRIGHT_WEBHOOKS_TO_PRIVATE=true allows private ones`,
  )
}

function invalid(rule: string): AppError {
  return new AppError('invalid', `\`url\` ${rule}`)
}
