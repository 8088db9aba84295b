import { decodeDestination } from '../markdown/entities.ts'
import { foldersOf, keyOf, redirectOf, relativeUrl } from './addresses.ts'
import { addressHere } from './address-here.ts'
import { baseFault } from './base-fault.ts'
import { splitHref } from './href.ts'
import type { IsMade } from './made-files.ts'
import { nearestPage } from './nearest-page.ts'
import { isAsset, otherEndings } from './page-path.ts'
import { resolveName } from './resolve-name.ts'
import { type LinkForm, readLinkForm } from '../markdown/link-forms.ts'
import { folderOf, joinPath, resolvePath } from '../text/paths.ts'
import type { Framework, ResolvedLink, Site } from '../site.ts'
import type { References } from '../restructured/references.ts'
import { decoded } from '../../lib/text/decoded.ts'
import { markdownEnding } from '../text/markup.ts'

interface Input {
  framework: Framework
  paths: ReadonlySet<string>
  /** The site's pages with their addresses. */
  members: ReadonlyMap<string, string>
  urlOf: (path: string) => string | undefined
  /** Those of the configuration and of front matter. */
  redirects: ReadonlyMap<string, string>
  /** The pages of labels that pages define. */
  labels: ReadonlyMap<string, string>
  references: References
  isMade: IsMade
  /** The copy of a page in the language of another one. */
  copyFor: (fromPath: string, path: string) => string | undefined
}

/** Other sites, and the aliases of a bundler. */
const scheme = /^(?:[a-z][a-z\d+.-]*:|\/\/|[@~])/i
const maxHref = 4000

