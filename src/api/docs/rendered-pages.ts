import { raw } from 'hono/html'
import type { StoredPage } from '../../features/docs/pages.ts'
import type { Project } from '../../features/projects/projects.ts'
import type { Html } from '../frame/html/html.ts'
import type { ReadMarkdown } from '../render/markdown/read-markdown.ts'
import { plain } from '../render/markdown/render-markdown.ts'
import { renderPage, type FindImages } from '../render/markdown/render-page.ts'
import type { Links } from '../render/page-links.ts'
import { versionOf } from './navigation/page-list.ts'

const maximumCharacters = 20_000_000

/**
 * Caches rendered pages until the site's pages change: these pages may be open to anyone, and rendering is
 * expensive.
 */
export function createRenderedPages(
  read: ReadMarkdown,
  findImages: FindImages,
): (project: Project, page: StoredPage, links: Links) => Promise<Html> {
  const kept = new Map<string, string>()
  let characters = 0
  return async (project, page, links) => {
    // An image may change without any page.
    const key = `${project.id}\n${versionOf(project)}\n${page.path}`
    let text = kept.get(key)
    if (text === undefined) {
      let isWhole = true
      const find: FindImages = (...args) =>
        findImages(...args).catch(() => {
          isWhole = false
          return {}
        })
      text = (await renderPage(read, project, page, links, find))?.toString()
      // This is not cached: rendering may succeed when the server has less to do.
      if (text === undefined) return plain(page.content)
      if (!isWhole) return raw(text)
      if (!kept.has(key)) characters += text.length
    }
    // A map keeps the order of insertion, and every read inserts the page again, so the least recently read page is
    // dropped first.
    kept.delete(key)
    kept.set(key, text)
    for (const [oldest, content] of kept) {
      if (characters <= maximumCharacters || oldest === key) break
      kept.delete(oldest)
      characters -= content.length
    }
    return raw(text)
  }
}
