import { AppError } from '../lib/errors.ts'
import type { RequestContext } from './endpoint.ts'

export const keyForm = /^[\x21-\x7E]{1,255}$/

/** The `Idempotency-Key` of a request. @throws AppError `invalid` */
export function readKey(context: RequestContext): string | undefined {
  const key = context.req.header('idempotency-key')
  if (key === undefined || keyForm.test(key)) return key
  throw new AppError('invalid', 'The header Idempotency-Key must be 1 to 255 visible ASCII characters')
}
