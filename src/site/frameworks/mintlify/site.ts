import type { ReadFile } from '../../files.ts'
import { ignorePatterns } from '../../links/made-files.ts'
import { readJsonConfig, textOf } from './json-config.ts'
import { mintlifyCustoms } from './customs.ts'
import { type MintlifyPage, mintlifyNavigation, mintlifyTree } from './navigation.ts'
import { redirectPairs } from './redirects.ts'
import { placesOf } from '../settings.ts'
import { isAsset, isMarkdown, isPartial, leadsElsewhere, withoutExtension } from '../../links/page-path.ts'
import { dialects } from '../dialects.ts'
import type { Found, Framework } from '../../site.ts'

const ignoredFolder = /(?:^|\/)(?:build|dist|coverage|tmp|temp|node_modules)\//
const ignoredFile = /(?:^|\/)(?:README|LICENSE|CHANGELOG|CONTRIBUTING|AGENTS|CLAUDE)\.md$/

/** Mintlify, found by `docs.json` or the older `mint.json` in `base`. Undefined when another tool has a file of that name. */
export async function mintlifySite(read: ReadFile, input: Found): Promise<Framework | undefined> {
  const { paths, base: root, config } = input
  const source = await readJsonConfig(read, config)
  const navigation = mintlifyNavigation(source, { root, paths })
  if (navigation === undefined) return undefined
  const ignoreFile = `${root}.mintignore`
  const ignored = ignorePatterns((paths.has(ignoreFile) ? await read(ignoreFile) : undefined) ?? '')
  const places = new Map<string, MintlifyPage>()
  for (const page of navigation.pages)
    if (page.path !== undefined && !places.has(page.path)) places.set(page.path, page)
  const indexing = source.property(source.property(source.main, 'seo'), 'indexing')
  const indexAll = textOf(indexing?.node) === 'all'
  const redirects = new Map<string, string>()
  for (const { from, to } of redirectPairs(source)) if (to !== undefined) redirects.set(absolute(from), to)
  const isUnknown = leadsElsewhere(paths, [root])
  return {
    name: 'mintlify',
    root,
    configPaths: [...source.paths, ignoreFile],
    navigation: placesOf([...places.values()]),
    needs: { shown: ['sidebarTitle'] },
    redirects,
    described: navigation.described,
    openTree: (now) => mintlifyTree(now.read, { config, root, paths: now.paths }),
    dialectOf: () => dialects.mintlify,
    customs: mintlifyCustoms(root),
    importFolders: new Map([['/', root]]),
    pageFor: (path, data) => {
      if (!isMarkdown(path, root) || isPartial(path)) return undefined
      const inside = path.slice(root.length)
      if (
        /^_?snippets\//.test(inside) ||
        ignoredFolder.test(inside) ||
        ignoredFile.test(inside) ||
        ignored(inside)
      )
        return undefined
      const listed = places.get(path)
      const first = inside.slice(0, Math.max(0, inside.indexOf('/')))
      // A page that is not in the navigation is hidden, unless the site has no readable navigation at all.
      const outside = places.size > 0 && listed === undefined
      return {
        url: `/${withoutExtension(inside).replace(/(?:^|\/)index$/, '')}`,
        language: listed?.language ?? (navigation.languages.has(first) ? first : navigation.mainLanguage),
        version: listed?.version,
        navTitle: typeof data['sidebarTitle'] === 'string' ? data['sidebarTitle'] : undefined,
        inNavigation: listed !== undefined,
        hidden: isHidden(data, indexAll, outside || listed?.hidden === true),
      }
    },
    links: {
      elsewhere: () => false,
      relativeTo: 'file',
      serveMarkdown: true,
      assetRoots: [root],
      prefixes: [],
      contentFolders: () => [],
      untranslated: () => undefined,
      // Pages made from an API description are in its folder, or in one without files.
      mayExist: (url) =>
        navigation.generated.size > 0 &&
        !isAsset(url) &&
        ([...navigation.generated].some((prefix) => url === prefix || url.startsWith(`${prefix}/`)) ||
          isUnknown(url)),
    },
  }
}

function isHidden(data: Readonly<Record<string, unknown>>, indexAll: boolean, outside: boolean): boolean {
  if (data['searchable'] === false || data['noindex'] === true) return true
  if (indexAll) return false
  return data['hidden'] === true || (outside && data['hidden'] !== false)
}

function absolute(url: string): string {
  return url.startsWith('/') ? url : `/${url}`
}
