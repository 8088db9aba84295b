import { parse } from 'jsonc-parser'

/** JSON with comments and commas too many; undefined for what is nested too deep or no JSON at all. */
export function readJson(text: string): unknown {
  try {
    const value: unknown = parse(text, [], { allowTrailingComma: true })
    return value
  } catch {
    return undefined
  }
}
