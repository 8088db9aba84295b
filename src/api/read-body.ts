import type { z } from 'zod'
import { AppError } from '../lib/errors.ts'
import { checkInput, quotedField } from '../lib/text/issue-sentence.ts'
import { createValueCounter, hasUnstorable } from '../lib/text/plain-text.ts'
import type { RequestContext } from './endpoint.ts'
import { readBytes } from './read-bytes.ts'

export const jobBodyLimit = 1024 * 1024
export const assistantBodyLimit = 16 * 1024 * 1024
/** Deeper than any honest body. It keeps recursive functions from overflowing the stack. */
const maximumDepth = 200

/**
 * Reads a JSON body, whatever its content type, and checks it.
 * @param limit bytes; more is 413
 * @throws AppError `too_large` or `invalid`, naming the field and the rule
 */
export async function readBody<T>(context: RequestContext, schema: z.ZodType<T>, limit: number): Promise<T> {
  return checkBody(schema, await readJson(context, limit))
}

/**
 * The first half of `readBody`: parses the body without checking its schema.
 * @throws AppError `too_large` or `invalid`
 */
export async function readJson(context: RequestContext, limit: number): Promise<unknown> {
  const text = await readText(context, limit)
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch (cause) {
    throw new AppError('invalid', 'The request body is not valid JSON; send a JSON object', { cause })
  }
  refuseUnstorable(body, '', 0)
  return body
}

/** The second half of `readBody`. @throws AppError `invalid`, naming the field and the rule */
export function checkBody<Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> {
  return checkInput(schema, body, quotedField('The request body'))
}

/** Reads the query's parameters and checks them. @throws AppError `invalid`, naming the parameter and the rule */
export function readQuery<T>(context: RequestContext, schema: z.ZodType<T>): T {
  return checkInput(schema, context.req.query(), quotedField('The request query'))
}

function refuseUnstorable(value: unknown, path: string, depth: number): void {
  if (depth > maximumDepth) throw new AppError('invalid', 'The request body is nested too deeply')
  if (typeof value === 'string') {
    if (hasUnstorable(value))
      throw new AppError(
        'invalid',
        `\`${path}\` contains an invalid character (NUL or unpaired surrogate). Remove it`,
      )
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, item] of Object.entries(value)) {
      if (hasUnstorable(key))
        throw new AppError('invalid', 'A field name contains a NUL character or a lone surrogate')
      refuseUnstorable(item, path === '' ? key : `${path}.${key}`, depth + 1)
    }
  }
}

/** Far above the longest conversation. Each value costs time on the main thread. */
const maximumValues = 250_000

/**
 * The body of a request as text.
 * @param limit bytes; more is 413
 * @throws the errors of `readBytes`, and AppError `invalid` for a body that is not UTF-8 text
 */
async function readText(context: RequestContext, limit: number): Promise<string> {
  const counter = createValueCounter()
  const bytes = await readBytes(context, {
    limit,
    watch(chunk) {
      if (counter.add(chunk) > maximumValues)
        throw new AppError('too_large', `The request body has more than ${maximumValues} values. Send fewer`)
    },
  })
  if (bytes.byteLength === 0) throw new AppError('invalid', 'The request body is empty; send a JSON object')
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (cause) {
    throw new AppError('invalid', 'The request body is not valid UTF-8', { cause })
  }
}
