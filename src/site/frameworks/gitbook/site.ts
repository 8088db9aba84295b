import { isMap, type YAMLMap } from 'yaml'
import type { ReadFile } from '../../files.ts'
import { isRecord } from '../../../lib/is-record.ts'
import { folderPath, isMarkdown, withoutExtension } from '../../links/page-path.ts'
import { listNavigation, type ListPage, listTree } from '../../navigation/list-tree.ts'
import { openYamlFile, type YamlFile } from '../../navigation/yaml-file.ts'
import { yamlRedirects } from '../../navigation/yaml-redirects.ts'
import { fileName, joinPath, outerSlashes } from '../../text/paths.ts'
import { pairOf } from '../../text/yaml-source.ts'
import { summaryFormat } from '../mdbook/site.ts'
import { linkRules, readSettings, settingAt, textAt, placesOf } from '../settings.ts'
import type { RedirectList } from '../../navigation/navigation-tree.ts'
import type { Dialect } from '../../pages/dialect.ts'
import { dialects } from '../dialects.ts'
import type { Found, Framework } from '../../site.ts'

/** GitBook, found by `.gitbook.yaml` in `base`, or by a `SUMMARY.md` that is a list of pages. */
export async function gitbookSite(
  read: ReadFile,
  { paths, base, config }: Found,
): Promise<Framework | undefined> {
  const isSummary = fileName(config) === 'SUMMARY.md'
  const settings = isSummary ? {} : await readSettings(read, config)
  const root = folderPath(joinPath(base, textAt(settings, 'root') ?? '') ?? base)
  const placed = textAt(settings, 'structure', 'summary')?.trim() ?? 'SUMMARY.md'
  const summary = joinPath(root, placed) ?? `${root}SUMMARY.md`
  const home = joinPath(root, textAt(settings, 'structure', 'readme')?.trim() ?? 'README.md')
  const source = await read(summary)
  const format = summaryFormat(summary, root)
  const isThere = (path: string) => paths.has(path)
  const { pages } = listNavigation({ path: summary, text: source ?? '' }, format, isThere)
  if (isSummary && !pages.some(({ isMissing, path }) => path !== undefined && !isMissing)) return undefined
  const navigation = placesOf(pages)
  // HonKit and the GitBook that was a program have such a file; their addresses are those of the files.
  const isProgram = ['book.json', 'book.js'].some((name) => paths.has(`${root}${name}`))
  const addresses = new Map<string, string>()
  for (const { path, above } of pages)
    if (path !== undefined && !addresses.has(path))
      addresses.set(path, `/${[...above.map(partOf), slugOf(path)].join('/')}`)
  // A page is below the pages and groups that it is below in the list, wherever its file is.
  const urlOf = (path: string): string => {
    if (path === home) return '/'
    if (isProgram)
      return `/${withoutExtension(path.slice(root.length))}.html`.replace(/(?<=\/)README\.html$/i, '')
    const inside = path.slice(root.length).replace(/(?<=\/)README\.[^./]+$/i, '')
    const parts = inside.split('/').filter((part) => part !== '')
    return addresses.get(path) ?? `/${parts.map(slugOf).join('/')}`
  }
  const redirects = new Map<string, string>()
  const kept = settingAt(settings, 'redirects')
  for (const [from, to] of isRecord(kept) ? Object.entries(kept) : [])
    if (typeof to === 'string')
      redirects.set(
        `/${from.replace(/^\/+/, '')}`,
        /^https?:/.test(to) ? to : urlOf(joinPath(root, to) ?? to),
      )
  return {
    name: 'gitbook',
    root,
    configPaths: [...(isSummary ? [] : [config]), summary],
    navigation,
    redirects,
    openKeys: new Map([[summary, []], ...(isSummary ? [] : [[config, ['redirects']] as const])]),
    addressesFollowNavigation: !isProgram,
    openTree: async ({ read }) => {
      const text = await read(summary)
      if (text === undefined) return undefined
      const yaml = isSummary ? undefined : await read(config)
      const file = yaml === undefined ? undefined : openYamlFile(config, yaml)
      const map = pairOf(file?.document.contents, 'redirects')?.value
      const kept = file !== undefined && isMap(map) ? gitbookRedirects(file, map, { root, urlOf }) : undefined
      return listTree(listNavigation({ path: summary, text }, format, isThere), () => format, kept)
    },
    dialectOf: () => (isProgram ? honkit : dialects.gitbook),
    pageFor: (path, data) => {
      if (!isMarkdown(path, root) || path === summary) return undefined
      const isListed = source === undefined || navigation.has(path)
      return {
        url: urlOf(path),
        language: undefined,
        version: undefined,
        navTitle: navigation.get(path)?.label,
        inNavigation: isListed || path === home,
        hidden: data['hidden'] === true || !(isListed || path === home),
      }
    },
    links: linkRules({ assetRoots: [root], contentFolders: () => [root] }),
  }
}

const honkit: Dialect = {
  ...dialects.gitbook,
  slugs: 'honkit',
  headings: { ownIds: 'braces', lines: 'loose', breaks: 'last', footnotes: 'number' },
}

/** Former addresses lead to files; the tree of the navigation knows both by their addresses. */
function gitbookRedirects(
  file: YamlFile,
  map: YAMLMap,
  { root, urlOf }: { root: string; urlOf: (path: string) => string },
): RedirectList {
  const files = new Map<string, string>()
  const known = yamlRedirects(file, map, {
    root,
    isSame: (one, other) => addressKey(one) === addressKey(other),
    from: (address) => address.replace(/^\//, ''),
    to: { read: (name) => urlOf(`${root}${name}`), write: (address) => files.get(address) ?? address },
  })
  return {
    ...known,
    nameOf: ({ path, url }) => {
      files.set(url, path.slice(root.length))
      return url
    },
  }
}

function addressKey(address: string): string {
  return address.replace(outerSlashes, '').toLowerCase()
}

/** Of several groups with the same heading, the later ones are numbered. */
function partOf({ label, path, nth }: ListPage['above'][number]): string {
  return `${slugOf(path ?? label)}${nth > 0 ? `-${nth}` : ''}`
}

/** Of a file, its name; of a folder's README, the name of the folder; of a group, its words. */
function slugOf(name: string): string {
  const parts = withoutExtension(name).split('/')
  const isFile = name !== withoutExtension(name)
  const own =
    isFile && parts.length > 1 && /^readme$/i.test(parts.at(-1) ?? '')
      ? parts.at(-2)
      : isFile
        ? parts.at(-1)
        : name
  return (own ?? name)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}._]+/gu, '-')
    .replace(/^-|-$/g, '')
}
