import type { RequestContext } from './endpoint.ts'

/** Whether the client says that it has this version already, so that 304 is enough. */
export function hasVersion(context: RequestContext, tag: string): boolean {
  const known = (context.req.header('if-none-match') ?? '')
    .split(',')
    .map((entry) => entry.trim().replace(/^W\//, ''))
  return known.includes(tag) || known.includes('*')
}
