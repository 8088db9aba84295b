import { parse } from 'smol-toml'
import { stringify } from 'yaml'
import type { ReadFile } from '../../files.ts'
import { fileName, folderOf, joinPath } from '../../text/paths.ts'
import { openYamlFile, type YamlFile } from '../../navigation/yaml-file.ts'

export interface MkdocsConfig {
  /** Of every file, missing ones included. */
  paths: readonly string[]
  files: readonly YamlFile[]
  /** Paths of files that are there and are not valid. */
  broken: readonly string[]
}

const maxInherited = 5
const maxLength = 250_000

/** Zensical's own configuration, whose texts are not those that its tree has the places of. */
export function isToml(path: string): boolean {
  return path.endsWith('.toml')
}

/** The table `project` of `zensical.toml`, which says what `mkdocs.yml` does. */
function openToml(path: string, text: string): YamlFile | undefined {
  if (text.length > maxLength) return undefined
  try {
    return openYamlFile(path, stringify(parse(text)['project'] ?? {}))
  } catch {
    return undefined
  }
}

const anyName = /^mkdocs(?:[-_.]\w{1,50})?\.ya?ml$/
const mostNamed = 20

/**
 * The file that a site is built with: `mkdocs.yml`, or, of others that are given to MkDocs by name, one that no other one inherits
 * from and that says where the site is.
 */
export async function mainConfig(
  read: ReadFile,
  { paths, base, config }: { paths: ReadonlySet<string>; base: string; config: string },
): Promise<string | undefined> {
  const named = [...paths].filter((path) => folderOf(path) === base && anyName.test(fileName(path))).sort()
  const own = named.find((path) => /^mkdocs\.ya?ml$/.test(fileName(path)))
  if (own !== undefined || isToml(config)) return own ?? config
  const opened = await Promise.all(named.slice(0, mostNamed).map((path) => readMkdocsConfig(read, path)))
  const inherited = new Set(opened.flatMap(({ paths: [, ...above] }) => above))
  const says = ({ files }: MkdocsConfig, key: string) =>
    files.some(({ settings }) => settings[key] !== undefined)
  const sites = opened.filter((one) => says(one, 'site_name') && !inherited.has(one.paths[0] ?? ''))
  return (sites.find((one) => says(one, 'site_url')) ?? sites[0])?.paths[0]
}

/** `mkdocs.yml` and what it inherits from, nearest first. */
export async function readMkdocsConfig(read: ReadFile, config: string): Promise<MkdocsConfig> {
  const paths: string[] = []
  const files: YamlFile[] = []
  const broken: string[] = []
  for (let next: string | undefined = config; next !== undefined;) {
    if (paths.length >= maxInherited || paths.includes(next)) break
    paths.push(next)
    const text = await read(next)
    const file: YamlFile | undefined =
      text === undefined ? undefined : isToml(next) ? openToml(next, text) : openYamlFile(next, text)
    if (file !== undefined) files.push(file)
    else if (text !== undefined) broken.push(next)
    const parent: unknown = file?.settings['INHERIT']
    next = typeof parent === 'string' ? joinPath(folderOf(next), parent) : undefined
  }
  return { paths, files, broken }
}
