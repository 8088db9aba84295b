import type { CallerColumn } from '../../store/columns.ts'
import type { RequestContext } from '../endpoint.ts'

/** What a question, a search or feedback came through, as far as the request shows it. */
export function callerOf({ req }: Pick<RequestContext, 'req'>): CallerColumn {
  if (req.header('x-docwright-client') === 'widget') return 'widget'
  // Browsers send an origin with each such request, programs do not.
  return req.header('origin') === undefined ? 'api' : 'web'
}
