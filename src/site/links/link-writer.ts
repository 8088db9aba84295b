import { encodeHref, splitHref } from './link-resolver.ts'
import { withoutExtension } from './page-path.ts'
import { folderOf, relativePath } from '../text/paths.ts'
import type { Framework, FrameworkName, Site } from '../frameworks/site.ts'

const pageFile = /\.(?:md|mdx|markdown)$/i

/** Writes a link in the style of another one. */
export function linkWriter(site: {
  framework: Framework
  /** Undefined when the path is not a page. */
  urlOf: (path: string) => string | undefined
}): Site['linkTo'] {
  const { framework, urlOf } = site
  const { links, root } = framework
  return (fromPath: string, toPath: string, like: string): string => {
    const { path: old, suffix } = splitHref(like)
    const encoded = (path: string) => encodeHref(path, old)
    const url = urlOf(toPath)
    const extension = pageFile.exec(old)?.[0]
    if (old === '' && fromPath === toPath) return suffix
    if (old.startsWith('/')) {
      const prefix = links.prefixes.find((prefix) => old.startsWith(`${prefix}/`)) ?? ''
      if (extension !== undefined) return `${prefix}/${encoded(insideOf(toPath, root))}${suffix}`
      if (url === undefined) {
        const assets = links.assetRoots.find((assets) => toPath.startsWith(assets)) ?? ''
        return `${prefix}/${encoded(toPath.slice(assets.length))}${suffix}`
      }
      return `${prefix}${encoded(likeEnding(framework.name, url, old))}${suffix}`
    }
    const dotted = old.startsWith('./')
    if (extension !== undefined || old === '' || url === undefined)
      return `${encoded(relativePath(folderOf(fromPath), toPath, dotted))}${suffix}`
    const own = urlOf(fromPath)
    if (links.relativeTo === 'url' && own !== undefined) {
      return `${encoded(likeEnding(framework.name, relativePath(folderOf(own).slice(1), url.slice(1), dotted), old))}${suffix}`
    }
    const bare = withoutExtension(toPath).replace(/(?:^|(?<=\/))(?:index|readme)$/i, '')
    const ending = old.endsWith('.html') && !bare.endsWith('/') && bare !== '' ? '.html' : ''
    return `${encoded(relativePath(folderOf(fromPath), bare, dotted))}${ending}${suffix}`
  }
}

/** An address with or without an extension or a slash at its end, as `like` has it and the framework allows. */
function likeEnding(name: FrameworkName, url: string, like: string): string {
  if (name === 'vitepress') {
    const bare = url.replace(/\.html$/, '')
    return like.endsWith('.html') && !bare.endsWith('/') ? `${bare}.html` : bare
  }
  // These two serve every page with a slash; in others, the slash distinguishes a folder's page.
  const optional = name === 'starlight' || (name === 'mkdocs' && !url.endsWith('.html'))
  return optional && !like.endsWith('/') ? url.replace(/(?<=[^/.])\/$/, '') : url
}

function insideOf(path: string, root: string): string {
  return path.startsWith(root) ? path.slice(root.length) : path
}
