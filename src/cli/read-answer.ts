import { z } from 'zod'
import { AppError } from '../lib/errors.ts'
import { isRecord } from '../lib/is-record.ts'
import { quotedField, sentenceOf } from '../lib/text/issue-sentence.ts'
import { version } from '../lib/version.ts'

/**
 * What a schema says of an answer, as far as it holds of servers of other versions too: words of a list are any text,
 * because a newer server may know more of them.
 */
export type Answer<Schema extends z.ZodType> = Open<z.input<Schema>>

/** The same with any text where a list of words is known. */
export type Open<T> = T extends string
  ? string
  : T extends readonly (infer Item)[]
    ? Open<Item>[]
    : T extends object
      ? { [Key in keyof T]: Open<T[Key]> }
      : T

/**
 * The answer as it came, fields that the schema does not know included.
 * @param request as `GET /admin/projects`
 * @throws AppError `unavailable` when a field is missing or of another type
 */
export function readAnswer<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  request: string,
): Answer<Schema> {
  if (isAnswer(schema, value)) return value
  const { error } = z.safeParse(schema, value)
  const issue = error?.issues.find((one) => !isOfOtherVersion(one, value))
  const what = value === undefined || !issue ? 'it is not JSON' : sentenceOf(issue, quotedField('it'))
  throw new AppError(
    'unavailable',
    `The server answered ${request} in a way that this command of version ${version} does not know (${what}): use the command of the server’s version`,
  )
}

export function isAnswer<Schema extends z.ZodType>(schema: Schema, value: unknown): value is Answer<Schema> {
  const { error } = z.safeParse(schema, value)
  return error === undefined || error.issues.every((issue) => isOfOtherVersion(issue, value))
}

/** Whether a command can go on: the value has its type, and only breaks a rule that a newer server may have changed. */
function isOfOtherVersion(issue: z.core.$ZodIssue, whole: unknown): boolean {
  const value = issue.path.reduce<unknown>((part, key) => partOf(part, key), whole)
  switch (issue.code) {
    case 'invalid_value':
      return typeof value === 'string'
    case 'invalid_union':
      return issue.errors.some((branch) => branch.every((one) => isOfOtherVersion(one, value)))
    case 'invalid_format':
    case 'too_small':
    case 'too_big':
    case 'unrecognized_keys':
    case 'custom':
      return true
    default:
      return false
  }
}

function partOf(value: unknown, key: PropertyKey): unknown {
  if (Array.isArray(value)) return typeof key === 'number' ? value[key] : undefined
  return isRecord(value) ? value[String(key)] : undefined
}
