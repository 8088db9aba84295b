import type { Framework } from './site.ts'
import type { ReadFile } from '../files.ts'
import { docusaurusId } from '../code-config/docusaurus.ts'
import { createPageNames, madeFolders } from '../code-config/page-names.ts'
import {
  type CodeSite,
  type NavigationCode,
  navigationFiles,
  readNavigation,
  redirectEntries,
} from '../code-config/read-navigation.ts'
import { isMarkdown } from '../links/page-path.ts'

type Data = Readonly<Record<string, unknown>>

/** What a site's configuration code says about its pages. */
export interface CodeNavigation {
  site: Required<Pick<Framework, 'code' | 'navigation' | 'redirects' | 'navigationFiles'>>
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
  },
): Promise<CodeNavigation> {
  const { code, paths, root, urlOf } = input
  const found = await readNavigation(read, { code, paths })
  const pages = new Map<string, string | undefined>()
  const ids = new Set<string>()
  const made = madeFolders(code, found, root)
  // Front matter may set a page's address, by which the sidebar then names it.
  const named = new Set(found.parts.flatMap(({ sidebar }) => sidebar.pages.map(({ text }) => bare(text))))
  if (found.parts.length > 0) {
    const names = createPageNames(code, nameables(paths, urlOf))
    for (const { folder, sidebar } of found.parts) {
      for (const page of sidebar.pages) {
        if (page.form === 'id') ids.add(`${folder?.path}\0${page.text}`)
        const path = names.pathOf(page, folder)
        if (path !== undefined && pages.get(path) === undefined) pages.set(path, page.label)
      }
    }
    const inMade = [...paths].filter(
      (path) => isMarkdown(path, '') && made.some((folder) => path.startsWith(folder)),
    )
    for (const path of inMade.sort()) if (!pages.has(path)) pages.set(path, undefined)
  }
  const redirects = new Map<string, string>()
  const written = [...found.spreadRedirects, ...(found.redirects === undefined ? [] : [found.redirects])]
  for (const { from, to } of written.flatMap(redirectEntries))
    if (to !== undefined && !/[[*]/.test(from)) redirects.set(from, to)
  return {
    site: {
      code,
      navigation: pages,
      redirects,
      navigationFiles: navigationFiles(code.framework, found.regions),
    },
    files: found.files,
    holds: (path, data) => {
      if (pages.has(path) || made.some((folder) => path.startsWith(folder))) return true
      if (code.framework === 'starlight' && typeof data['slug'] === 'string' && named.has(bare(data['slug'])))
        return true
      if (code.framework !== 'docusaurus') return isIncomplete(found.parts)
      const folder = code.folders.find((one) => path.startsWith(one.path))
      if (folder?.sidebars === undefined) return true
      const inside = path.slice(folder.path.length)
      return (
        ids.has(`${folder.path}\0${docusaurusId(inside, data)}`) ||
        isIncomplete(found.parts.filter((part) => part.folder === folder))
      )
    },
  }
}

/** Whether the code may name more pages than can be read, or has no sidebar at all. */
function isIncomplete(parts: NavigationCode['parts']): boolean {
  return (
    parts.some(({ sidebar }) => !sidebar.complete) || parts.every(({ sidebar }) => sidebar.lists.length === 0)
  )
}

function* nameables(paths: ReadonlySet<string>, urlOf: (path: string) => string | undefined) {
  for (const path of paths) {
    const url = isMarkdown(path, '') ? urlOf(path) : undefined
    if (url !== undefined) yield { path, url, data: {} }
  }
}

function bare(address: string): string {
  return address.replace(/^\/+|(?<!\/)\/+$/g, '')
}
