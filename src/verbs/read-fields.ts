import { z } from '@hono/zod-openapi'
import { AppError } from '../lib/errors.ts'
import { checkInput, placeBelow } from '../lib/text/issue-sentence.ts'
import type { Address } from '../api/description/operation.ts'
import type { FieldWords, Verb } from './verb.ts'

/** The schema of a field without what says that it may be absent. */
export function valueOf(schema: z.core.$ZodType): z.core.$ZodType {
  return schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault
    ? valueOf(schema.unwrap())
    : schema
}

/** How a door calls a field, or a part of one, by its words. */
export type NameOf = (words: FieldWords | undefined, field: string) => string

/**
 * Checks what was typed against the rules of a verb.
 * @throws AppError `invalid`, naming the field and the rule
 */
export function checkTyped<Input extends z.ZodObject>(
  verb: Verb<Address, Input>,
  typed: Record<string, unknown>,
  nameOf: NameOf,
): z.output<Input> {
  return checkInput(verb.input, typed, (path) => {
    const [field = '', ...below] = path.split('.')
    if (!(field in verb.fields)) return 'What was sent'
    const words: FieldWords | undefined = verb.fields[field]
    const part = words?.parts?.[below[0] ?? '']
    return `${nameOf(part ?? words, field)}${placeBelow(part === undefined ? below : below.slice(1))}`
  })
}

/** Fields by the names of a door, where an error of the verb calls them as programs do. */
export function inWordsOf(verb: Verb, thrown: unknown, nameOf: NameOf): unknown {
  if (!(thrown instanceof AppError) || thrown.code !== 'invalid') return thrown
  const message = thrown.message.replaceAll(/`(\w+)`/g, (quoted, field: string) =>
    Object.hasOwn(verb.fields, field) ? nameOf(verb.fields[field], field) : quoted,
  )
  return new AppError('invalid', message, { cause: thrown })
}
