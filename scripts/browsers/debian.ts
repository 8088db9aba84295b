import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'

/** Unpacks Debian packages, and what they need that the machine does not have, into `folder/root`. Nothing is installed. */
export function unpackPackages(folder: string, names: string[], proof: string): string {
  const root = join(folder, 'root')
  if (existsSync(join(root, proof))) return root
  const archives = join(folder, 'archives')
  mkdirSync(join(archives, 'partial'), { recursive: true })
  mkdirSync(join(root, 'usr/lib'), { recursive: true })
  // As on the machine, so that packages of either layout come to lie below usr.
  if (!existsSync(join(root, 'lib'))) symlinkSync('usr/lib', join(root, 'lib'))
  const apt = ['install', '--yes', '--no-install-recommends', '--download-only']
  execFileSync('apt-get', [...apt, '-o', `Dir::Cache::archives=${archives}`, ...names])
  for (const name of readdirSync(archives).filter((file) => file.endsWith('.deb')))
    execFileSync('dpkg', ['--extract', join(archives, name), root])
  return root
}

export function onPath(name: string): string | undefined {
  try {
    return execFileSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).trim()
  } catch {
    return undefined
  }
}
