import type { ReadFile } from '../files.ts'
import { arrangeFolder } from '../navigation/arrange-folders.ts'
import { detectFramework } from './detect.ts'
import { findHostRedirects, withHostRedirects } from './host-redirects.ts'
import { folderLabels } from './folder-labels.ts'
import { linkResolver } from '../links/link-resolver.ts'
import { linkWriter } from '../links/link-writer.ts'
import { madeFiles } from '../links/made-files.ts'
import { folderPath, isMarkdown } from '../links/page-path.ts'
import { markupOf } from '../text/markup.ts'
import { referencesOf } from '../restructured/references.ts'
import type { FrontMatterData, SitePage } from '../pages/page.ts'
import type { Framework, PageNames, Site, UnreadPages } from '../site.ts'
import { fileName, folderOf, joinPath } from '../text/paths.ts'

/**
 * The documentation site of a repository. `root` is the content folder that the operator named, `''` for none;
 * `names` are what pages say of themselves that `needs` asks for: pages are not read here.
 */
export async function createSite(
  read: ReadFile,
  input: { paths: Iterable<string>; root: string; names?: ReadonlyMap<string, PageNames> },
): Promise<Site> {
  const paths = new Set(input.paths)
  const root = folderPath(input.root)
  const dataOf = (path: string) => input.names?.get(path)?.data ?? {}
  const framework = await detectFramework(read, { paths, root, dataOf })
  const inRoot = (path: string) => path.startsWith(root) || !root.startsWith(framework.root)
  const fileUrl = (path: string) =>
    `/${path.startsWith(framework.root) ? path.slice(framework.root.length) : path}`
  // Front matter may name any address; one that leads out of the site would be another page of the server.
  const ownPage: Framework['pageFor'] = (path, data) => {
    const markup = markupOf(path)
    if (markup !== undefined && framework[markup] === undefined) return undefined
    const page = framework.pageFor(path, data)
    return page && /(?:^|\/)\.\.?(?:\/|$)/.test(page.url) ? { ...page, url: fileUrl(path) } : page
  }

  const members = new Map<string, string>()
  /** Pages that the site has outside of the folder that is asked for. */
  const outside = new Map<string, string>()
  for (const path of [...paths].sort()) {
    if (!isMarkdown(path, '') && markupOf(path) === undefined) continue
    const page = ownPage(path, dataOf(path))
    if (page) (inRoot(path) ? members : outside).set(path, page.url)
  }
  const labels = folderLabels(paths, { root: framework.root, mainLanguage: framework.mainLanguage })
  const claims = new Map<string, string[]>()
  for (const [path, url] of members) {
    const sharing = claims.get(url)
    if (sharing) sharing.push(path)
    else claims.set(url, [path])
  }
  const moved = new Map<string, string>()
  const collisions: { url: string; paths: string[] }[] = []
  for (const [url, sharing] of claims) {
    if (sharing.length < 2) continue
    sharing.sort((left, right) => rank(left, framework) - rank(right, framework) || (left < right ? -1 : 1))
    collisions.push({ url, paths: sharing })
    for (const path of sharing.slice(1))
      if (framework.writesIndexLast === true) members.delete(path)
      else moved.set(path, fileUrl(path))
  }
  const replaced = new Set(
    framework.writesIndexLast === true ? collisions.flatMap(({ paths: [, ...others] }) => others) : [],
  )
  const urlOf = (path: string) => moved.get(path) ?? members.get(path) ?? ownPage(path, dataOf(path))?.url
  const pageFor = (path: string, frontMatter = dataOf(path)): SitePage | undefined => {
    const page = inRoot(path) && !replaced.has(path) ? ownPage(path, frontMatter) : undefined
    if (page === undefined) return undefined
    const { language, version } = labels.labelsOf(path)
    return {
      ...page,
      url: moved.get(path) ?? page.url,
      language: page.language ?? language,
      version: page.version ?? version,
    }
  }
  const identityOf = (path: string) => labels.identityOf(framework.identityOf?.(path) ?? path)
  let copies: ReadonlyMap<string, readonly string[]> | undefined
  const copiesOf = (path: string): readonly string[] => {
    copies ??= Map.groupBy(members.keys(), identityOf)
    return (copies.get(identityOf(path)) ?? []).filter((other) => other !== path)
  }
  const places = new Map(framework.navigation)
  const rest = [...members.keys()].filter((path) => !places.has(path))
  const { folders, originalOf } = framework
  for (const path of originalOf === undefined ? [] : rest) {
    const original = places.get(originalOf?.(path) ?? path)
    // The labels of groups are those of the site; a translated page has a title in its own language.
    if (original) places.set(path, { label: undefined, groups: original.groups })
  }
  const order = new Map([...framework.navigation.keys()].map((path, at) => [path, at]))
  const rankOf = (path: string) => order.get(originalOf?.(path) ?? path) ?? order.size
  const listed = [
    ...[...order.keys()].filter((path) => members.has(path)),
    ...rest.filter((path) => places.has(path)).sort((left, right) => rankOf(left) - rankOf(right)),
  ]
  const arranged = folders && arrangeFolder(rest, { base: framework.root, groups: [] }, folders)
  const { aliases } = framework
  const former = aliases === undefined ? new Map<string, string>() : aliasesIn(aliases, members, dataOf)
  const aliasField =
    aliases === undefined || (aliases.isOptional && former.size === 0) ? undefined : aliases.field
  const targets = [...(input.names ?? [])].flatMap(([path, one]) =>
    one.targets === undefined ? [] : [[path, one.targets] as const],
  )
  const hasTitleLabels = framework.restructured?.hasTitleLabels === true
  const references = referencesOf(new Map(targets), { hasTitleLabels, root: framework.root })
  const host = await findHostRedirects(read, framework, paths)
  const redirects = new Map([...(host?.redirects ?? []), ...former, ...framework.redirects])
  // Where pages or the configuration of the site have redirects, the host's are not used for new ones.
  const ownHost = aliasField === undefined && framework.redirects.size === 0 ? host : undefined
  const resolveLink = linkResolver({
    framework,
    paths,
    members: new Map([...members, ...outside]),
    urlOf,
    redirects,
    labels: labelsIn(input.names),
    references,
    isMade: await madeFiles(read, { paths, root: framework.root }),
    copyFor: (fromPath, path) => {
      const language = pageFor(fromPath)?.language
      return pageFor(path)?.language === language
        ? undefined
        : copiesOf(path).find((copy) => pageFor(copy)?.language === language)
    },
  })
  return {
    framework: framework.name,
    root: framework.root,
    configPaths: host === undefined ? framework.configPaths : [...framework.configPaths, host.path],
    pages: [...new Set([...listed, ...(arranged?.keys() ?? []), ...members.keys()])],
    collisions,
    redirects,
    described: framework.described ?? [],
    unread: [...(framework.unread ?? []), ...otherMarkups(framework, [...paths].filter(inRoot))].filter(
      ({ pages }) => pages > 0,
    ),
    navigationFiles: framework.navigationFiles ?? [],
    needs: {
      fields: [...(framework.needs?.fields ?? []), ...(aliases === undefined ? [] : [aliases.field])],
      labels: framework.needs?.labels === true,
      shown: framework.needs?.shown ?? [],
    },
    language: languageTag(framework.mainLanguage),
    labelFolders: labels.folders,
    aliasField,
    aliasOf: ({ path, url }, here) => {
      if (aliases?.names !== undefined) return aliases.names.nameOf(path, here)
      const below = aliases?.below?.(path) ?? ''
      return url.startsWith(`${below}/`) ? url.slice(below.length) : url
    },
    openKeys: framework.openKeys,
    redirectFile: host?.path,
    openTree: ownHost === undefined ? framework.openTree : withHostRedirects(framework, ownHost),
    addressesFollowNavigation: framework.addressesFollowNavigation === true,
    pageFor,
    placeOf: (path) => places.get(path) ?? arranged?.get(path),
    copiesOf,
    fileUrl,
    dialectOf: framework.dialectOf,
    configuredDialect: framework.configuredDialect,
    customs: framework.customs ?? {},
    importFolders: framework.importFolders ?? new Map<string, string>(),
    references,
    restructured: framework.restructured,
    asciidoc: framework.asciidoc,
    documentOf: (fromPath, name) => {
      const place = joinPath(
        name.startsWith('/') ? framework.root : folderOf(fromPath),
        name.replace(/^\/+/, ''),
      )
      return ['.rst', '.md', '.txt'].map((end) => `${place ?? ''}${end}`).find((path) => members.has(path))
    },
    resolveLink: (...link) => {
      const target = resolveLink(...link)
      return 'path' in target && outside.has(target.path)
        ? { kind: 'external', outside: target.path }
        : target
    },
    linkTo: linkWriter({ framework, urlOf }),
  }
}

