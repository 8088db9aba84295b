import { addressKey, addressOf, createPageNames, madeFolders } from './page-names.ts'
import { type CodeSite, type DocsFolder, readNavigation, redirectEntries } from './read-navigation.ts'
import { type Value } from './resolve.ts'
import { type CodeList, type CodeName, containerOf } from './sidebar.ts'
import type { NavigationSource } from '../site.ts'
import { quote } from '../../lib/text/quote.ts'
import { ToolError } from '../../lib/tool-error.ts'
import { bracketRedirects } from '../navigation/bracket-redirects.ts'
import { entryText, renameEdits } from './code-entry.ts'
import type { NavigationTree, RedirectList, TreePage } from '../navigation/navigation-tree.ts'

type CodePage = CodeName & TreePage<CodeList> & { folder: DocsFolder | undefined }

/** Navigation in code, as far as it is written as literals; undefined where nothing is. */
export async function codeTree(
  { site, read, paths, frontMatter }: NavigationSource,
  code: CodeSite,
): Promise<NavigationTree<CodePage, CodeList> | undefined> {
  const data = code.format.readsFrontMatter ? await frontMatter() : undefined
  const navigation = await readNavigation(read, { code, paths })
  const dataOf = (path: string) => data?.get(path) ?? {}
  const urlOf = (path: string) => site.pageFor(path, dataOf(path))?.url ?? `/${path}`
  const names = createPageNames(
    code,
    site.pages.map((path) => ({ path, url: urlOf(path), data: dataOf(path) })),
  )
  const pages = navigation.parts.flatMap(({ folder, sidebar }) =>
    sidebar.pages.map((page): CodePage => {
      const path = names.pathOf(page, folder)
      const address = page.form === 'link' ? addressOf(page) : undefined
      return {
        ...page,
        path,
        folder,
        mustExist: path !== undefined || page.form !== 'link' || isDead(address),
        isShort: page.holder?.child === page.node,
        address: address === undefined ? undefined : addressKey(address),
      }
    }),
  )
  const lists = navigation.parts.flatMap(({ sidebar }) => sidebar.lists)
  if (pages.length === 0 && navigation.redirects === undefined && lists.length === 0) return undefined
  const folderOf = new Map(
    navigation.parts.flatMap(({ folder, sidebar }) => sidebar.lists.map((list) => [list, folder])),
  )
  const generated = madeFolders(code, navigation, site.root)
  const isOwn = (path: string, folder: DocsFolder | undefined) =>
    folder === undefined || path.startsWith(folder.path)
  return {
    pages,
    lists,
    redirects: navigation.redirects && codeRedirects(navigation.redirects, code.base),
    scopeOf: (path, isPlaced) => {
      if (!isPlaced && generated.some((folder) => path.startsWith(folder)))
        return 'This part of the navigation is made from the folder: a new page is included automatically'
      const own = lists.filter((list) => isOwn(path, folderOf.get(list)))
      if (own.length === 0)
        return 'The navigation of these pages is made from their folders or by code: nothing to edit'
      return { pages: pages.filter(({ folder }) => isOwn(path, folder)), lists: own }
    },
    rename: (page, { path, url, from = '' }) =>
      renameEdits(page, { path, url, data: dataOf(from) }, { code, folder: page.folder, old: from }),
    entry: (page, place) => {
      const target = { ...page, data: dataOf(page.path) }
      const make = entryText(target, place, { code, folder: folderOf.get(place.list) })
      if (make !== undefined) return make
      throw new ToolError(
        'unreadable',
        `That group cannot name ${quote(page.path)}, as all of its entries are below another address`,
      )
    },
    addressKey,
    addressOf: urlOf,
  }

  /** Whether a link should lead to a page and does not. Links to other sites, files and routes are fine. */
  function isDead(address: string | undefined): boolean {
    // Files that are made during the build.
    if (address === undefined || /\.(?!html$|md$)[a-z\d]+$/i.test(address)) return false
    return site.resolveLink(`${site.root}index.md`, address).kind === 'broken'
  }
}

function codeRedirects(list: Value, base: string): RedirectList | undefined {
  const { script, node } = list
  if (node.type !== 'ArrayExpression' && node.type !== 'ObjectExpression') return undefined
  const entries = redirectEntries(list)
  return bracketRedirects(containerOf(script, node), entries, {
    keys: node.type === 'ArrayExpression' ? ['from', 'to'] : undefined,
    // A site that is served below a path may repeat that path in the targets of its redirects.
    prefix: base !== '' && entries.some(({ to }) => to?.startsWith(`${base}/`) === true) ? base : '',
    isSame: (one, other) => trimmed(one) === trimmed(other),
    like: endLike,
    plain: (properties) => `{ ${properties.join(', ')} }`,
  })
}

function trimmed(address: string): string {
  return `/${address
    .replace(/\.html$/, '')
    .replace(/^\/+/, '')
    .replace(/(?<!\/)\/+$/, '')}`
}

/** With a slash at its end where `like` has one. */
function endLike(url: string, like: string): string {
  if (url === '/' || like === '/') return url
  return like.endsWith('/') ? `${url.replace(/\/$/, '')}/` : url.replace(/\/$/, '')
}
