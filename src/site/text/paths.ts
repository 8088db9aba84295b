/** A folder's path with a slash at its end; `''` for the top. */
export function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1)
}

/** Resolves `.` and `..` from a folder; undefined when it leaves the repository. */
export function resolvePath(folder: string, relative: string): string | undefined {
  const parts = folder.split('/').filter((part) => part !== '')
  for (const part of relative.split('/')) {
    if (part === '' || part === '.') continue
    if (part !== '..') parts.push(part)
    else if (parts.pop() === undefined) return undefined
  }
  return parts.join('/')
}

/** From a folder to a path: `./x` or `../y/x`. */
export function relativePath(folder: string, to: string): string {
  const from = folder.split('/').filter((part) => part !== '')
  const parts = to.split('/')
  let shared = 0
  while (shared < from.length && shared < parts.length - 1 && from[shared] === parts[shared]) shared++
  const down = parts.slice(shared).join('/')
  return from.length === shared ? `./${down}` : `${'../'.repeat(from.length - shared)}${down}`
}
