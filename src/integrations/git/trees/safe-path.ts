import { AppError } from '../../../lib/errors.ts'

/**
 * Lets through a path that can be written into any repository and be checked out on any system without leaving its
 * folder or reaching `.git`. Line ends and other odd characters are allowed: real pages have them.
 * @throws AppError `invalid` with the reason.
 */
export function requireSafePath(path: string): string {
  const reason = objection(path)
  if (reason === undefined) return path
  throw new AppError('invalid', `The path ${JSON.stringify(path.slice(0, 200))} cannot be written: ${reason}`)
}

function objection(path: string): string | undefined {
  if (path === '') return 'it is empty'
  if (!path.isWellFormed()) return 'it is not valid Unicode'
  if (path.includes('\0')) return 'it contains a NUL'
  if (path.startsWith('/') || /^[A-Za-z]:[/\\]/.test(path)) return 'it is absolute'
  if (Buffer.byteLength(path) > 4000) return 'it is longer than 4,000 bytes'
  for (const segment of path.split('/')) {
    if (segment === '') return 'it contains an empty segment'
    if (Buffer.byteLength(segment) > 255) return 'a name in it is longer than 255 bytes'
  }
  // Windows reads a backslash as a separator, so what lies between two must be harmless as well.
  for (const segment of path.split(/[/\\]/)) {
    if (segment === '.' || segment === '..') return 'it contains a "." or ".." segment'
    if (isGitFolder(segment)) return 'it leads into a git folder'
  }
  return undefined
}

/** Whether an entry of a tree is what git itself would not check out, because somebody's computer would be harmed. */
export function isAttack(path: string, mode: string): boolean {
  const names = path.split('/')
  if (mode === '120000' && /^\.gitmodules$/i.test(names.at(-1) ?? '')) return true
  return names.some((name) => name === '' || name === '.' || name === '..' || isGitFolder(name))
}

// Code points that macOS leaves out when it compares names.
const ignoredByMac = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g

function isGitFolder(segment: string): boolean {
  const plain = segment.replaceAll(ignoredByMac, '').toLowerCase()
  // Windows drops trailing dots and spaces, takes what follows a colon as a stream, and knows .git as git~1.
  const name = plain.split(':', 1)[0] ?? ''
  return /^(?:\.git|git~\d{1,6})[. ]*$/.test(name)
}
