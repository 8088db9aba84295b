import type { Zone } from '../pages/document.ts'
import { resolveScope } from '../pages/resolve-scope.ts'
import type { Request } from '../requests/request.ts'
import { code, count, nothing, quote, type Outcome, type Work } from './outcome.ts'
import { substitute, type Substitution } from './substitute.ts'

/**
 * Prose always; code too when the text was quoted, since it is meant literally then; link targets only when
 * asked or when the text is itself an address, since changing them silently breaks links.
 */
export function* replaceText(request: Extract<Request, { kind: 'replace' }>): Work {
  const { from, to, ignoreCase } = request
  const place = yield* resolveScope(request.scope)
  const name = `Replace ${quote(from)} with ${quote(to)}`
  if (!place.ok) return nothing(name, place.why)
  const title = place.said === 'everywhere' ? name : `${name} ${place.said}`
  if (from === to) return nothing(title, 'The two texts are the same.')
  const address = /^\S+$/.test(from) && /\/|\w\.\w/.test(from)
  const zones = new Set<Zone>(['prose'])
  if (request.code ?? (request.exact || address)) zones.add('code')
  if (request.links || address) zones.add('link')
  if (request.exact && address) zones.add('markup')
  const done = yield* substitute([{ find: from, replace: to, ignoreCase, typo: false, zones }], place)
  return report(title, done, {
    did: `Replaced ${code(from)} with ${code(to)} ${place.said}, as asked`,
    missing: `${code(from)} was not found ${place.said === 'everywhere' ? 'anywhere in the documentation' : place.said} (searched ${ignoreCase ? 'ignoring case' : 'with this exact spelling'}${/^[\p{L}\p{N}_ -]+$/u.test(from) ? ', as whole words' : ''}).`,
  })
}

/** The outcome of changes by text: what was done, or that the text is not there. */
export function report(title: string, done: Substitution, said: { did: string; missing: string }): Outcome {
  if (done.files > 0) {
    const what = `${said.did}: ${count(done.replacements, 'place')} in ${count(done.files, 'file')}.`
    return { title, what, changed: done.changed, left: done.left }
  }
  const what = done.left.length > 0 ? 'Nothing could be changed.' : said.missing
  return nothing(title, what, done.left)
}
