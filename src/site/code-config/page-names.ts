import type { CodeSite, DocsFolder, NavigationCode } from './read-navigation.ts'
import { leadsAway, type CodeName } from './sidebar.ts'

/** By what a page can be named: its path, its address, and the front matter that is known. */
export interface Nameable {
  path: string
  url: string
  data: Readonly<Record<string, unknown>>
}

/** Tells which page a name means. */
export interface PageNames {
  pathOf(page: CodeName, folder: DocsFolder | undefined): string | undefined
}

export function createPageNames(code: CodeSite, pages: Iterable<Nameable>): PageNames {
  const addresses = new Map<string, string>()
  const ids = new Map<string, string>()
  const add = (names: Map<string, string>, name: string, path: string) => {
    if (!names.has(name)) names.set(name, path)
  }
  for (const { path, url, data } of pages) {
    add(addresses, addressKey(url), path)
    for (const folder of code.folders) {
      if (!path.startsWith(folder.path)) continue
      const inside = path.slice(folder.path.length)
      const { idOf } = code.format
      if (idOf === undefined) continue
      add(ids, `${folder.path}\0${idOf(inside, data)}`, path)
      add(ids, `${folder.path}\0${idOf(inside, data, { withNumbers: true })}`, path)
    }
  }
  return {
    pathOf: (page, folder) => {
      if (page.form === 'id') {
        const find = (id: string) => ids.get(`${folder?.path}\0${id}`)
        return find(page.text) ?? find(page.text.replace(/^version-[^/]+\//, ''))
      }
      const address = addressOf(page)
      if (address === undefined) return undefined
      return addresses.get(addressKey(`${code.prefix}${address}`)) ?? addresses.get(addressKey(address))
    },
  }
}

/** The address that a link or slug names; undefined for other sites and places of the same page. */
export function addressOf({
  text,
  form,
  base,
}: Pick<CodeName, 'text' | 'form' | 'base'>): string | undefined {
  if (form === 'slug') return text === 'index' ? '/' : `/${text}/`
  if (form === 'id' || leadsAway(text)) return undefined
  if (base === '') return text.startsWith('/') ? text : `/${text}`
  const joined = `${base}${text.replace(/^\//, base.endsWith('/') ? '' : '/')}`
  return joined.startsWith('/') ? joined : `/${joined}`
}

/** Makes all ways to write one address the same. */
export function addressKey(address: string): string {
  const path = address.replace(/[?#].*$/s, '').replace(/\.(?:html|md)$/, '')
  const key = path.replace(/(^|\/)index$/, '$1').replace(/(?<!\/)\/+$/, '')
  return key.startsWith('/') ? key : `/${key}`
}

/** Folders whose pages are all in the navigation without an entry, with a slash at their end. */
export function madeFolders(code: CodeSite, { parts }: NavigationCode, root: string): string[] {
  const all = parts.flatMap(({ folder, sidebar }) =>
    sidebar.folders.map(({ name }) => madeFolder(code, { folder, name, root })),
  )
  return [...new Set(all)].slice(0, 1000)
}

/** The path of a folder that a sidebar names, with a slash at its end. */
export function madeFolder(
  code: CodeSite,
  { folder, name, root }: { folder: DocsFolder | undefined; name: string; root: string },
): string {
  const base = folder?.path ?? `${root}${code.prefix.slice(1)}${code.prefix === '' ? '' : '/'}`
  return name === '' ? base : `${base}${name}/`
}
