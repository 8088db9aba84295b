import { decodeExact } from '../../../site/text/text-file.ts'
import { endOf, openYaml, pairOf, startOf } from '../../../site/text/yaml-source.ts'
import { isMap, isSeq, parse } from 'yaml'
import { isRecord } from '../../../lib/is-record.ts'
import { readJson } from './read-json.ts'

// Settings of MkDocs that load or run something; `redirect_maps` inside of the plugins is data.
const guarded = [
  'INHERIT',
  'hooks',
  'plugins',
  'markdown_extensions',
  'extra_javascript',
  'extra_css',
  'extra_templates',
  'theme',
  'docs_dir',
  'site_dir',
  'watch',
  'google_analytics',
  'site_url',
  'repo_url',
  'edit_uri',
  'edit_uri_template',
  'remote_branch',
  'remote_name',
  'dev_addr',
]
/** Of what themes are told beside: what they load, and where they lead. */
const guardedExtra = ['analytics', 'consent', 'homepage', 'scripts', 'css', 'javascript']

// Settings of a Mintlify site that load something of others into every page, or show its readers another site.
export const guardedJson = [
  'integrations',
  'analytics',
  'fonts',
  'head',
  'scripts',
  'css',
  'js',
  'proxy',
  'api',
]

/** Why a changed JSON configuration may not be published: it would load something that the base does not. */
export function jsonObjection(before: Uint8Array | undefined, after: Uint8Array): string | undefined {
  const now = textOf(after)
  if (now === undefined) return 'It would not be UTF-8'
  const [old, changed] = [textOf(before) ?? '', now].map(readJson)
  for (const key of guardedJson) {
    const [was, is] = [old, changed].map((data) => JSON.stringify(isRecord(data) ? data[key] : undefined))
    if (was !== is) return `It would change the setting ${key}, which decides what every page loads`
  }
  return undefined
}

/** Why a changed YAML configuration may not be published: it would load or run something that the base does not. */
export function configurationObjection(
  before: Uint8Array | undefined,
  after: Uint8Array,
): string | undefined {
  const [old, now] = [textOf(before), textOf(after)]
  if (now === undefined) return 'It would not be UTF-8'
  if (old === now) return undefined
  const document = openYaml(now)
  if (document === undefined) return 'It would not be valid YAML'
  const base = openYaml(old ?? '')
  const [was, is] = [valuesOf(old ?? ''), valuesOf(now)]
  if (is === undefined) return 'It would not be YAML that can be read'
  for (const key of guarded) {
    const isSame =
      settingOf(now, document.contents, key) === settingOf(old ?? '', base?.contents, key) &&
      valueOf(was, key) === valueOf(is, key)
    if (!isSame) return `It would change the setting ${key}, which can load or run code`
  }
  for (const key of guardedExtra) {
    if (valueOf(was?.['extra'], key) !== valueOf(is['extra'], key))
      return `It would change the setting extra.${key}, which decides what every page loads`
  }
  const known = tagsOf(old ?? '')
  const added = [...tagsOf(now)].find(([tag, count]) => count > (known.get(tag) ?? 0))
  return added === undefined ? undefined : `It would add the YAML tag ${added[0].slice(0, 100)}`
}

/** As the site gets them, with everything that refers to something else in its place. */
function valuesOf(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = parse(text, {
      logLevel: 'silent',
      maxAliasCount: 100,
      uniqueKeys: false,
      merge: true,
    })
    return isRecord(value) ? value : {}
  } catch {
    return undefined
  }
}

/** One of them, but for the redirects in it. */
function valueOf(values: unknown, key: string): string {
  const value = isRecord(values) && Object.hasOwn(values, key) ? values[key] : undefined
  if (key !== 'plugins') return JSON.stringify(value) ?? ''
  const plugins: unknown[] = Array.isArray(value) ? value : [value]
  return JSON.stringify(plugins.map(withoutRedirects)) ?? ''
}

function withoutRedirects(plugin: unknown): unknown {
  if (plugin === 'redirects') return { redirects: {} }
  if (!isRecord(plugin) || !('redirects' in plugin)) return plugin
  const options = isRecord(plugin['redirects']) ? plugin['redirects'] : {}
  const { redirect_maps: _, ...others } = options
  return { ...plugin, redirects: others }
}

function textOf(bytes: Uint8Array | undefined): string | undefined {
  return bytes === undefined ? '' : decodeExact(bytes)
}

/** A setting as it is written, but for the redirects in it. */
function settingOf(text: string, contents: unknown, key: string): string {
  const pairs = isMap(contents) ? contents.items.filter((pair) => String(pair.key) === key) : []
  return pairs
    .map((pair) => {
      const whole = text.slice(startOf(pair), endOf(pair))
      if (key !== 'plugins') return whole
      const maps = redirectMaps(pair.value)
      const plain =
        maps === undefined ? whole : text.slice(startOf(pair), maps.start) + text.slice(maps.end, endOf(pair))
      // Beginning the list of redirects makes a map out of a plugin's name.
      return plain
        .replace(/(\bredirects['"]?):?(?=\s|$)/, '$1')
        .replaceAll(/\s+/g, ' ')
        .trim()
    })
    .join('\n')
}

function redirectMaps(plugins: unknown): { start: number; end: number } | undefined {
  const items: unknown[] = isSeq(plugins) ? plugins.items : [plugins]
  const plugin = items.map((item) => pairOf(item, 'redirects')).find((pair) => pair !== undefined)
  const maps = pairOf(plugin?.value, 'redirect_maps')
  return maps === undefined ? undefined : { start: startOf(maps), end: endOf(maps) }
}

function tagsOf(text: string): Map<string, number> {
  const tags = new Map<string, number>()
  for (const [, tag = ''] of text.matchAll(/(?:^|[\s,[{])(![^\s,\]}]*)/g))
    tags.set(tag, (tags.get(tag) ?? 0) + 1)
  return tags
}
