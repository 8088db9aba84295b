import type { z } from 'zod'
import { AppError } from '../errors.ts'
import './rule-words.ts'

/**
 * Checks what somebody gave.
 * @param nameOf what they call the place at a path such as `origins.0`; `''` is the whole value
 * @throws AppError `invalid`, naming the first field that breaks a rule, and the rule
 */
export function checkInput<Schema extends z.ZodType>(
  schema: Schema,
  input: unknown,
  nameOf: (path: string) => string,
): z.output<Schema> {
  const result = schema.safeParse(input)
  if (result.success) return result.data
  throw new AppError('invalid', issueSentence(result.error, nameOf))
}

/** The first rule that a value breaks, as a sentence. */
export function issueSentence(error: z.core.$ZodError, nameOf: (path: string) => string): string {
  const [issue] = error.issues
  return issue ? sentenceOf(issue, nameOf) : `${nameOf('')} is not valid`
}

/** One rule that a value breaks, as a sentence; the rule alone where the value has no name. */
export function sentenceOf({ path, message }: z.core.$ZodIssue, nameOf: (path: string) => string): string {
  const name = nameOf(path.map(String).join('.'))
  if (name === '') return message
  return `${name}${/^(?:must|may|cannot|is|holds|has)\b/.test(message) ? '' : ':'} ${message}`
}

/** A field as those name it who write JSON. @param whole the name of the whole value */
export function quotedField(whole: string): (path: string) => string {
  return (path) => (path === '' ? whole : `\`${path}\``)
}

/** What stands at a path below a field that has a name: `(item 2)`, `(item 2, name)`. */
export function placeBelow(path: readonly string[]): string {
  const words = path.map((part) => (/^\d+$/.test(part) ? `item ${Number(part) + 1}` : part))
  return words.length === 0 ? '' : ` (${words.join(', ')})`
}

/** A field as those read it who fill in a form. */
export function labelledField(path: string): string {
  return `“${path}”`
}
