import { sha256 } from '../../../lib/ids.ts'
import type { RequestContext } from '../../endpoint.ts'

/** The names of what a browser shows, with spaces between them. */
const header = 'docwright-shown'

/**
 * What a browser that asks for a page once more shows of it already, by the names in `data-shown`. Instead of such a part
 * comes an empty one with its id and `data-same`, and the browser leaves what it shows as it is.
 */
export function readShown(context: RequestContext): ReadonlySet<string> | undefined {
  const names = context.req.header(header)
  return names === undefined ? undefined : new Set(names.split(' '))
}

/** A short name of what is printed from this: another state has another name. */
export function nameOfState(state: unknown): string {
  return sha256(JSON.stringify(state)).slice(0, 8)
}
