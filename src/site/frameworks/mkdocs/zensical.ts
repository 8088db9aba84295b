import type { ReadFile } from '../../files.ts'
import { isToml } from './configuration.ts'
import type { Found } from '../../site.ts'

const files = ['requirements.txt', 'docs/requirements.txt', 'requirements-docs.txt', 'pyproject.toml']

/** Whether Zensical builds the site: it has its own configuration, or the project installs it and not MkDocs. */
export async function isZensical(
  read: ReadFile,
  { paths, base, config }: Pick<Found, 'paths' | 'base' | 'config'>,
): Promise<boolean> {
  if (isToml(config)) return true
  const places = new Set([base, ''].flatMap((folder) => files.map((name) => `${folder}${name}`)))
  let isNamed = false
  for (const path of places) {
    const text = paths.has(path) ? ((await read(path)) ?? '') : ''
    if (names(text, 'mkdocs')) return false
    isNamed ||= names(text, 'zensical')
  }
  return isNamed
}

/** Whether a package of this name is among the requirements. */
function names(text: string, name: string): boolean {
  return new RegExp(String.raw`^\s{0,40}["']?${name}(?![\w-])`, 'm').test(text)
}
