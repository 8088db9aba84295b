import type { ReadFile } from '../../files.ts'
import type { DocsFolder } from '../../code-config/read-navigation.ts'
import { isMarkdown, withoutExtension } from '../../links/page-path.ts'
import { orderIn } from '../../navigation/arrange-folders.ts'
import { fileName, folderOf } from '../../text/paths.ts'
import { readSettings, settingAt, textAt } from '../settings.ts'
import { withoutNumber } from './sidebars.ts'

/** What the `_category_` file of a folder says. */
interface Category {
  label: string | undefined
  order: number | undefined
  /** The id of the page that it leads to; `false` for a page that is made for it, undefined where it does not say. */
  page: string | false | undefined
}

const mostCategories = 500

export async function readCategories(
  read: ReadFile,
  paths: ReadonlySet<string>,
  folders: readonly DocsFolder[],
): Promise<ReadonlyMap<string, Category>> {
  const categories = new Map<string, Category>()
  const files = [...paths].filter(
    (path) =>
      /(?:^|\/)_category_\.(?:json|ya?ml)$/.test(path) &&
      folders.some((folder) => path.startsWith(folder.path)),
  )
  for (const path of files.slice(0, mostCategories)) {
    const settings = await readSettings(read, path)
    const link = settingAt(settings, 'link')
    categories.set(folderOf(path), {
      label: textAt(settings, 'label'),
      order: orderIn(settingAt(settings, 'position')),
      page: link === undefined ? undefined : (textAt(link, 'id') ?? false),
    })
  }
  return categories
}

/** The page that each folder's category leads to: the one that it names, else its index. */
export function pagesOfCategories(
  paths: Iterable<string>,
  folders: readonly DocsFolder[],
  categories: ReadonlyMap<string, Category>,
): ReadonlyMap<string, string> {
  const pages = new Map<string, string>()
  for (const path of paths) {
    const base = folders.find((folder) => isMarkdown(path, folder.path))?.path
    if (base === undefined) continue
    const folder = folderOf(path)
    const named = categories.get(folder)?.page
    const [id, inFolder] = [path.slice(base.length), fileName(path)].map((name) =>
      withoutExtension(name).split('/').map(withoutNumber).join('/'),
    )
    const isOwn =
      named === undefined
        ? isFolderPage(inFolder ?? '', withoutNumber(fileName(folder.slice(0, -1))))
        : named === id || named === inFolder
    if (isOwn && !pages.has(folder)) pages.set(folder, path)
  }
  return pages
}

/** `index`, `readme` and a file named as its folder are the folder's page. */
export function isFolderPage(file: string, folder: string | undefined): boolean {
  const name = file.toLowerCase()
  return name === 'index' || name === 'readme' || (folder !== undefined && name === folder.toLowerCase())
}
