import { tokenizer, tokTypes } from 'acorn'
import { parseValue } from '../../../site/code-config/parse-script.ts'
import type { NavigationFile } from '../../../site/code-config/read-navigation.ts'
import { decodeExact } from '../../../site/text/text-file.ts'
import { navigationObjection } from './navigation-values.ts'

type Region = NavigationFile['regions'][number]

const elsewhere = 'It would change code outside of the navigation and redirects, which only a person changes'

/**
 * Why a changed file of code may not be published. Only what is written out in its navigation and redirects may change,
 * and only into other plain values: everything around it has to stay as it is, character by character.
 */
export function codeConfigurationObjection(
  file: NavigationFile,
  before: Uint8Array | undefined,
  after: Uint8Array,
): string | undefined {
  const [old, now] = [before && decodeExact(before), decodeExact(after)]
  if (old === undefined || now === undefined) return 'It would not be UTF-8'
  if (old === now) return undefined
  if (old.length !== file.length) return elsewhere
  let from = 0
  let at = 0
  for (const region of file.regions) {
    const around = old.slice(from, region.start)
    const value = old.slice(region.start, region.end)
    if (!now.startsWith(around, at)) return elsewhere
    at += around.length
    from = region.end
    const end = now.startsWith(value, at) ? at + value.length : endOfValue(now, at, region)
    if (end === undefined) return 'Its navigation would not be plain lists, objects and texts'
    const objection = regionObjection(file, region, value, now.slice(at, end))
    if (objection !== undefined) return objection
    at = end
  }
  if (now.slice(at) !== old.slice(from)) return elsewhere
  return file.path.endsWith('.json') && isJson(old) && !isJson(now) ? 'It would not be valid JSON' : undefined
}

function regionObjection(
  { framework }: NavigationFile,
  { kind }: Region,
  old: string,
  now: string,
): string | undefined {
  if (old === now) return undefined
  const [before, after] = [parseValue(old), parseValue(now)]
  if (before === undefined || after === undefined || before.type !== after.type)
    return 'Its navigation would not be plain lists, objects and texts'
  return navigationObjection({ framework, kind }, { node: before, text: old }, { node: after, text: now })
}

/** Where the list, object or text that starts here ends. */
function endOfValue(text: string, start: number, { kind }: Region): number | undefined {
  try {
    let depth = 0
    for (const token of tokenizer(text.slice(start), { ecmaVersion: 'latest', sourceType: 'module' })) {
      if (opening.has(token.type)) depth += 1
      else if (closing.has(token.type)) depth -= 1
      else if (depth === 0 && !(kind === 'address' && token.type === tokTypes.string)) return undefined
      if (depth === 0) return start + token.end
    }
  } catch {
    return undefined
  }
  return undefined
}

const opening = new Set([tokTypes.bracketL, tokTypes.braceL, tokTypes.parenL, tokTypes.dollarBraceL])
const closing = new Set([tokTypes.bracketR, tokTypes.braceR, tokTypes.parenR])

function isJson(text: string): boolean {
  try {
    JSON.parse(text.replace(/^\uFEFF/, ''))
    return true
  } catch {
    return false
  }
}
