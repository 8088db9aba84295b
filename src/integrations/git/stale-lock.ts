import { rm, stat } from 'node:fs/promises'
import { dirname, resolve, sep } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Git } from './git.ts'

// git holds these for moments, so one that stays for ten seconds belongs to a process that was killed.
const patience = 10_000

/**
 * Whether a failure came from a lock file that a killed git left behind in the data folder; it is then removed, and the
 * command can be tried again. A person's own repository is never cleaned up.
 */
export async function removeStaleLock(
  git: Git,
  stderr: string,
  folders: readonly (string | undefined)[],
): Promise<boolean> {
  const named = /Unable to create '([^'\n]{1,4096}\.lock)': File exists/.exec(stderr)?.[1]
  if (named === undefined) return false
  // A receiving git names it relative to its own folder.
  for (const folder of folders) {
    const path = resolve(folder ?? '/', named)
    if (!path.startsWith(dirname(git.folder) + sep)) continue
    const made = await stat(path).catch(() => undefined)
    if (made === undefined) continue
    const age = Date.now() - made.mtimeMs
    if (age < patience) await delay(patience - age)
    const now = await stat(path).catch(() => undefined)
    // Gone, or another's by now: either way a second try is worth it.
    if (now?.ino === made.ino && now.mtimeMs === made.mtimeMs) await rm(path, { force: true })
    return true
  }
  return false
}
