import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { access, chmod, constants, link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { AppError } from '../lib/errors.ts'
import { randomText } from '../lib/ids.ts'

/** The paths below the data folder. */
export function dataPaths(folder: string) {
  return {
    store: join(folder, 'store'),
    index: join(folder, 'index'),
    mirrors: join(folder, 'mirrors'),
    git: join(folder, 'git'),
    repositories: join(folder, 'repositories'),
    operatorToken: join(folder, 'operator-token'),
    secretKey: join(folder, 'secret-key'),
    server: join(folder, 'server.json'),
    stopped: join(folder, 'stopped-by-watchdog'),
    publicUrl: join(folder, 'public-url'),
  }
}

/** Creates the folder. @throws AppError in one line when it cannot be used */
export async function checkDataFolder(folder: string): Promise<void> {
  try {
    await makeFolder(folder)
    await access(folder, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (cause) {
    throw new AppError(
      'unavailable',
      `Can’t write to the data folder ${folder}. Fix its permissions, or choose another with --data or DOCWRIGHT_DATA`,
      { cause },
    )
  }
}

// Folders are created level by level: where that is impossible, as in /proc, the recursive form of Node 24 never
// ends.
async function makeFolder(folder: string): Promise<void> {
  if (existsSync(folder)) return
  const parent = dirname(folder)
  if (parent !== folder) await makeFolder(parent)
  await mkdir(folder, { mode: 0o700 }).catch((error: unknown) => {
    // Another process may have created it meanwhile.
    if (!existsSync(folder)) throw error
  })
}

/** The token of the commands on this machine: made once, shared by every process on this data folder. */
export async function operatorToken(folder: string): Promise<string> {
  return keptText(dataPaths(folder).operatorToken, () => `operator_${randomText(32)}`)
}

/** The 32 bytes that encrypt secrets at rest, unless the environment gives them: made once, like the token. */
export async function secretKey(folder: string): Promise<Uint8Array> {
  const path = dataPaths(folder).secretKey
  const text = await keptText(path, () => randomBytes(32).toString('hex'))
  if (/^[\da-f]{64}$/i.test(text)) return Uint8Array.from(Buffer.from(text, 'hex'))
  throw new AppError(
    'unavailable',
    `${path} must contain 64 hexadecimal digits. Restore the original file, or delete it and recreate your webhooks and credentials`,
  )
}

async function keptText(path: string, make: () => string): Promise<string> {
  // The complete file is linked into place, so that neither a process that starts meanwhile nor one that dies here
  // leaves half of it.
  const draft = `${path}.${randomText(8)}.tmp`
  await writeFile(draft, make(), { mode: 0o600 })
  try {
    await link(draft, path)
  } catch (error) {
    // Some file systems have no links. There the last of two processes that start at once wins.
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) await rename(draft, path)
    // The file exists already, but a copied folder may have lost its modes.
    await chmod(path, 0o600)
  } finally {
    await rm(draft, { force: true })
  }
  return (await readFile(path, 'utf8')).trim()
}
