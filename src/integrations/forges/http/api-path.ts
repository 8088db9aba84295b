import { AppError } from '../../../lib/errors.ts'

/** A path below the API, its values encoded: apiPath`/repos/${owner}/${name}`. @throws AppError `invalid` for `..` */
export function apiPath(parts: TemplateStringsArray, ...values: (string | number)[]): string {
  return parts.reduce((path, part, index) => path + encodeSegment(values[index - 1] ?? '') + part)
}

/** `owner/name`, each segment encoded, slashes kept. */
export function encodeSegments(path: string): string {
  return path.split('/').map(encodeSegment).join('/')
}

// A URL treats these segments as steps up, encoded or not.
function encodeSegment(value: string | number): string {
  const text = String(value)
  if (text === '' || text === '.' || text === '..' || !text.isWellFormed()) {
    throw new AppError('invalid', `${JSON.stringify(text)} cannot be part of an address`)
  }
  return encodeURIComponent(text)
}
