import { readdir, readFile, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { trustedFolders, type Remote } from '../remote.ts'

const names =
  /^(?:applypatch-msg|pre-applypatch|post-applypatch|pre-commit|pre-merge-commit|prepare-commit-msg|commit-msg|post-commit|pre-push|pre-receive|update|proc-receive|post-receive|post-update|reference-transaction|push-to-checkout)$/

/** The hooks of a repository's folder that git would run there, and that never run for what this server does. */
export async function findHooks(remote: Remote): Promise<string[]> {
  if (remote.kind === 'url') return []
  const hooks: string[] = []
  for (const folder of await hookFolders(remote)) {
    const entries = await readdir(folder).catch(() => [])
    for (const name of entries.filter((entry) => names.test(entry))) {
      const file = await stat(join(folder, name)).catch(() => undefined)
      if (file?.isFile() === true && (file.mode & 0o111) !== 0) hooks.push(name)
    }
  }
  return [...new Set(hooks)].sort()
}

/** The value of a key of git's configuration, whatever section it stands in. */
function valueOf(config: string, key: string): string | undefined {
  for (const line of config.split('\n')) {
    const equals = line.indexOf('=')
    if (equals === -1 || line.slice(0, equals).trim().toLowerCase() !== key) continue
    return line
      .slice(equals + 1)
      .trim()
      .replaceAll('"', '')
  }
  return undefined
}

async function hookFolders(remote: Remote & { kind: 'folder' }): Promise<string[]> {
  const folders: string[] = []
  for (const gitFolder of await trustedFolders(remote)) {
    // A checkout may have a folder "hooks" that is not git's.
    if (!(await stat(join(gitFolder, 'HEAD')).catch(() => undefined))) continue
    const config = await readFile(join(gitFolder, 'config'), 'utf8').catch(() => '')
    const chosen = valueOf(config, 'hookspath')
    folders.push(chosen === undefined ? join(gitFolder, 'hooks') : resolve(remote.folder, chosen))
  }
  return folders
}
