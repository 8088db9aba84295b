import type { ReadFile } from '../../files.ts'
import { isMarkdown, folderPath, withoutExtension } from '../../links/page-path.ts'
import {
  type ListFormat,
  listNavigation,
  listTree,
  readSummaryLine,
  writeSummaryLine,
} from '../../navigation/list-tree.ts'
import { tomlRedirects } from './redirects.ts'
import { encodeHref, splitHref } from '../../links/href.ts'
import { folderOf, joinPath, relativePath } from '../../text/paths.ts'
import { basePrefixes, linkRules, readSettings, settingAt, textAt, placesOf } from '../settings.ts'
import { isRecord } from '../../../lib/is-record.ts'
import { dialects } from '../dialects.ts'
import type { Found, Framework } from '../../site.ts'
import { decoded } from '../../../lib/text/decoded.ts'

/** mdBook, found by `book.toml` in `base`. Only what `SUMMARY.md` names is built. */
export async function mdbookSite(
  read: ReadFile,
  { paths, base, config }: Found,
): Promise<Framework | undefined> {
  const settings = await readSettings(read, config)
  const root = folderPath(joinPath(base, textAt(settings, 'book', 'src') ?? 'src') ?? `${base}src`)
  const summary = `${root}SUMMARY.md`
  const source = await read(summary)
  if (source === undefined) return undefined
  const format = summaryFormat(summary, root)
  const dashes = settingAt(settings, 'output', 'html', 'smart-punctuation')
  const dialect = {
    ...dialects.mdbook,
    headings: { ...dialects.mdbook.headings, typography: dashes === false ? undefined : ('dashes' as const) },
  }
  const isThere = (path: string) => paths.has(path)
  const { pages } = listNavigation({ path: summary, text: source }, format, isThere)
  const navigation = placesOf(pages)
  const hasOwnCode = runsOwnCode(settingAt(settings, 'preprocessor'))
  const redirects = new Map<string, string>()
  const table = settingAt(settings, 'output', 'html', 'redirect')
  for (const [from, to] of isRecord(table) ? Object.entries(table) : [])
    if (typeof to === 'string')
      redirects.set(from, /^[a-z]+:/i.test(to) ? to : `/${joinPath(folderOf(from), to) ?? ''}`)
  return {
    name: 'mdbook',
    root,
    configPaths: [config, summary],
    navigation,
    redirects,
    mainLanguage: textAt(settings, 'book', 'language'),
    openKeys: new Map([
      [config, ['output', 'html', 'redirect']],
      [summary, []],
    ]),
    openTree: async ({ read }) => {
      const [text, toml] = [await read(summary), await read(config)]
      if (text === undefined) return undefined
      const listed = listNavigation({ path: summary, text }, format, isThere)
      const kept =
        toml === undefined ? undefined : tomlRedirects({ path: config, text: toml }, 'output.html.redirect')
      return listTree(listed, () => format, kept)
    },
    dialectOf: () => dialect,
    customs: { servesOnlyRoot: true, ...(hasOwnCode && { filledIn: /\S/ }) },
    pageFor: (path) => {
      if (!isMarkdown(path, root) || path === summary) return undefined
      const bare = withoutExtension(path.slice(root.length)).replace(/(?:^|(?<=\/))README$/i, 'index')
      return {
        url: `/${bare}.html`,
        language: undefined,
        version: undefined,
        navTitle: navigation.get(path)?.label,
        inNavigation: navigation.has(path),
        hidden: !navigation.has(path),
      }
    },
    links: linkRules({
      assetRoots: [root],
      asHtml: true,
      readsHtml: true,
      base: 'written',
      isBuilt: (path) => navigation.has(path),
      // All chapters on one page, the list of them, the page for what is missing, and the first chapter once more.
      mayExist: (url) => /^\/(?:(?:print|toc|404|index)\.html)?$/.test(url),
      // Books are often served beside others.
      isOpen: (path, target) =>
        target?.startsWith(root) !== true || (hasOwnCode && !/\/|\.(?:md|html)$/.test(path)),
      prefixes: basePrefixes(textAt(settings, 'output', 'html', 'site-url')),
    }),
  }
}

/** Whether a preprocessor is code of the repository: it may make links of names, and ids. Installed ones are programs. */
function runsOwnCode(preprocessors: unknown): boolean {
  const commands = isRecord(preprocessors)
    ? Object.values(preprocessors).map((one) => (isRecord(one) ? one['command'] : undefined))
    : []
  return commands.some((command) => typeof command === 'string' && /[/\s]/.test(command.trim()))
}

/** The lists of mdBook and GitBook. */
export function summaryFormat(summary: string, root: string): ListFormat {
  const folder = folderOf(summary)
  return {
    read: readSummaryLine,
    write: writeSummaryLine,
    resolve: (address) => {
      if (/^[a-z][a-z\d+.-]*:|^#/i.test(address)) return undefined
      const path = decoded(splitHref(address).path)
      return joinPath(path.startsWith('/') ? root : folder, path)
    },
    addressOf: (path, like) => {
      const { path: old, suffix } = splitHref(like)
      if (old.startsWith('/')) return `/${encodeHref(path.slice(root.length), old)}${suffix}`
      return `${encodeHref(relativePath(folder, path, old.startsWith('./')), old)}${suffix}`
    },
  }
}
