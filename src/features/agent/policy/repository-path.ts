const maxBytes = 4000
const maxNameBytes = 255
// Code points that macOS leaves out when it compares names.
const ignoredByMac = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g

/**
 * Why a path cannot name a file of a repository, or undefined when it can. Stricter than git: nothing that any
 * system would read as another file, as a folder above, or as git's own.
 */
export function pathObjection(path: string): string | undefined {
  if (path === '') return 'it is empty'
  if (!path.isWellFormed()) return 'it is not valid Unicode'
  if (path.includes('\0')) return 'it holds a NUL'
  if (path.includes('\\')) return 'it holds a backslash; folders are separated by "/"'
  if (path.startsWith('/')) return 'it is absolute; leave out the leading "/"'
  if (/^[A-Za-z]:/.test(path)) return 'it names a drive'
  if (Buffer.byteLength(path) > maxBytes) return 'it is longer than 4,000 bytes'
  for (const name of path.split('/')) {
    const reason = nameObjection(name)
    if (reason !== undefined) return reason
  }
  return undefined
}

/** What a new path may not hold although git would take it: names that other systems cannot check out. */
export function newPathObjection(path: string): string | undefined {
  const reason = pathObjection(path)
  if (reason !== undefined) return reason
  if (/\p{Cc}/u.test(path)) return 'it holds a control character'
  if (path.includes('\uFFFD')) return 'it holds a character that stands for one that was lost'
  if (/[<>:"|?*]/.test(path)) return 'it holds one of < > : " | ? *, which not every system can store'
  return undefined
}

export function isGitName(name: string): boolean {
  const plain = name.replaceAll(ignoredByMac, '').toLowerCase()
  // Windows drops trailing dots and spaces, takes what follows a colon as a stream, and knows .git as git~1.
  return /^(?:\.git|git~\d{1,6})[. ]*$/.test(plain.split(':', 1)[0] ?? '')
}

function nameObjection(name: string): string | undefined {
  if (name === '') return 'it holds an empty folder name'
  if (name === '.' || name === '..') return 'it holds "." or ".."; write it from the top of the repository'
  if (Buffer.byteLength(name) > maxNameBytes) return 'a name in it is longer than 255 bytes'
  if (isGitName(name)) return 'it leads into a git folder'
  if (/[. ]$/.test(name)) return 'a name in it ends with a dot or a space'
  return undefined
}
