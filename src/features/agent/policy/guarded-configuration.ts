import { decodeExact } from '../../../site/text/text-file.ts'
import { openYaml } from '../../../site/text/yaml-source.ts'
import { parseYaml } from '../../../lib/text/yaml.ts'
import { isRecord } from '../../../lib/is-record.ts'
import { readText } from '../../../site/text/encoding.ts'
import { resolvePath } from '../../../site/text/paths.ts'
import type { BaseSite } from './base-site.ts'
import type { Violation } from './violation.ts'
import type { FileDifference } from '../workspace/workspace.ts'
import { readJson } from './parts/read-data.ts'

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
const guardedJson = ['integrations', 'analytics', 'fonts', 'head', 'scripts', 'css', 'js', 'proxy', 'api']

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
  renamed: (text: string) => string = (text) => text,
): string | undefined {
  const [old, now] = [textOf(before), textOf(after)]
  const objection = yamlObjection(old, now)
  return objection === undefined || old === undefined ? objection : yamlObjection(renamed(old), now)
}

function yamlObjection(old: string | undefined, now: string | undefined): string | undefined {
  if (now === undefined) return 'It would not be UTF-8'
  if (old === now) return undefined
  if (openYaml(now) === undefined) return 'It would not be valid YAML'
  const [was, is] = [valuesOf(old ?? ''), valuesOf(now)]
  if (is === undefined) return 'It would not be YAML that can be read'
  for (const key of guarded)
    if (valueOf(was, key) !== valueOf(is, key))
      return `It would change the setting ${key}, which can load or run code`
  for (const key of guardedExtra) {
    if (valueOf(was?.['extra'], key) !== valueOf(is['extra'], key))
      return `It would change the setting extra.${key}, which decides what every page loads`
  }
  const [known, tags] = [tagsOf(old ?? ''), tagsOf(now)]
  const at = tags.findIndex((tag, index) => tag !== known[index])
  return at === -1 ? undefined : `It would add or move the YAML tag ${(tags[at] ?? '').slice(0, 100)}`
}

/** As the site gets them, with everything that refers to something else in its place. */
function valuesOf(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = parseYaml(text, { lenient: true, merge: true })
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

/** In order: which value has which is not in the values. */
function tagsOf(text: string): string[] {
  return [...text.matchAll(/(?:^|[\s,[{])(![^\s,\]}]*)/g)].map(([, tag = '']) => tag)
}

const maxFiles = 100
const maxDepth = 20

/** What the guarded settings of `docs.json` come to be by the files that it takes in. */
export async function mintlifyViolations(
  changes: readonly FileDifference[],
  { configPaths = [], read, begin }: BaseSite,
): Promise<Violation[]> {
  const config = configPaths.find((path) => /(?:^|\/)(?:docs|mint)\.json$/.test(path))
  if (config === undefined || !changes.some(({ path }) => path.endsWith('.json'))) return []
  const after = new Map(changes.map((change) => [change.path, change.after]))
  const named = (readFile: Read) => async (path: string) => {
    const content = await readFile(path)
    return content === undefined || begin?.(path, content) === false ? undefined : content
  }
  const readNow = async (path: string) => (after.has(path) ? after.get(path) : read(path))
  const [old, now] = [await expand(config, named(read)), await expand(config, named(readNow))]
  return guardedJson
    .filter((key) => JSON.stringify(old[key]) !== JSON.stringify(now[key]))
    .map((key) => ({
      code: 'protected',
      path:
        changes.find(({ path }) => path === config)?.path ??
        changes.find(({ path }) => path.endsWith('.json'))?.path ??
        config,
      message: `It would change the setting ${key} of ${config}, which decides what every page loads`,
    }))
}

type Read = (path: string) => Promise<Uint8Array | undefined>

async function expand(config: string, read: Read): Promise<Record<string, unknown>> {
  let files = 0
  const open = async (path: string, depth: number): Promise<unknown> => {
    if (++files > maxFiles) return { tooMany: files }
    const content = await read(path)
    const text = readText(content)
    const value: unknown = readJson(text)
    return visit(value, path, depth)
  }
  const visit = async (value: unknown, path: string, depth: number): Promise<unknown> => {
    if (depth > maxDepth) return value
    if (Array.isArray(value)) return Promise.all(value.map((one) => visit(one, path, depth + 1)))
    if (!isRecord(value)) return value
    const reference = value['$ref']
    const target =
      typeof reference === 'string' && !/^[a-z]+:|^#/i.test(reference)
        ? resolvePath(path.slice(0, Math.max(0, path.lastIndexOf('/'))), reference.replace(/#.*/s, ''))
        : undefined
    const taken = target === undefined || target === path ? undefined : await open(target, depth + 1)
    const own: Record<string, unknown> = {}
    for (const [key, one] of Object.entries(value)) own[key] = await visit(one, path, depth + 1)
    return isRecord(taken) ? { ...taken, ...own } : (taken ?? own)
  }
  const value = await open(config, 0)
  return isRecord(value) ? value : {}
}
