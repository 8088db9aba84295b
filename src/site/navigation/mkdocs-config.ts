import type { ReadFile } from '../files.ts'
import type { Document } from 'yaml'
import { isRecord } from '../../lib/is-record.ts'
import { folderOf, joinPath } from '../text/paths.ts'
import { openYaml } from '../text/yaml-source.ts'
import type { SourceFile } from './navigation-tree.ts'

/** A YAML file with its settings and its syntax tree. */
export interface YamlFile extends SourceFile {
  document: Document.Parsed
  settings: Readonly<Record<string, unknown>>
}

export interface MkdocsConfig {
  /** Of every file, missing ones included. */
  paths: readonly string[]
  files: readonly YamlFile[]
  /** Paths of files that are there and are not valid. */
  broken: readonly string[]
}

const maxLength = 1_000_000
const maxInherited = 5

/** `mkdocs.yml` and what it inherits from, nearest first. */
export async function readMkdocsConfig(read: ReadFile, config: string): Promise<MkdocsConfig> {
  const paths: string[] = []
  const files: YamlFile[] = []
  const broken: string[] = []
  for (let next: string | undefined = config; next !== undefined;) {
    if (paths.length >= maxInherited || paths.includes(next)) break
    paths.push(next)
    const text = await read(next)
    const file: YamlFile | undefined = text === undefined ? undefined : openYamlFile(next, text)
    if (file !== undefined) files.push(file)
    else if (text !== undefined) broken.push(next)
    const parent: unknown = file?.settings['INHERIT']
    next = typeof parent === 'string' ? joinPath(folderOf(next), parent) : undefined
  }
  return { paths, files, broken }
}

/** Tags such as `!ENV` and `!!python/name:…` are ignored: their values are read as plain ones. */
export function openYamlFile(path: string, text: string): YamlFile | undefined {
  const document = openYaml(text, maxLength)
  if (document === undefined) return undefined
  try {
    const value: unknown = document.toJS({ maxAliasCount: 100 })
    return { path, text, document, settings: isRecord(value) ? value : {} }
  } catch {
    return { path, text, document, settings: {} }
  }
}
