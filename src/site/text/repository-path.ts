const maxBytes = 4000
const maxNameBytes = 255
// Code points that macOS leaves out when it compares names.
const ignoredByMac = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g

// Joiners that some scripts and emoji need, and the tag letters of a flag after its black one.
const joiners = /\u200c|\u200d|\u{1f3f4}[\u{e0020}-\u{e007f}]{1,20}/gu
const joinerInLatin = /[ -~][\u200c\u200d]|[\u200c\u200d][ -~]/
const unseen = /[\p{Cf}\p{Zl}\p{Zp}\u115f\u1160\u3164\uffa0]/u

/**
 * Why a path cannot name a file of a repository, or undefined when it can. Stricter than git: it refuses what any
 * system would read as another file, as a parent folder, or as a file of git itself.
 */
export function pathObjection(path: string): string | undefined {
  if (path === '') return 'it is empty'
  if (!path.isWellFormed()) return 'it is not valid Unicode'
  if (path.includes('\0')) return 'it contains a NUL'
  if (path.includes('\\')) return 'it contains a backslash; folders are separated by "/"'
  if (path.startsWith('/')) return 'it is absolute; leave out the leading "/"'
  if (/^[A-Za-z]:/.test(path)) return 'it names a drive'
  if (Buffer.byteLength(path) > maxBytes) return 'it is longer than 4,000 bytes'
  for (const name of path.split('/')) {
    const reason = nameObjection(name)
    if (reason !== undefined) return reason
  }
  return undefined
}

/** Why a new path is refused although git would accept it: other systems could not check it out. */
export function newPathObjection(path: string): string | undefined {
  const reason = pathObjection(path)
  if (reason !== undefined) return reason
  if (/\p{Cc}/u.test(path)) return 'it contains a control character'
  if (unseen.test(path.replaceAll(joiners, '')))
    return 'it contains a character that cannot be seen or turns its direction around'
  if (joinerInLatin.test(path)) return 'it contains a character that cannot be seen between Latin letters'
  if (path.includes('\uFFFD')) return 'it contains a replacement character for one that was lost'
  if (/[<>:"|?*]/.test(path)) return 'it holds one of < > : " | ? *, which not every system can store'
  // CI pipelines put the names of changed files into command lines.
  if (/[`$;&]/.test(path)) return 'it holds one of ` $ ; &, which command lines take for more than a name'
  if (/%(?:[01][\da-f]|2[ef]|5c|7f)/i.test(path))
    return 'it contains an encoded dot, slash or control character'
  const plain = path.normalize('NFKC').replaceAll(/[\u2215\u29f8\u29f5]/g, '/')
  if (plain.split('/').length !== path.split('/').length || plain.includes('\\'))
    return 'it holds characters that some systems read as slashes'
  for (const name of path.split('/')) {
    if (readsAsAnother(name)) return 'it holds characters that some systems read as others'
    if (/^[^.]{1,6}~\d{1,6}(?:\.[^.]{0,3})?$/.test(name))
      return 'a name in it is of the kind that Windows gives to other files'
    if (/^(?:~|\[.*\])/.test(name)) return 'a name in it starts like a home folder or matches many paths'
    if (/^(?:con|prn|aux|nul|conin\$|conout\$|com[\d¹²³]|lpt[\d¹²³])(?:\.|$)/i.test(name))
      return 'a name in it is one of a device on Windows'
    if (name.startsWith('-')) return 'a name in it begins with a hyphen, which programs take for an option'
  }
  return undefined
}

/** Folds a path like file systems that ignore case and Unicode normalisation. */
export function foldedPath(path: string): string {
  return path.normalize('NFC').toUpperCase().toLowerCase().normalize('NFC')
}

// Whether a name has wide, joined or historic forms of plain letters, which some systems replace by the plain ones.
function readsAsAnother(name: string): boolean {
  const plain = name.normalize('NFKC')
  if (plain === name) return false
  return nameObjection(plain) !== undefined || (/^[ -~]+$/.test(plain) && !/[ºª²³¹]/.test(name))
}

export function isGitName(name: string): boolean {
  const plain = name.replaceAll(ignoredByMac, '').toLowerCase()
  // Windows drops trailing dots and spaces, takes what follows a colon as a stream, and knows .git as git~1.
  return /^(?:\.git|git~\d{1,6})[. ]*$/.test(plain.split(':', 1)[0] ?? '')
}

function nameObjection(name: string): string | undefined {
  if (name === '') return 'it contains an empty folder name'
  if (name === '.' || name === '..') return 'it holds "." or ".."; write it from the top of the repository'
  if (Buffer.byteLength(name) > maxNameBytes) return 'a name in it is longer than 255 bytes'
  if (isGitName(name)) return 'it leads into a git folder'
  if (/[. ]$/.test(name)) return 'a name in it ends with a dot or a space'
  return undefined
}
