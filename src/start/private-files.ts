import { chmod, lstat, readdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { AppError } from '../lib/errors.ts'
import { dataPaths } from './data-folder.ts'

interface OpenFile {
  path: string
  mode: number
  /** Owned by another user, so its modes are left alone. */
  isForeign: boolean
}

const others = 0o077

/**
 * Removes the permissions of other users from the server's files: older versions, and copies, left them open. Files
 * of other users are left alone.
 * @returns how many were closed, without an empty data folder, which told nobody anything
 */
export async function closeFiles(folder: string): Promise<number> {
  const isEmpty = (await readdir(folder).catch(() => [])).length === 0
  let closed = 0
  for (const { path, mode, isForeign } of await findOpen(folder, true)) {
    if (isForeign) continue
    // Other processes on the same folder may delete files meanwhile.
    const done = await chmod(path, mode & ~others).then(
      () => true,
      () => false,
    )
    if (done && !isEmpty) closed += 1
  }
  return closed
}

/** For `doctor`. @throws AppError that says what is open and how to close it */
export async function checkFiles(folder: string): Promise<string> {
  if (process.platform === 'win32') return 'not looked at on Windows: give the data folder to one user alone'
  const open = await findOpen(folder, false)
  if (open.length === 0) return 'data folder permissions are correct (owner only)'
  const examples = open.slice(0, 5).map(({ path, mode, isForeign }) => {
    const name = path === folder ? '(itself)' : basename(path)
    return `${name} (${(mode & 0o777).toString(8)}${isForeign ? ', of another user' : ''})`
  })
  const more = open.length > examples.length ? ` and ${open.length - examples.length} more` : ''
  const owner = open.some(({ isForeign }) => isForeign)
    ? ', after giving all of it to the user that the server runs as'
    : ''
  throw new AppError(
    'conflict',
    `Other users of this machine may get at files in ${folder}: ${examples.join(', ')}${more}; close them with "chmod -R go= ${folder}"${owner}`,
  )
}

/**
 * @param deep includes everything below an open folder. The folder itself comes last, so that an interrupted repair
 * finds it again
 */
async function findOpen(folder: string, deep: boolean): Promise<OpenFile[]> {
  if (process.platform === 'win32') return []
  const present = await readdir(folder).catch(() => [])
  const ours = present.filter(isOurs)
  const open: OpenFile[] = []
  for (const path of ours.map((name) => join(folder, name))) {
    const [entry] = await collect(path, false)
    // No other user can enter a closed folder, so what is below it is not looked at at every start.
    if (entry) open.push(...(deep ? await collect(path, true) : [entry]))
  }
  // A folder that holds other files too, such as a home, or that belongs to another user, is left alone.
  if (ours.length === present.length)
    open.push(...(await collect(folder, false)).filter(({ isForeign }) => !isForeign))
  return open
}

async function collect(path: string, deep: boolean): Promise<OpenFile[]> {
  const entry = await lstat(path).catch(() => undefined)
  if (!entry || entry.isSymbolicLink()) return []
  const inside: OpenFile[] = []
  const names = deep && entry.isDirectory() ? await readdir(path).catch(() => []) : []
  for (const name of names) inside.push(...(await collect(join(path, name), true)))
  const isForeign = entry.uid !== process.getuid?.()
  return (entry.mode & others) === 0 ? inside : [...inside, { path, mode: entry.mode, isForeign }]
}

// Includes drafts of files that a killed process left.
function isOurs(name: string): boolean {
  return Object.values(dataPaths('/')).some(
    (path) => name === basename(path) || name.startsWith(`${basename(path)}.`),
  )
}
