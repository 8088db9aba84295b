import { isIP } from 'node:net'
import { AppError } from '../../../lib/errors.ts'
import { addressKind, hostOf } from '../../../lib/network-address.ts'

/** Characters of an address. */
export const longestAddress = 2000

/** What an address must be, for a sentence that begins with the name of its field. */
export const webAddressRule = 'isn’t a valid URL. Example: https://example.com/hooks'

/** An address of the web; undefined for any other text, and for a longer one. */
export function webAddress(text: string): URL | undefined {
  const url = text.length <= longestAddress && URL.canParse(text) ? new URL(text) : undefined
  return url && /^https?:$/.test(url.protocol) ? url : undefined
}

/**
 * Parses the address of a webhook and checks what can be checked without resolving its name.
 * @param toPrivate the operator allows plain http and addresses of private networks
 * @throws AppError `invalid` that says what is wrong with it
 */
export function parseWebhookUrl(text: string, toPrivate: boolean): URL {
  const url = webAddress(text)
  if (!url) throw invalid(webAddressRule)
  if (url.protocol === 'http:' && !toPrivate)
    throw invalid('must begin with https; plain http only with DOCWRIGHT_WEBHOOKS_TO_PRIVATE=true')
  if (url.username !== '' || url.password !== '')
    throw invalid('contains credentials. Remove them; verify the signature instead')
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
      ? `resolves to ${address}, which webhooks can’t call. Use a public URL`
      : `leads to ${address}, which is not a public address. DOCWRIGHT_WEBHOOKS_TO_PRIVATE=true allows private ones`,
  )
}

function invalid(rule: string): AppError {
  return new AppError('invalid', `\`url\` ${rule}`)
}
