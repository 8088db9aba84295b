import type { z } from 'zod'
import './rule-words.ts'

/**
 * The first rule that a value breaks, as a sentence.
 * @param nameOf what the reader calls the place at a path such as `origins.0`; `''` is the whole value
 */
export function issueSentence(error: z.core.$ZodError, nameOf: (path: string) => string): string {
  const [issue] = error.issues
  const message = issue?.message ?? 'is not valid'
  const name = nameOf((issue?.path ?? []).map(String).join('.'))
  return `${name}${/^(?:must|is|holds|has)\b/.test(message) ? '' : ':'} ${message}`
}

/** A field as those name it who write JSON. @param whole the name of the whole value */
export function quotedField(whole: string): (path: string) => string {
  return (path) => (path === '' ? whole : `\`${path}\``)
}
