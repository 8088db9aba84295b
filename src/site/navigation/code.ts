import { createPageNames, addressKey, addressOf, madeFolders } from '../code-config/page-names.ts'
import { type CodeSite, type DocsFolder, readNavigation } from '../code-config/read-navigation.ts'
import type { Sidebar } from '../code-config/sidebar.ts'
import type { Site } from '../frameworks/site.ts'
import { lineFinder } from '../text/text-file.ts'
import { ToolError } from '../../lib/tool-error.ts'
import { quote } from '../../lib/quote.ts'
import { entryText } from './code-entry.ts'
import { containerOf, insertChild, insertFirst, joinRemovals, removeChild } from './code-layout.ts'
import { renameEdits } from './code-names.ts'
import { type CodePage, chooseCodePlace, groupNames } from './code-place.ts'
import { codeRedirectEdits } from './code-redirects.ts'
import { codeRemoval } from './code-removal.ts'
import { type FileEdits, type Navigation, type ReadText, mergeEdits } from './navigation.ts'
import type { ReadPageData } from './page-data.ts'

interface Part {
  folder: DocsFolder | undefined
  sidebar: Sidebar
  pages: CodePage[]
}

/** Navigation that stands in code, as far as it is written out there; undefined where nothing is. */
export async function openCode(
  read: ReadText,
  input: { site: Site; code: CodeSite; paths: ReadonlySet<string>; pageData: ReadPageData | undefined },
): Promise<Navigation | undefined> {
  const { site, code, paths } = input
  const found = await readNavigation(read, { code, paths })
  // Front matter sets ids and addresses everywhere but in VitePress.
  const data = code.framework === 'vitepress' ? undefined : await input.pageData?.(site.pages)
  const dataOf = (path: string) => data?.get(path) ?? {}
  const urlOf = (path: string) => site.pageFor(path, dataOf(path))?.url ?? `/${path}`
  const names = createPageNames(
    code,
    site.pages.map((path) => ({ path, url: urlOf(path), data: dataOf(path) })),
  )
  const parts = found.parts.map(({ folder, sidebar }): Part => {
    const pages = sidebar.pages.map((page) => ({ ...page, path: names.pathOf(page, folder) }))
    return { folder, sidebar, pages }
  })
  const all = parts.flatMap(({ pages }) => pages)
  if (
    all.length === 0 &&
    found.redirects === undefined &&
    parts.every(({ sidebar }) => sidebar.lists.length === 0)
  )
    return undefined
  const finders = new Map(all.map(({ script }) => [script, lineFinder(script.text)]))
  const made = madeFolders(code, found, site.root)

  return {
    // A list that several sidebars share has its entries once.
    entries: [...new Map(all.filter(isEntry).map((page) => [page.node, page])).values()].map((page) => ({
      file: page.script.path,
      line: finders.get(page.script)?.(page.node.start) ?? 1,
      text: page.text,
      path: page.path,
      group: page.group,
    })),
    groups: groupNames(parts.flatMap(({ sidebar }) => sidebar.lists)),
    hasRedirects: found.redirects !== undefined,
    move: ({ from, to, fromUrl, toUrl }) => {
      const edits: FileEdits[] = []
      for (const { folder, pages } of parts) {
        for (const page of pages) {
          if (page.path !== from && !isAddress(page, fromUrl)) continue
          const target = { path: to, url: toUrl, data: dataOf(from) }
          edits.push({
            path: page.script.path,
            edits: renameEdits(page, target, { code, folder, old: from }),
          })
        }
      }
      if (found.redirects !== undefined) {
        const moved = { fromUrl, toUrl, base: code.base }
        edits.push({
          path: found.redirects.script.path,
          edits: codeRedirectEdits(found.redirects, moved),
        })
      }
      return joined(edits)
    },
    remove: (path) => {
      const edits: FileEdits[] = []
      for (const page of all) {
        const gone = page.path === path ? codeRemoval(page) : undefined
        if (gone === undefined) continue
        edits.push({
          path: gone.script.path,
          edits: removeChild(containerOf(gone.script, gone.parent), gone.child),
        })
      }
      return joined(edits)
    },
    add: ({ path, title, group, after }) => {
      if (all.some((page) => page.path === path && page.holder !== undefined)) return []
      const isPlaced =
        group !== undefined || all.some((page) => page.path === after && page.holder !== undefined)
      if (!isPlaced && made.some((folder) => path.startsWith(folder))) {
        throw new ToolError(
          'no_navigation',
          'This part of the navigation is made from the folder: a new page is in it by itself',
        )
      }
      const own = parts.filter(({ folder }) => folder === undefined || path.startsWith(folder.path))
      const lists = own.flatMap(({ sidebar }) => sidebar.lists)
      if (lists.length === 0) {
        throw new ToolError(
          'no_navigation',
          'The navigation of these pages is made from their folders or by code: nothing to edit',
        )
      }
      const place = chooseCodePlace({ pages: own.flatMap(({ pages }) => pages), lists, path, group, after })
      const folder = own.find(({ sidebar }) => sidebar.lists.includes(place.list))?.folder
      const page = { path, title, url: urlOf(path), data: dataOf(path) }
      const make = entryText(page, place, { code, folder })
      if (make === undefined) {
        throw new ToolError(
          'unreadable',
          `That group cannot name ${quote(path)}, as all of its entries are below another address`,
        )
      }
      const container = containerOf(place.list.script, place.list.node)
      const edits =
        place.after === 'nothing' ? insertFirst(container, make) : insertChild(container, place.after, make)
      return [{ path: place.list.script.path, edits }]
    },
  }

  /** Links to other sites, files and routes are no entries; those that should lead to a page and do not are. */
  function isEntry(page: CodePage): boolean {
    if (page.path !== undefined || page.form !== 'link') return true
    const address = addressOf(page)
    // Files that are made during the build.
    if (address !== undefined && /\.(?!html$|md$)[a-z\d]+$/i.test(address)) return false
    return address !== undefined && site.resolveLink(`${site.root}index.md`, address).kind === 'broken'
  }

  /** A link that leads to the old address by more than the page itself. */
  function isAddress(page: CodePage, fromUrl: string): boolean {
    const address = page.form === 'link' && page.path === undefined ? addressOf(page) : undefined
    return address !== undefined && fromUrl !== '/' && addressKey(address) === addressKey(fromUrl)
  }
}

/** Edits by file; what several sidebars share is edited once. */
function joined(all: readonly FileEdits[]): FileEdits[] {
  return mergeEdits(all).map(({ path, edits }) => {
    const known = new Map(edits.map((edit) => [`${edit.start} ${edit.end}`, edit]))
    return { path, edits: joinRemovals([...known.values()]) }
  })
}
