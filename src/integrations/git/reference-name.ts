import { AppError } from '../../lib/errors.ts'

/** @throws AppError `invalid` for a name that git would refuse as a branch, or read as something else. */
export function requireBranchName(name: string): string {
  if (!isReferenceName(name) || name.startsWith('-') || name === 'HEAD') {
    throw new AppError('invalid', `${JSON.stringify(name.slice(0, 200))} is not a valid branch name`)
  }
  return name
}

/** @throws AppError `invalid` for anything but `refs/…`. */
export function requireReference(name: string): string {
  if (!name.startsWith('refs/') || !isReferenceName(name)) {
    throw new AppError(
      'invalid',
      `${JSON.stringify(name.slice(0, 200))} is not a full reference name such as refs/heads/main`,
    )
  }
  return name
}

/** The rules of git check-ref-format, without a process. */
export function isReferenceName(name: string): boolean {
  if (name === '' || name.length > 250 || /[\p{Cc} ~^:?*[\\]|\.\.|@\{/u.test(name)) return false
  if (name === '@' || name.endsWith('.') || !name.isWellFormed()) return false
  return name.split('/').every((part) => part !== '' && !part.startsWith('.') && !part.endsWith('.lock'))
}
