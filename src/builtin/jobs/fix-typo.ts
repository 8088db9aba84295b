import { resolveScope } from '../pages/resolve-scope.ts'
import type { Request } from '../requests/request.ts'
import { misspellings, plainMisspellings } from './misspellings.ts'
import { code, nothing, quote, type Work } from './outcome.ts'
import { report } from './replace-text.ts'
import { substitute } from './substitute.ts'

const prose = new Set(['prose'] as const)

/** One misspelled word; its endings (`recieved`) and capitals are corrected with it. */
export function* fixTypo(request: Extract<Request, { kind: 'typo' }>): Work {
  const { wrong } = request
  const right = request.right ?? misspellings.get(wrong.toLowerCase())
  const name = `Fix the typo ${quote(wrong)}`
  if (right === undefined) {
    const example = `"${wrong}" should be "…"`
    return nothing(
      name,
      `The correct spelling of ${quote(wrong)} is not known here; say it: ${code(example)}.`,
    )
  }
  const place = yield* resolveScope(request.scope)
  if (!place.ok) return nothing(name, place.why)
  const title = place.said === 'everywhere' ? name : `${name} ${place.said}`
  const rule = { find: wrong, replace: right, ignoreCase: true, typo: true, zones: prose }
  const done = yield* substitute([rule], place)
  return report(title, done, {
    did: `Corrected ${code(wrong)} to ${code(right)}`,
    missing: `${code(wrong)} was not found in the text of the pages (${place.said}).`,
  })
}

/** All misspellings of a list that are certain, in prose. */
export function* fixTypos(request: Extract<Request, { kind: 'typos' }>): Work {
  const place = yield* resolveScope(request.scope)
  if (!place.ok) return nothing('Fix typos', place.why)
  const title = place.said === 'everywhere' ? 'Fix common typos' : `Fix common typos ${place.said}`
  const rules = [...plainMisspellings].map(([find, replace]) => ({
    find,
    replace,
    ignoreCase: true,
    typo: true,
    zones: prose,
  }))
  const done = yield* substitute(rules, place)
  return report(title, done, {
    did: 'Corrected common English misspellings',
    missing: `None of the ${rules.length} common English misspellings that are known here was found ${place.said}. To fix another one, name it: ${code('"recieve" should be "receive"')}.`,
  })
}
