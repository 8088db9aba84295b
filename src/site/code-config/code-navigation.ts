import type { Found, Framework } from '../site.ts'
import type { NavigationPlace } from '../navigation/navigation-tree.ts'
import type { ReadFile } from '../files.ts'
import { codeTree } from './code-tree.ts'
import { createPageNames, madeFolder, madeFolders } from './page-names.ts'
import {
  type CodeSite,
  type NavigationCode,
  navigationFiles,
  readNavigation,
  redirectEntries,
} from './read-navigation.ts'
import type { CodeName } from './sidebar.ts'
import { isMarkdown } from '../links/page-path.ts'
import { arrangeFolder, type FolderRules } from '../navigation/arrange-folders.ts'
import { outerSlashes } from '../text/paths.ts'

type Data = Readonly<Record<string, unknown>>

const mostFolders = 1000

/** What a site's configuration code says about its pages. */
export interface CodeNavigation {
  site: Required<Pick<Framework, 'navigation' | 'redirects' | 'navigationFiles' | 'openTree'>>
  /** Every file that was read, or looked for. */
  files: readonly string[]
  /** Whether it names the page. True as well where code may name more pages than can be read. */
  holds(path: string, data: Data): boolean
}

/** `urlOf` gives the address of each page of the site; undefined for other files. */
export async function codeNavigation(
  read: ReadFile,
  input: {
    code: CodeSite
    paths: ReadonlySet<string>
    root: string
    urlOf: (path: string) => string | undefined
    dataOf: Found['dataOf']
    /** How folders are listed that the code names as a whole. */
    folders?: FolderRules
  },
): Promise<CodeNavigation> {
  const { code, paths, root, urlOf, dataOf } = input
  const nav = await readNavigation(read, { code, paths })
  const pages = new Map<string, NavigationPlace>()
  const ids = new Set<string>()
  const atHome = new Set<string>()
  const generated = madeFolders(code, nav, root)
  // Front matter may set a page's address, by which the sidebar then names it.
  const named = new Set(nav.parts.flatMap(({ sidebar }) => sidebar.pages.map(({ text }) => bare(text))))
  if (nav.parts.length > 0) {
    const names = createPageNames(code, nameables(paths, urlOf, dataOf))
    const inMade = [...paths]
      .filter((path) => urlOf(path) !== undefined && generated.some((folder) => path.startsWith(folder)))
      .sort()
    for (const { folder, sidebar } of nav.parts) {
      const place = (page: CodeName) => {
        if (page.form === 'id') ids.add(`${folder?.path}\0${page.text}`)
        const path = names.pathOf(page, folder)
        if (path === undefined || atHome.has(path)) return
        // Of several sidebars, the page's own is the one for its address.
        const isHere = isAtHome(page, urlOf(path))
        if (pages.has(path) && !isHere) return
        if (isHere) atHome.add(path)
        // One list that several addresses share keeps its order.
        if (isSamePlace(pages.get(path), page)) return
        pages.delete(path)
        pages.set(path, { label: page.label, groups: page.groups })
      }
      // A page that an entry names stands there and not in the folder that another entry names.
      const own = new Set(sidebar.pages.map((page) => names.pathOf(page, folder)))
      let from = 0
      for (const { name, groups, at } of sidebar.folders.slice(0, mostFolders)) {
        for (const page of sidebar.pages.slice(from, at)) place(page)
        from = at
        const base = madeFolder(code, { folder, name, root })
        const rest = inMade.filter((path) => path.startsWith(base) && !own.has(path) && !pages.has(path))
        const listed = input.folders
          ? arrangeFolder(rest, { base, groups }, input.folders)
          : rest.map((path) => [path, { label: undefined, groups }] as const)
        for (const [path, at] of listed) pages.set(path, at)
      }
      for (const page of sidebar.pages.slice(from)) place(page)
    }
  }
  // Without a file of sidebars, the folder is the sidebar.
  for (const { path: base } of code.folders.filter(({ sidebars }) => sidebars === undefined)) {
    const rest = [...paths].filter((path) => path.startsWith(base) && !pages.has(path))
    const own = rest.filter((path) => isMarkdown(path, base) && urlOf(path) !== undefined)
    if (input.folders)
      for (const [path, at] of arrangeFolder(own, { base, groups: [] }, input.folders)) pages.set(path, at)
  }
  const redirects = new Map<string, string>()
  const written = [...nav.spreadRedirects, ...(nav.redirects === undefined ? [] : [nav.redirects])]
  for (const { from, to } of written.flatMap(redirectEntries))
    if (to !== undefined && !/[[*]/.test(from)) redirects.set(from, to)
  return {
    site: {
      navigation: pages,
      redirects,
      navigationFiles: navigationFiles(code.format.framework, nav.regions),
      openTree: (source) => codeTree(source, code),
    },
    files: nav.files,
    holds: (path, data) => {
      if (pages.has(path) || generated.some((folder) => path.startsWith(folder))) return true
      const { ownAddress, idOf } = code.format
      const own = ownAddress?.(data)
      if (own !== undefined && named.has(bare(own))) return true
      if (idOf === undefined) return isIncomplete(nav.parts)
      const folder = code.folders.find((one) => path.startsWith(one.path))
      if (folder?.sidebars === undefined) return true
      const inside = path.slice(folder.path.length)
      return (
        ids.has(`${folder.path}\0${idOf(inside, data)}`) ||
        isIncomplete(nav.parts.filter((part) => part.folder === folder))
      )
    },
  }
}

function isSamePlace(place: NavigationPlace | undefined, { label, groups }: CodeName): boolean {
  return place !== undefined && place.label === label && place.groups.join('\n') === groups.join('\n')
}

/** Whether a sidebar of VitePress is the one that readers see beside an address. */
function isAtHome({ list }: CodeName, url: string | undefined): boolean {
  const key = list?.key
  return key !== undefined && key !== '/' && key.startsWith('/') && url?.startsWith(key) === true
}

/** Whether the code may name more pages than can be read, or has no sidebar at all. */
function isIncomplete(parts: NavigationCode['parts']): boolean {
  return (
    parts.some(({ sidebar }) => !sidebar.complete) || parts.every(({ sidebar }) => sidebar.lists.length === 0)
  )
}

function* nameables(
  paths: ReadonlySet<string>,
  urlOf: (path: string) => string | undefined,
  dataOf: Found['dataOf'],
) {
  for (const path of paths) {
    const url = isMarkdown(path, '') ? urlOf(path) : undefined
    if (url !== undefined) yield { path, url, data: dataOf(path) }
  }
}

function bare(address: string): string {
  return address.replace(outerSlashes, '')
}
