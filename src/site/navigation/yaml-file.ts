import type { Document } from 'yaml'
import { isRecord } from '../../lib/is-record.ts'
import { valueOfYaml } from '../../lib/text/yaml.ts'
import { openYaml } from '../text/yaml-source.ts'
import type { SourceFile } from './navigation-tree.ts'

/** A YAML file with its settings and its syntax tree. */
export interface YamlFile extends SourceFile {
  document: Document.Parsed
  settings: Readonly<Record<string, unknown>>
}

const maxLength = 1_000_000

/** Tags such as `!ENV` and `!!python/name:…` are ignored: their values are read as plain ones. */
export function openYamlFile(path: string, text: string): YamlFile | undefined {
  const document = openYaml(text, maxLength)
  if (document === undefined) return undefined
  try {
    const value = valueOfYaml(document)
    return { path, text, document, settings: isRecord(value) ? value : {} }
  } catch {
    return { path, text, document, settings: {} }
  }
}
