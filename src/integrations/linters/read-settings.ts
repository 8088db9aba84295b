import { isRecord } from '../../lib/is-record.ts'
import { parse as parseJson, type ParseError } from 'jsonc-parser'
import { parse as parseYaml } from 'yaml'
import { isHostileYaml } from '../../lib/hostile-yaml.ts'

/** Characters: more than anybody writes, and read in an instant. */
const longest = 100_000

/** The keys and values of a configuration in JSON, with comments or without, or YAML; undefined for anything else. */
export function readSettings(text: string, name: string): Record<string, unknown> | undefined {
  if (text.length > longest) return undefined
  try {
    const value = /\.ya?ml$/.test(name) ? fromYaml(text) : fromJson(text)
    return isRecord(value) ? value : undefined
  } catch {
    return undefined
  }
}

function fromJson(text: string): unknown {
  const errors: ParseError[] = []
  const value = parseJson(text, errors, { allowTrailingComma: true }) as unknown
  return errors.length > 0 ? undefined : value
}

function fromYaml(text: string): unknown {
  return isHostileYaml(text) ? undefined : parseYaml(text, { maxAliasCount: 50, logLevel: 'silent' })
}
