import { parse as parseToml } from 'smol-toml'
import { isRecord } from '../../lib/is-record.ts'
import type { ReadFile } from '../files.ts'
import { openYamlFile } from '../navigation/yaml-file.ts'
import type { NavigationPlace, TreePage } from '../navigation/navigation-tree.ts'
import type { LinkRules } from '../site.ts'

const maxLength = 250_000

export type Settings = Readonly<Record<string, unknown>>

/** A configuration in TOML, YAML or JSON; empty where there is none that can be read. */
export async function readSettings(read: ReadFile, path: string): Promise<Settings> {
  const text = await read(path)
  if (text === undefined || text.length > maxLength) return {}
  if (!path.endsWith('.toml')) return openYamlFile(path, text)?.settings ?? {}
  try {
    return parseToml(text)
  } catch {
    return {}
  }
}

/** The value behind some keys. */
export function settingAt(settings: unknown, ...keys: string[]): unknown {
  return keys.reduce<unknown>((value, key) => (isRecord(value) ? value[key] : undefined), settings)
}

export function textAt(settings: unknown, ...keys: string[]): string | undefined {
  const value = settingAt(settings, ...keys)
  return typeof value === 'string' ? value : undefined
}

export function textsIn(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []
}

/** The path of an address below which a site is served, as a list of prefixes: `https://a.test/book/` is `/book`. */
export function basePrefixes(address: string | undefined): string[] {
  const path = (address ?? '').replace(/^[a-z]+:\/\/[^/]*/i, '').replace(/(?<!\/)\/+$/, '')
  return path.startsWith('/') && path.length > 1 ? [path] : []
}

/** The base path that a configuration states, as a list of prefixes. */
export function prefixOf(base: string | undefined): string[] {
  const trimmed = base?.replace(/(?<!\/)\/+$/, '') ?? ''
  return trimmed.startsWith('/') && trimmed.length > 1 ? [trimmed] : []
}

/** Rules with what most frameworks have in common: links to files, and no address without a page. */
export function linkRules(own: Partial<LinkRules>): LinkRules {
  return {
    relativeTo: 'file',
    assetRoots: [],
    prefixes: [],
    contentFolders: () => [],
    untranslated: () => undefined,
    mayExist: () => false,
    elsewhere: () => false,
    ...own,
  }
}

/** The pages that a navigation names, where it names them first. */
export function placesOf(
  pages: readonly Pick<TreePage, 'path' | 'label' | 'groups'>[],
): ReadonlyMap<string, NavigationPlace> {
  const places = new Map<string, NavigationPlace>()
  for (const { path, label, groups } of pages)
    if (path !== undefined && !places.has(path)) places.set(path, { label, groups })
  return places
}

/** Tests whether no page's address starts with the first part of an address, so that something else may serve it. */
export function besidePages(
  paths: Iterable<string>,
  urlOf: (path: string) => string | undefined,
): (url: string) => boolean {
  let firsts: Set<string> | undefined
  return (url) => {
    firsts ??= new Set([...paths].map((path) => urlOf(path)?.split('/', 2)[1] ?? ''))
    const first = url.split('/', 2)[1] ?? ''
    return first !== '' && !firsts.has(first)
  }
}
