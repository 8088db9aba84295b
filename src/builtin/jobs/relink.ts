import { resolveScope } from '../pages/resolve-scope.ts'
import type { Request } from '../requests/request.ts'
import { code, nothing, quote, type Work } from './outcome.ts'
import { report } from './replace-text.ts'
import { substitute } from './substitute.ts'

/** Changes where links point; their texts stay. */
export function* relink(request: Extract<Request, { kind: 'relink' }>): Work {
  const { from, to } = request
  const name = `Point links to ${quote(to)} instead of ${quote(from)}`
  const place = yield* resolveScope(request.scope)
  if (!place.ok) return nothing(name, place.why)
  const zones = new Set(['link'] as const)
  const done = yield* substitute([{ find: from, replace: to, ignoreCase: false, typo: false, zones }], place)
  return report(name, done, {
    did: `Links to ${code(from)} now point to ${code(to)}`,
    missing: `No link to ${code(from)} was found ${place.said}.`,
  })
}