const ofProject =
  /^(?:readme|change(?:s|log)|history|news|authors|contribut(?:ors|ing)|licen[cs]e|copying|code_of_conduct|security|install)\.[^.]+$/i

/** Files in a markup that the generator of the site does not build. */
function otherMarkups(framework: Framework, paths: readonly string[]): UnreadPages[] {
  const written = { restructured: 'reStructuredText', asciidoc: 'AsciiDoc' } as const
  return (['restructured', 'asciidoc'] as const).flatMap((markup) =>
    framework[markup] !== undefined
      ? []
      : [
          {
            format: written[markup],
            pages: paths.filter(
              (path) =>
                markupOf(path) === markup &&
                !path.endsWith('.txt') &&
                path.startsWith(framework.root) &&
                !ofProject.test(fileName(path)),
            ).length,
          },
        ],
  )
}

/** `pt_BR` as HTML writes it, `pt-BR`; undefined for what names no language. */
function languageTag(name: string | undefined): string | undefined {
  const tag = name?.replaceAll('_', '-') ?? ''
  return /^[a-z]{2,3}(?:-[a-z\d]{2,8}){0,4}$/i.test(tag) ? tag : undefined
}

/** Of several files with one address, the page in the navigation keeps it, then an index file, then a README. */
function rank(path: string, { navigation, writesIndexLast }: Framework): number {
  // Where the build writes a folder's page last, it has the address whatever the navigation says.
  if (writesIndexLast === true && /(?:^|\/)(?:index|README)\.md$/.test(path)) return -1
  if (navigation.has(path)) return 0
  if (/(?:^|\/)index\.[^/]+$/i.test(path)) return 1
  return /(?:^|\/)readme\.[^/]+$/i.test(path) ? 3 : 2
}

