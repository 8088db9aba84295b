/** A folder's path with a slash at its end; `''` for the top. */
export function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1)
}

/** What to take away from a path, or an address, for the names in it alone. */
export const outerSlashes = /^\/+|(?<!\/)\/+$/g
/** The same with `./` at the beginning. */
export const pathEnds = /^(?:\.?\/)+|(?<!\/)\/+$/g

/** What stands behind a path's last slash. */
export function fileName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

/** Resolves `.` and `..` from a folder, without a slash at the end; undefined when it leaves the repository. */
export function resolvePath(folder: string, relative: string): string | undefined {
  const parts = folder.split('/').filter((part) => part !== '')
  for (const part of relative.split('/')) {
    if (part === '' || part === '.') continue
    if (part !== '..') parts.push(part)
    else if (parts.pop() === undefined) return undefined
  }
  return parts.join('/')
}

/** As `resolvePath`, with the slash that `relative` has at its end. */
export function joinPath(folder: string, relative: string): string | undefined {
  const path = resolvePath(folder, relative)
  return path !== undefined && path !== '' && relative.endsWith('/') ? `${path}/` : path
}

/** From a folder to a path: `../y/x`, or `./x`, where `./` can be left out. */
export function relativePath(folder: string, to: string, dotted = true): string {
  const from = folder.split('/').filter((part) => part !== '')
  const parts = to.split('/')
  let shared = 0
  while (shared < from.length && shared < parts.length - 1 && from[shared] === parts[shared]) shared++
  const up = '../'.repeat(from.length - shared)
  const down = parts.slice(shared).join('/')
  return up === '' && (dotted || down === '') ? `./${down}` : `${up}${down}`
}
