import { AppError } from '../../lib/errors.ts'

const pattern = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/

/** Whether a text is a full object id; anything else could be an option or a revision expression. */
export function isObjectId(text: string): boolean {
  return pattern.test(text)
}

/** @throws AppError `invalid` for anything but a full object id. */
export function requireObjectId(text: string): string {
  if (!isObjectId(text))
    throw new AppError('invalid', `${JSON.stringify(text.slice(0, 80))} is not a full object id`)
  return text
}