type DataOf = (path: string) => FrontMatterData

/** The former addresses that pages name in their front matter, with the page's address. */
function aliasesIn(
  { field, below, names }: NonNullable<Framework['aliases']>,
  members: ReadonlyMap<string, string>,
  dataOf: DataOf,
): Map<string, string> {
  const urls = new Map<string, string>()
  for (const [path, url] of members) {
    const value = dataOf(path)[field]
    for (const address of names?.addressesOf(path, value) ?? []) urls.set(address, url)
    const list: unknown[] = names !== undefined ? [] : Array.isArray(value) ? value : [value]
    for (const alias of list) {
      if (typeof alias !== 'string' || alias === '' || /^[a-z]+:/i.test(alias)) continue
      // An alias without a slash is beside the page.
      const former = alias.startsWith('/')
        ? `${below?.(path) ?? ''}${alias}`
        : `${folderOf(url.replace(/\/$/, ''))}${alias}`
      urls.set(former, url)
    }
  }
  return urls
}

function labelsIn(names: ReadonlyMap<string, PageNames> | undefined): ReadonlyMap<string, string> {
  const pathOf = new Map<string, string>()
  for (const [path, { labels }] of names ?? [])
    for (const label of labels) pathOf.set(label, path).set(label.toLowerCase(), path)
  return pathOf
}
