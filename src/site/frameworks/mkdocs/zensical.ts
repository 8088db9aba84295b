import type { ReadFile } from '../../files.ts'
import { isToml } from './configuration.ts'
import type { Found } from '../../site.ts'

const files = ['requirements.txt', 'docs/requirements.txt', 'requirements-docs.txt', 'pyproject.toml']

/** Packages among the requirements. */
const mkdocs = /^[ \t]{0,40}["']?mkdocs(?![\w-])/m
const zensical = /^[ \t]{0,40}["']?zensical(?![\w-])/m

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
    if (mkdocs.test(text)) return false
    isNamed ||= zensical.test(text)
  }
  return isNamed
}
