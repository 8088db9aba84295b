import { AppError } from '../lib/errors.ts'
import type { RequestContext } from './endpoint.ts'

/**
 * Whether a page of this server asks. Browsers say so, and let no page say it in their name. Over plain http they only
 * name the origin, for requests to other sites always. Programs may say anything: limits are for them.
 */
export function isOwnPage(context: RequestContext): boolean {
  const site = context.req.header('sec-fetch-site')
  if (site !== undefined) return site === 'same-origin'
  return context.req.header('x-docwright-client') === 'widget' && !isOtherOrigin(context)
}

/** Whether a page of another site asks, as far as browsers say. */
export function isOtherPage(context: RequestContext): boolean {
  const site = context.req.header('sec-fetch-site')
  return site === undefined ? isOtherOrigin(context) : site === 'cross-site' || site === 'same-site'
}

/** Refuses requests that browsers send for pages of other sites. @throws AppError `forbidden` */
export function refuseOtherSites(context: RequestContext): void {
  if (isOtherPage(context))
    throw new AppError('forbidden', 'Cross-site request blocked; open the page here and try again')
}

// The host counts too, because a server may be reached in more ways than its public address.
function isOtherOrigin(context: RequestContext): boolean {
  const origin = context.req.header('origin')
  const host = context.req.header('host')
  return ![undefined, context.get('ownOrigin'), `http://${host}`, `https://${host}`].includes(origin)
}
