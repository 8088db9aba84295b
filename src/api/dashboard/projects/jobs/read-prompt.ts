import { AppError } from '../../../../lib/errors.ts'
import { fieldOf } from '../../read-form.ts'

/** @throws AppError `invalid` by the same rule as the API */
export function readPrompt(form: URLSearchParams): string {
  const prompt = fieldOf(form, 'prompt')
  if (prompt === '') throw new AppError('invalid', 'The prompt is empty; say what should change')
  if (prompt.length > 100_000)
    throw new AppError('invalid', 'The prompt is longer than 100,000 characters; shorten it')
  return prompt
}

export function noSuchJob(): AppError {
  return new AppError('not_found', 'This project has no such job')
}
