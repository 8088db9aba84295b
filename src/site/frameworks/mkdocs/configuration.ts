import { parse } from 'smol-toml'
import { stringify } from 'yaml'
import type { ReadFile } from '../../files.ts'
import { folderOf, joinPath } from '../../text/paths.ts'
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