/** Resolves the links of a site's pages. */
export function linkResolver(site: Input): Site['resolveLink'] {
  const { framework, paths, members, urlOf, redirects, labels, references, isMade, copyFor } = site
  const { links, root } = framework
  const byUrl = new Map<string, string>()
  const byKey = new Map<string, string>()
  for (const path of members.keys()) {
    const url = urlOf(path)
    if (url === undefined || links.isBuilt?.(path) === false) continue
    byUrl.set(url, path)
    if (!byKey.has(keyOf(url))) byKey.set(keyOf(url), path)
  }
  const nearest = nearestPage(() => [...members.keys()].filter(isPage))
  let folders: Set<string> | undefined
  let firsts: Set<string> | undefined

  const pageAt = (url: string): string | undefined => {
    for (const prefix of ['', ...links.prefixes]) {
      if (!url.startsWith(prefix)) continue
      const inside = url.slice(prefix.length) || '/'
      // Hugo finds pages whatever the case of their names.
      const lower = links.forms?.includes('name') === true ? inside.toLowerCase() : inside
      const path = byUrl.get(inside) ?? byKey.get(keyOf(inside)) ?? byKey.get(keyOf(lower))
      if (path !== undefined) return path
      const fallback = links.untranslated(inside)
      const original =
        fallback === undefined ? undefined : (byUrl.get(fallback) ?? byKey.get(keyOf(fallback)))
      if (original !== undefined) return original
    }
    return undefined
  }
  const isPage = (path: string): boolean => members.has(path) && links.isBuilt?.(path) !== false
  const fileAt = (path: string | undefined): string | undefined => {
    if (path === undefined) return undefined
    if (isPage(path)) return path
    // Git hosts show all files; a generator serves no Markdown that it makes no page of.
    if (framework.customs?.servesOnlyRoot === true && !path.startsWith(root)) return undefined
    return paths.has(path) && (framework.name === 'markdown' || !markdownEnding.test(path)) ? path : undefined
  }
  const pageEndings = [...(framework.restructured ? ['.rst', '.txt'] : []), '.md', '.mdx', '.markdown']
  /** The page that a file path without extension names. */
  const pageNear = (path: string | undefined): string | undefined => {
    if (path === undefined) return undefined
    const bare = path.replace(/\/$/, '').replace(/\.html?$/, '')
    const folder = bare === '' ? '' : `${bare}/`
    const inFolder = ['index.md', '_index.md', 'index.mdx', 'README.md', 'README.mdx', 'readme.md'].map(
      (name) => `${folder}${name}`,
    )
    const beside = bare === '' ? [] : pageEndings.map((end) => `${bare}${end}`)
    return (path.endsWith('/') ? inFolder.concat(beside) : beside.concat(inFolder)).find(
      (candidate) => isPage(candidate) && (beside.includes(candidate) || isIndex(candidate)),
    )
  }
  /** A README is the page of its folder only where the framework makes it that. */
  const isIndex = (path: string): boolean =>
    !/(?:^|\/)readme\.[^./]+$/i.test(path) ||
    framework.name === 'markdown' ||
    !/(?:^|\/)readme(?:\.html|\/)?$/i.test(urlOf(path) ?? '')
  const isFolder = (path: string): boolean => {
    folders ??= foldersOf(paths)
    return folders.has(path.replace(/\/$/, ''))
  }
  const hasPages = (path: string | undefined): boolean => {
    const folder = path?.replace(/\/$/, '')
    return (
      folder !== undefined &&
      folder !== '' &&
      [...members.keys()].some((page) => page.startsWith(`${folder}/`))
    )
  }
  const linkTo = (path: string, anchor: string | undefined, redirected = false): ResolvedLink =>
    members.has(path) ? { kind: 'page', path, anchor, redirected } : { kind: 'asset', path }

  const withoutBase = (url: string): string => {
    const base = links.prefixes.find((prefix) => url.startsWith(`${prefix}/`)) ?? ''
    return url.slice(base.length)
  }

  const redirected = (url: string, anchor: string | undefined): ResolvedLink | undefined => {
    let next = url
    for (let hops = 0; hops < 5; hops++) {
      const target = redirectOf(redirects, next) ?? redirectOf(redirects, withoutBase(next))
      if (target === undefined) return undefined
      if (scheme.test(target)) return { kind: 'external' }
      const [path = '', hash] = target.split('#', 2)
      const page = pageAt(path)
      if (page !== undefined) return linkTo(page, hash ?? anchor, true)
      next = path
    }
    return undefined
  }

  /** A file that a link names from a content folder, or the original of one that is not translated. */
  const inContent = (fromPath: string, path: string, target: string | undefined): string | undefined => {
    const folders = links.contentFolders(fromPath)
    const own = folders[0]
    for (const folder of folders) {
      const file = fileAt(joinPath(folder, path))
      if (file !== undefined) return file
      const original =
        own === undefined || !target?.startsWith(own)
          ? undefined
          : fileAt(`${folder}${target.slice(own.length)}`)
      if (original !== undefined) return original
    }
    return undefined
  }

  /** Some frameworks serve a page as Markdown at its address with `.md`, whatever its file is called. */
  const otherKind = (path: string | undefined): string | undefined =>
    links.serveMarkdown && path !== undefined ? pageNear(path.replace(markdownEnding, '')) : undefined

  /** The page that a name of a page means: from the top, from the page's folder, or the only one of that name. */
  const pageNamed = (fromPath: string, name: string): string | undefined =>
    pageFrom(fromPath, name) ?? (name.includes('/') ? undefined : nearest(name))

  const pageFrom = (fromPath: string, name: string): string | undefined => {
    const bare = name.replace(markdownEnding, '').replace(/(?<=[^/])\/$/, '')
    const tops = name.startsWith('/') ? [root] : [folderOf(fromPath), root]
    for (const top of tops) {
      const place = joinPath(top, bare.replace(/^\//, ''))
      const file = [
        `${place}.md`,
        `${place}/_index.md`,
        `${place}/index.md`,
        `${place}.mdx`,
        `${place}.markdown`,
      ]
      const match = file.find((path) => members.has(path.replace(/^\//, '')))
      if (match !== undefined) return match
    }
    return pageAt(`/${bare.replace(/^\//, '')}`)
  }

  const inLanguage = (fromPath: string, path: string): string =>
    (links.findsInLanguage === true ? copyFor(fromPath, path) : undefined) ?? path

  const resolveForm = (
    fromPath: string,
    href: string,
    { kind, target, suffix, family }: LinkForm,
  ): ResolvedLink | undefined => {
    if (links.forms?.includes(kind) !== true) return undefined
    const { path, hash } = splitHref(`${target}${suffix}`)
    if (kind === 'address')
      return resolvePlain(fromPath, `/${target.replace(/^\/+/, '')}${suffix}`, {
        isRaw: false,
        hasBase: true,
      })
    if (kind === 'label' || kind === 'term' || kind === 'source') {
      const named = resolveName({ framework, paths, labels, references }, fromPath, { kind, target })
      if ('path' in named && !('kind' in named)) return linkTo(named.path, undefined)
      const mayBeHere =
        named.kind === 'external' && kind === 'label' && framework.customs?.definesLabels === true
      return mayBeHere ? linkTo(fromPath, target) : named
    }
    const name = decoded(path)
    const resource = kind === 'resource' ? links.resource?.(fromPath, name, family) : undefined
    const file =
      kind === 'name'
        ? name === ''
          ? fromPath
          : pageNamed(fromPath, name)
        : kind === 'document'
          ? pageNear(
              joinPath(name.startsWith('/') ? root : folderOf(fromPath), name.replace(markdownEnding, '')),
            )
          : fileAt(kind === 'file' ? joinPath(root, name) : resource)
    // Conditions decide what is included, and attributes where pictures are.
    if (family !== undefined && file === undefined) return { kind: 'external' }
    if (file !== undefined) return linkTo(/\blang\s*=/.test(href) ? file : inLanguage(fromPath, file), hash)
    const place = resolvePath(name.startsWith('/') ? root : folderOf(fromPath), name) ?? ''
    const isOtherKind = otherEndings(kind).some((ending) => paths.has(`${place}${ending}`))
    // Pages in AsciiDoc say by which other names they are known.
    const former =
      resource === undefined ? undefined : redirects.get(framework.pageFor(resource, {})?.url ?? '')
    const alias = former === undefined ? undefined : byUrl.get(former)
    if (alias !== undefined) return linkTo(alias, hash, true)
    // Roles and resources may name things of other kinds, such as pages that are not Markdown.
    const exists =
      (kind === 'resource' && (framework.asciidoc === undefined || resource === undefined)) ||
      isOtherKind ||
      (kind === 'document' && links.makesDocuments !== false)
    return exists
      ? { kind: 'external' }
      : { kind: 'broken', reason: `no page or file of the repository is ${name}`, near: nearest(name) }
  }

  const resolveLink = (fromPath: string, href: string, isRaw = false): ResolvedLink => {
    const trimmed = decodeDestination(href.trim())
    const form = readLinkForm(trimmed)
    const formed = form && resolveForm(fromPath, trimmed, form)
    if (formed !== undefined) return formed
    return resolvePlain(fromPath, trimmed, { isRaw: isRaw && links.readsHtml !== true, hasBase: false })
  }

  /** @param hasBase whether the path that the site is served below is there already */
  const resolvePlain = (
    fromPath: string,
    trimmed: string,
    { isRaw, hasBase }: { isRaw: boolean; hasBase: boolean },
  ): ResolvedLink => {
    const label = trimmed.startsWith('#') ? trimmed.slice(1) : ''
    const labelled = labels.get(label) ?? labels.get(label.toLowerCase())
    if (labelled !== undefined) return linkTo(labelled, labels.has(label) ? label : undefined)
    const own = addressHere(framework.address, links.prefixes, trimmed)
    if (own !== undefined) {
      const target = resolvePlain(fromPath, own, { isRaw: true, hasBase: false })
      // Other parts of the host may be served by something else.
      return target.kind === 'broken' && !isBesidePages(own) ? { kind: 'external' } : target
    }
    if (scheme.test(trimmed)) return { kind: 'external' }
    if (trimmed.length > maxHref) return { kind: 'broken', reason: 'it is too long', near: undefined }
    const { path: rawPath, hash } = splitHref(trimmed)
    const anchor = hash === undefined || hash === '' ? undefined : decoded(hash)
    if (rawPath === '') return linkTo(fromPath, anchor)
    if (/[{}]|<%|\$\(/.test(rawPath)) return { kind: 'external' } // A template fills it in.
    const plainPath = decoded(rawPath)
    const path = links.asHtml === true ? plainPath.replace(markdownEnding, '.html') : plainPath
    const absolute = path.startsWith('/')
    const folder = folderOf(fromPath)
    const files = isRaw || (absolute && links.hasFilesFromTop === false) ? 'none' : (links.files ?? 'bare')

    if (absolute) {
      const missing = hasBase ? undefined : missingBase(path, isRaw)
      if (missing !== undefined) return missing
      const page = pageAt(path)
      if (page !== undefined) {
        const isOther = path !== withoutBase(path) || links.untranslated(path) !== undefined
        return linkTo(isOther ? page : inLanguage(fromPath, page), anchor)
      }
      const file =
        markdownEnding.test(path) && files !== 'none'
          ? (inContent(fromPath, path.slice(1), undefined) ?? otherKind(joinPath(root, path)))
          : undefined
      if (file !== undefined && reaches(fromPath, file)) return linkTo(file, anchor)
      const roots = [...new Set([...links.assetRoots, root])]
      for (const assets of roots) {
        const file =
          servedAt(joinPath(assets, path), files) ??
          (markdownEnding.test(path) || files !== 'bare' || links.asHtml === true
            ? undefined
            : pageNear(joinPath(assets, path)))
        if (file !== undefined && reaches(fromPath, file)) return linkTo(file, anchor)
      }
      for (const prefix of links.prefixes) {
        if (!path.startsWith(`${prefix}/`)) continue
        for (const assets of roots) {
          const file = fileAt(joinPath(assets, path.slice(prefix.length)))
          if (file !== undefined) return linkTo(file, anchor)
        }
      }
      if (path === '/') {
        const home = [...members.keys()][0]
        return home === undefined || framework.name !== 'mintlify'
          ? { kind: 'external' }
          : linkTo(home, anchor)
      }
      const moved = redirected(path, anchor)
      if (moved) return moved
    } else {
      const target = joinPath(folder, path)
      const file = servedAt(
        framework.name === 'mkdocs' && /\.md\/$/i.test(path) ? target?.replace(/(?<!\/)\/$/, '') : target,
        files,
      )
      if (file !== undefined && reaches(fromPath, file)) return linkTo(file, anchor)
      // A link to a page's file may be relative to the content folder.
      if (markdownEnding.test(path)) {
        const file = files === 'none' ? undefined : (inContent(fromPath, path, target) ?? otherKind(target))
        if (file !== undefined && reaches(fromPath, file)) return linkTo(file, anchor)
      } else {
        const own = urlOf(fromPath)
        const url = own === undefined ? undefined : relativeUrl(own, path)
        // What leads above the top of the site by its files is no page of it, even if browsers stop there.
        const isInside = links.relativeTo === 'url' || target?.startsWith(root) === true
        const byAddress = url === undefined || !isInside ? undefined : pageAt(url)
        const isExchanged = links.asHtml === true && path.endsWith('.html')
        if (links.hasNamesOnly === true && !isRaw && path.endsWith('.html')) {
          const reason = `links name documents and not addresses, so nothing is found at ${rawPath}`
          return { kind: 'broken', reason, near: pageNear(target) }
        }
        const near = files === 'bare' && !isExchanged ? pageNear(target) : undefined
        const byFile = near !== undefined && reaches(fromPath, near) ? near : undefined
        const byName =
          links.forms?.includes('name') === true && files === 'bare'
            ? pageFrom(fromPath, path.replace(/\/$/, ''))
            : undefined
        const page = (links.relativeTo === 'url' ? (byAddress ?? byFile) : (byFile ?? byAddress)) ?? byName
        if (page !== undefined) return linkTo(page, anchor)
        const asset =
          own === undefined || url === undefined
            ? undefined
            : links.assetRoots
                .map((assets) => fileAt(joinPath(assets, url)))
                .find((found) => found !== undefined)
        if (asset !== undefined) return linkTo(asset, anchor)
        // Paths of pictures in components are relative to the folder that serves them.
        const served = isAsset(path) && !path.startsWith('.') ? links.assetRoots : []
        const picture = served
          .map((assets) => fileAt(joinPath(assets, path)))
          .find((file) => file !== undefined)
        if (picture !== undefined) return linkTo(picture, anchor)
        if (framework.name === 'markdown' && target !== undefined && isFolder(target))
          return { kind: 'asset', path: target === '' ? '' : `${target.replace(/\/$/, '')}/` }
        if (url !== undefined) {
          const moved = redirected(url, anchor)
          if (moved) return moved
          const isElsewhere = target !== undefined && paths.has(target)
          if ((!isElsewhere && links.isOpen?.(path, target) === true) || links.mayExist(url))
            return { kind: 'external' }
        }
      }
    }
    const prefix = absolute ? links.prefixes.find((one) => path.startsWith(`${one}/`)) : undefined
    const inside = path.slice(prefix?.length ?? 0)
    if (absolute && !markdownEnding.test(path) && (links.mayExist(inside) || links.elsewhere(inside))) {
      return { kind: 'external' }
    }
    const places = absolute
      ? [root, ...links.assetRoots].map((place) => joinPath(place, path))
      : [joinPath(folder, path), joinPath(root, relativeUrl(urlOf(fromPath) ?? '/', path))]
    if (places.some(isMade)) return { kind: 'external' }
    const folderOfPages = links.opensFolders === true ? places.find(hasPages) : undefined
    if (folderOfPages !== undefined) return { kind: 'asset', path: `${folderOfPages.replace(/\/$/, '')}/` }
    const place = markdownEnding.test(plainPath) ? joinPath(absolute ? root : folder, plainPath) : undefined
    const named = place !== undefined && members.has(place) ? place : undefined
    // What is not built itself may lead to others that are built with it.
    if (named !== undefined && links.isBuilt?.(fromPath) === false) return linkTo(named, anchor)
    return {
      kind: 'broken',
      reason: `no page or file of the repository is at ${rawPath}`,
      near: nearest(path),
      ...(named !== undefined && { names: named }),
    }
  }

  const reaches = (fromPath: string, toPath: string): boolean =>
    !members.has(toPath) || links.reaches?.(fromPath, toPath) !== false

  /** A file that a link may name: the source of a page only where the generator turns it into the address. */
  const servedAt = (path: string | undefined, files: NonNullable<typeof links.files>): string | undefined => {
    const file = fileAt(path)
    return file !== undefined && files === 'none' && members.has(file) ? undefined : file
  }

  const isBesidePages = (path: string): boolean => {
    firsts ??= new Set([...byUrl.keys()].map((url) => url.split('/', 2)[1] ?? ''))
    const inside = withoutBase(path).split(/[?#]/, 1)[0] ?? ''
    return inside.split('/').length > 2 && firsts.has(inside.split('/', 2)[1] ?? '')
  }

  const missingBase = (path: string, isRaw: boolean): ResolvedLink | undefined =>
    baseFault(path, isRaw, {
      ...links,
      near: pageAt,
      isKnown: (one) => redirectOf(redirects, one) !== undefined,
      isBesidePages,
    })

  return resolveLink
}
