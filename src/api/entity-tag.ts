import { parseAccept } from 'hono/utils/accept'
import type { RequestContext } from './endpoint.ts'

/** Whether the client says that it has this version already, so that 304 is enough. */
export function hasVersion(context: RequestContext, tag: string): boolean {
  const known = (context.req.header('if-none-match') ?? '')
    .split(',')
    .map((entry) => entry.trim().replace(/^W\//, ''))
  return known.includes(tag) || known.includes('*')
}

/** Whether the client reads what is compressed with gzip. */
export function takesGzip(context: RequestContext): boolean {
  const ranges = parseAccept((context.req.header('accept-encoding') ?? '').slice(0, 2000))
  const named =
    ranges.find(({ type }) => type.toLowerCase() === 'gzip') ?? ranges.find(({ type }) => type === '*')
  return named !== undefined && named.q > 0
}
