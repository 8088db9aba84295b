import { createHmac, timingSafeEqual } from 'node:crypto'
import type { z } from 'zod'
import { AppError } from '../../../lib/errors.ts'

/**
 * Checks a hexadecimal HMAC-SHA256 over the raw body, with or without `sha256=` before it.
 * @throws AppError `unauthorized` when it is missing or wrong
 */
export function checkSignature(signature: string | null, body: Uint8Array, secret: string): void {
  const digest = /^(?:sha256=)?([0-9a-f]{64})$/i.exec(signature ?? '')?.[1] ?? ''
  const expected = createHmac('sha256', secret).update(body).digest()
  // With an empty secret anyone could sign.
  if (secret === '' || digest === '' || !timingSafeEqual(expected, Buffer.from(digest, 'hex'))) {
    throw new AppError(
      'unauthorized',
      'The webhook is not signed with its secret: set the same secret at the host',
    )
  }
}

/** The JSON of a webhook's body. @throws AppError `invalid` */
export function readJsonBody(body: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(body).toString('utf8'))
  } catch {
    throw new AppError(
      'invalid',
      'The webhook is not JSON: choose the content type application/json at the host',
    )
  }
}

/** Reads a webhook's body by its host's schema. @throws AppError `invalid` */
export function readPayload<S extends z.ZodType>(host: string, schema: S, payload: unknown): z.output<S> {
  const result = schema.safeParse(payload)
  if (result.success) return result.data
  throw new AppError('invalid', `The webhook does not have the form that ${host} gives it`, {
    cause: result.error,
  })
}
