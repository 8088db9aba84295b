import { z } from 'zod'
import { messageOf } from '../lib/errors.ts'
import { readSigningKey } from '../lib/signing-key.ts'
import { readPostgresAddress } from '../store/postgres/address.ts'
import '../lib/text/rule-words.ts'

/** The forms that values of the environment have. */

export const flag = z
  .enum(['true', 'false'], 'must be true or false')
  .default('false')
  .transform((text) => text === 'true')

export const optional = <T extends z.ZodType>(schema: T): z.ZodOptional<T> => schema.optional()
export const whole = (low: number, high: number): z.ZodType<number, string> =>
  z
    .string()
    .regex(/^\d+$/, 'must be a whole number')
    .transform(Number)
    .refine((value) => value >= low && value <= high, `must be from ${low} to ${high}`)
export const httpUrl = z.url({ protocol: /^https?$/, error: 'must be an http or https address' })
export const baseUrl = httpUrl.transform((url) => url.replace(/(?<!\/)\/+$/, ''))
/** Its path stands in cookies, headers and pages, so it is of characters that are written alike everywhere. */
export const publicUrl = baseUrl.pipe(
  z
    .string()
    .regex(
      /^[^/]+\/\/[^/?#]+(?:\/(?!\.{1,2}(?:\/|$))[\w.~-]+)*$/,
      'may have a path of letters, digits, ".", "_", "~", "-" and "/", and neither a query nor a fragment',
    ),
)
export const listOf = (text: string): string[] =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
export const key = (prefix: string): z.ZodString =>
  z
    .string()
    .regex(new RegExp(`^${prefix}[0-9A-Za-z]{43,128}$`), `must be ${prefix} and 43 to 128 letters and digits`)
/** One number, or numbers for the models whose names a pattern matches. */
export const byModel = (low: number, high: number) =>
  z
    .string()
    .transform((text, context) =>
      listOf(text).flatMap((item) => {
        const [, pattern = '*', digits = ''] = /^(?:(\S+)=)?(\d{1,9})$/.exec(item) ?? []
        const number = Number(digits)
        if (digits !== '' && number >= low && number <= high) return [{ pattern, number }]
        context.addIssue(
          `must be a whole number from ${low} to ${high}, or a list such as "ollama:*=${low}, openai:*=${high}"`,
        )
        return []
      }),
    )
    .default([])
export const headerList = z.string().transform((text, context) =>
  Object.fromEntries(
    listOf(text).flatMap((pair) => {
      const [name = '', ...rest] = pair.split('=')
      const value = decoded(rest.join('=').trim())
      if (/^[\w.-]+$/.test(name.trim()) && value) return [[name.trim(), value]]
      context.addIssue('must be name=value pairs separated by commas, the values percent-encoded')
      return []
    }),
  ),
)
export const secretKey = z
  .string()
  .regex(/^[\da-f]{64}$/i, 'must be 64 hexadecimal digits, as "openssl rand -hex 32" prints')
  .transform((text) => Uint8Array.from(Buffer.from(text, 'hex')))

export const databaseUrl = z.string().transform((text, context) => {
  try {
    readPostgresAddress(text)
    return text
  } catch (error) {
    context.addIssue(messageOf(error))
    return z.NEVER
  }
})

export const signingKey = z.string().transform((text, context) => {
  try {
    return readSigningKey(text)
  } catch (error) {
    context.addIssue(messageOf(error))
    return z.NEVER
  }
})

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
