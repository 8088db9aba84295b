import { chmod, lstat, readdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { AppError } from '../lib/errors.ts'
import { dataPaths } from './data-folder.ts'

interface OpenFile {
  path: string
  mode: number
  /** Of another user: not ours to close. */
  isForeign: boolean
}

const others = 0o077

/**
 * Takes away what other users of this machine may do with our files: older versions, and copies, left them open. What
 * belongs to somebody else stays as it is.
 * @returns how many were closed
 */
export async function closeFiles(folder: string): Promise<number> {
  let closed = 0
  for (const { path, mode, isForeign } of await findOpen(folder, true)) {
    if (isForeign) continue
    // Files of another process on the same folder come and go.
    const done = await chmod(path, mode & ~others).then(
      () => true,
      () => false,
    )
    if (done) closed += 1
  }
  return closed
}

/** For `doctor`. @throws AppError that says what is open and how to close it */
export async function checkFiles(folder: string): Promise<string> {
  if (process.platform === 'win32') return 'not looked at on Windows: give the data folder to one user alone'
  const open = await findOpen(folder, false)
  if (open.length === 0) return 'the data folder is for its owner alone'
  const shown = open.slice(0, 5).map(({ path, mode, isForeign }) => {
    const name = path === folder ? '(itself)' : basename(path)
    return `${name} (${(mode & 0o777).toString(8)}${isForeign ? ', of another user' : ''})`
  })
  const more = open.length > shown.length ? ` and ${open.length - shown.length} more` : ''
  const owner = open.some(({ isForeign }) => isForeign)
    ? ', after giving all of it to the user that the server runs as'
    : ''
  throw new AppError(
    'conflict',
    `Other users of this machine may get at files in ${folder}: ${shown.join(', ')}${more}; close them with "chmod -R go= ${folder}"${owner}`,
  )
}

/** @param deep with all that lies below an open folder, which itself comes last: who is interrupted finds it again */
async function findOpen(folder: string, deep: boolean): Promise<OpenFile[]> {
  if (process.platform === 'win32') return []
  const present = await readdir(folder).catch(() => [])
  const ours = present.filter(isOurs)
  const open: OpenFile[] = []
  for (const path of ours.map((name) => join(folder, name))) {
    const [entry] = await collect(path, false)
    // Nobody gets past a closed folder: what is behind it need not be looked at, at every start.
    if (entry) open.push(...(deep ? await collect(path, true) : [entry]))
  }
  // A folder that holds more than ours, such as a home, or that is somebody else's, is not ours to close.
  if (ours.length === present.length)
    open.push(...(await collect(folder, false)).filter(({ isForeign }) => !isForeign))
  return open
}

async function collect(path: string, deep: boolean): Promise<OpenFile[]> {
  const found = await lstat(path).catch(() => undefined)
  if (!found || found.isSymbolicLink()) return []
  const inside: OpenFile[] = []
  const names = deep && found.isDirectory() ? await readdir(path).catch(() => []) : []
  for (const name of names) inside.push(...(await collect(join(path, name), true)))
  const isForeign = found.uid !== process.getuid?.()
  return (found.mode & others) === 0 ? inside : [...inside, { path, mode: found.mode, isForeign }]
}

// With the drafts of files that a killed process left.
function isOurs(name: string): boolean {
  return Object.values(dataPaths('/')).some(
    (path) => name === basename(path) || name.startsWith(`${basename(path)}.`),
  )
}
