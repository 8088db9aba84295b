import { raw } from 'hono/html'
import type { StoredPage } from '../../../features/docs/pages.ts'
import type { Project } from '../../../features/projects/projects.ts'
import type { Html } from '../../dashboard/html/html.ts'
import { docsPath, imagePath } from '../docs-path.ts'
import type { Links } from '../page-links.ts'
import { printTree } from './print-tree.ts'
import type { ReadMarkdown } from './read-markdown.ts'
import { showAsText } from './to-tree.ts'
import { nestHeadings, setAnchors } from './set-anchors.ts'
import { elementsOf, letKeysScroll, textOf, type Tree } from './tree.ts'

/** Frameworks that allow components in every page, whatever its extension. */
const alwaysMdx = new Set(['mintlify', 'docusaurus'])

/** Whether a page may hold components. */
export function holdsComponents(path: string, framework: string | null | undefined): boolean {
  return /\.mdx$/i.test(path) || alwaysMdx.has(framework ?? '')
}

/** The images of the repository that addresses on a page mean, by address, as ids of their content. */
export type FindImages = (
  project: Project,
  page: StoredPage,
  addresses: readonly string[],
) => Promise<Record<string, string>>

/**
 * Renders the content of a page without its title, which the layout shows. Undefined when it cannot be parsed now.
 */
export async function renderPage(
  read: ReadMarkdown,
  project: Project,
  page: StoredPage,
  links: Links,
  findImages: FindImages,
): Promise<Html | undefined> {
  const mdx = holdsComponents(page.path, project.framework)
  const tree = await read({ projectId: project.id, markdown: page.content, mdx, images: true, isPage: true })
  if (!tree) return undefined
  setAnchors(tree, page)
  nestHeadings(tree)
  for (const element of elementsOf(tree)) letKeysScroll(element)
  await showImages(tree, project.domain, (addresses) => findImages(project, page, addresses))
  rewriteLinks(tree, project.domain, (href) => links(page, href))
  return raw(await printTree(tree))
}

/** Images of the repository are shown. Others would be loaded from other sites, and become their alternative text. */
async function showImages(
  tree: Tree,
  domain: string,
  find: (addresses: string[]) => Promise<Record<string, string>>,
): Promise<void> {
  const images = [...elementsOf(tree)].filter(({ tagName }) => tagName === 'img')
  if (images.length === 0) return
  const found = await find(images.map(({ properties }) => properties['src'] ?? ''))
  for (const image of images) {
    const { src, alt } = image.properties
    const oid = typeof src === 'string' && Object.hasOwn(found, src) ? found[src] : undefined
    if (oid === undefined) showAsText(image, typeof alt === 'string' ? alt : '')
    else
      image.properties = { ...image.properties, src: imagePath(domain, oid), alt: alt ?? '', loading: 'lazy' }
  }
}

/** Links to pages stay on this server, links to the web are kept, and all other links become text. */
function rewriteLinks(tree: Tree, domain: string, resolve: (href: string) => string | undefined): void {
  for (const element of elementsOf(tree)) {
    if (element.tagName !== 'a') continue
    const href = element.properties['href']
    if (typeof href === 'string' && href.startsWith('#')) continue
    const internal = typeof href === 'string' ? resolve(href) : undefined
    if (internal !== undefined) element.properties['href'] = docsPath(domain, internal)
    else if (typeof href === 'string' && /^https?:\/\//i.test(href))
      element.properties['rel'] = ['nofollow', 'noreferrer', 'noopener']
    else {
      element.tagName = 'span'
      // A place without a link, or an image that leads to its file.
      const isPlain = href === undefined || textOf(element).trim() === ''
      element.properties = isPlain ? {} : { className: ['dead-link'], title: 'This link leads to no page' }
    }
  }
}
