import type { ReadFile } from '../../files.ts'
import { isRecord } from '../../../lib/is-record.ts'
import { fileName, folderOf } from '../../text/paths.ts'
import { readSettings, type Settings } from '../settings.ts'

/**
 * The configuration of a site, which may be a folder: beside `hugo.toml`, a file holds the key that it is named after,
 * and `menus.fr.toml` that of a language.
 */
export async function readHugoSettings(
  read: ReadFile,
  config: string,
  paths: ReadonlySet<string>,
): Promise<{ settings: Settings; configPaths: string[] }> {
  const main = await readSettings(read, config)
  const folder = folderOf(config)
  if (!/(?:^|\/)_default\/$/.test(folder)) return { settings: main, configPaths: [config] }
  const configPaths = [config]
  const settings: Record<string, unknown> = { ...main }
  const languages: Record<string, unknown> = {}
  for (const path of [...paths].filter((one) => one !== config && folderOf(one) === folder).sort()) {
    const [, key = '', language] =
      /^(\w+)(?:\.([A-Za-z-]{2,10}))?\.(?:toml|ya?ml|json)$/.exec(fileName(path)) ?? []
    if (key === '') continue
    configPaths.push(path)
    const own = await readSettings(read, path)
    if (language === undefined) settings[key] = own
    else languages[language] = { ...recordAt(languages, language), [key]: own }
  }
  const named = recordAt(settings, 'languages')
  for (const [language, own] of Object.entries(languages))
    named[language] = { ...recordAt(named, language), ...(isRecord(own) ? own : {}) }
  return {
    settings: Object.keys(named).length === 0 ? settings : { ...settings, languages: named },
    configPaths,
  }
}

function recordAt(holder: Settings, key: string): Record<string, unknown> {
  const value = holder[key]
  return isRecord(value) ? { ...value } : {}
}
