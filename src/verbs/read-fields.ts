import { z } from '@hono/zod-openapi'
import { checkInput, placeBelow } from '../lib/text/issue-sentence.ts'
import type { Address } from '../api/description/operation.ts'
import type { Verb } from './verb.ts'

/** The schema of a field without what says that it may be absent. */
export function valueOf(schema: z.core.$ZodType): z.core.$ZodType {
  return schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault
    ? valueOf(schema.unwrap())
    : schema
}

/**
 * Checks what was typed against the rules of a verb.
 * @param nameOf how the door calls a field
 * @throws AppError `invalid`, naming the field and the rule
 */
export function checkTyped<Input extends z.ZodObject>(
  verb: Verb<Address, Input>,
  typed: Record<string, unknown>,
  nameOf: (field: string, part: string | undefined) => string,
): z.output<Input> {
  return checkInput(verb.input, typed, (path) => {
    const [field = '', ...below] = path.split('.')
    if (!(field in verb.fields)) return 'What was sent'
    const part = verb.fields[field]?.parts?.[below[0] ?? '']
    return `${nameOf(field, part)}${part === undefined ? placeBelow(below) : ''}`
  })
}
