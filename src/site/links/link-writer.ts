import { encodeHref, splitHref } from './href.ts'
import { type LinkForm, readLinkForm } from '../markdown/link-forms.ts'
import { markdownEnding, markupOf } from '../text/markup.ts'
import { withoutExtension } from './page-path.ts'
import { folderOf, relativePath } from '../text/paths.ts'
import type { Framework, FrameworkName, Site } from '../site.ts'

/** Writes a link in the style of another one. */
export function linkWriter(site: {
  framework: Framework
  /** Undefined when the path is not a page. */
  urlOf: (path: string) => string | undefined
}): Site['linkTo'] {
  const { framework, urlOf } = site
  const { links, root } = framework
  /** The target of a link in the framework's notation, as that of `like` is written. */
  const targetOf = (form: LinkForm, fromPath: string, toPath: string): string | undefined => {
    const { path, suffix } = splitHref(form.target)
    const inside = insideOf(toPath, root)
    const like = (name: string) =>
      `${markdownEnding.test(path) ? name : withoutExtension(name).replace(/(?:^|\/)_?index$/, '')}${suffix}`
    switch (form.kind) {
      case 'file':
        return `${inside}${suffix}`
      case 'address': {
        const link = write(fromPath, toPath, `/${form.target.replace(/^\/+/, '')}`, 'none')
        return form.target.startsWith('/') ? link : link.replace(/^\//, '')
      }
      case 'document':
        return path.startsWith('/')
          ? `/${withoutExtension(inside)}`
          : withoutExtension(relativePath(folderOf(fromPath), toPath, path.startsWith('./')))
      case 'name': {
        // The name of a page is the same in all languages.
        const nameOf = (path: string) =>
          links.findsInLanguage === true ? (framework.identityOf?.(path) ?? path) : path
        const named = nameOf(toPath)
        return path.startsWith('.')
          ? like(relativePath(folderOf(nameOf(fromPath)), named))
          : like(`/${insideOf(named, root)}`)
      }
      case 'source':
        return path.startsWith('/')
          ? `/${inside}`
          : relativePath(folderOf(fromPath), toPath, path.startsWith('./'))
      case 'resource':
        return `${links.resourceTo?.(fromPath, toPath, { ...form, target: path }) ?? path}${suffix}`
      default:
        return undefined
    }
  }
  const write = (
    fromPath: string,
    toPath: string,
    like: string,
    base: 'usual' | 'none' | 'kept' = 'usual',
  ): string => {
    // The site's own address stays before the path.
    const [origin = ''] = framework.address === undefined ? [] : (/^https?:\/\/[^/]+(?=\/)/i.exec(like) ?? [])
    if (origin !== '') return `${origin}${write(fromPath, toPath, like.slice(origin.length), 'kept')}`
    const form = readLinkForm(like)
    if (form !== undefined && links.forms?.includes(form.kind) === true) {
      const target = targetOf(form, fromPath, toPath)
      return target === undefined ? like : form.write(target)
    }
    const { path: old, suffix } = splitHref(like)
    const encoded = (path: string) => encodeHref(path, old)
    const url = urlOf(toPath)
    const extension = markdownEnding.exec(old)?.[0]
    if (old === '' && fromPath === toPath) return suffix
    if (old.startsWith('/')) {
      const written = links.prefixes.find((prefix) => old.startsWith(`${prefix}/`)) ?? ''
      const prefix =
        base === 'kept'
          ? written
          : links.base === 'added' || base === 'none'
            ? ''
            : links.base === 'written'
              ? (links.prefixes[0] ?? '')
              : written
      if (extension !== undefined) return `${prefix}/${encoded(insideOf(toPath, root))}${suffix}`
      if (links.hasNamesOnly === true && url !== undefined && !old.endsWith('.html'))
        return `/${encoded(withoutExtension(insideOf(toPath, root)))}${suffix}`
      if (url === undefined) {
        const assets = links.assetRoots.find((assets) => toPath.startsWith(assets)) ?? ''
        return `${prefix}/${encoded(toPath.slice(assets.length))}${suffix}`
      }
      return `${prefix}${encoded(likeEnding(framework.name, url, old))}${suffix}`
    }
    const dotted = old.startsWith('./')
    // The README of a folder is called `index` where only the ending of the name is exchanged.
    const file = links.asHtml === true ? toPath.replace(/(^|\/)README(?=\.[^./]+$)/, '$1index') : toPath
    if (extension !== undefined || old === '' || url === undefined)
      return `${encoded(relativePath(folderOf(fromPath), file, dotted))}${suffix}`
    const own = urlOf(fromPath)
    if (links.relativeTo === 'url' && own !== undefined) {
      return `${encoded(likeEnding(framework.name, relativePath(folderOf(own).slice(1), url.slice(1), dotted), old))}${suffix}`
    }
    const bare = withoutExtension(toPath).replace(/(?:^|(?<=\/))_?(?:index|readme)$/i, '')
    const isFolder = bare.endsWith('/') || bare === ''
    if (links.hasNamesOnly === true && old.endsWith('.html') && markupOf(fromPath) === undefined)
      return `${encoded(relativePath(folderOf(fromPath), toPath, dotted))}${suffix}`
    const ending = isFolder
      ? (/(?:^|\/)index\.html$/.exec(old)?.[0].slice(-10) ?? '')
      : old.endsWith('.html')
        ? '.html'
        : ''
    return `${encoded(relativePath(folderOf(fromPath), bare, dotted))}${ending}${suffix}`
  }
  return write
}

/** An address with or without an extension or a slash at its end, as `like` has it and the framework allows. */
function likeEnding(name: FrameworkName, url: string, like: string): string {
  if (name === 'vitepress') {
    const bare = url.replace(/\.html$/, '')
    return like.endsWith('.html') && !bare.endsWith('/') ? `${bare}.html` : bare
  }
  // These serve every page with a slash; in others, the slash distinguishes a folder's page.
  const optional = ['starlight', 'mkdocs', 'hugo', 'jekyll'].includes(name) && !url.endsWith('.html')
  return optional && !like.endsWith('/') ? url.replace(/(?<=[^/.])\/$/, '') : url
}

function insideOf(path: string, root: string): string {
  return path.startsWith(root) ? path.slice(root.length) : path
}
