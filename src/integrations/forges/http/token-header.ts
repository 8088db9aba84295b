import { AppError } from '../../../lib/errors.ts'

/** Checks that a token can stand in a header. @throws AppError `invalid` that does not quote it */
export function checkToken(token: string): string {
  const trimmed = token.trim()
  if (!/^[\x21-\x7e]{1,4096}$/.test(trimmed)) {
    throw new AppError('invalid', 'The token is empty or contains invalid characters. Copy it again')
  }
  return trimmed
}
