import { setImmediate as nextTurn } from 'node:timers/promises'
import { raw } from 'hono/html'
import type { StoredPage } from '../../../features/docs/pages.ts'
import type { Project } from '../../../features/projects/projects.ts'
import { readsAllAsMdx } from '../../../site/frameworks/dialects.ts'
import type { Html } from '../../frame/html/html.ts'
import { docsPath, imagePath } from '../docs-path.ts'
import type { Links } from '../page-links.ts'
import type { ReadMarkdown } from './read-markdown.ts'

/** Whether a page may hold components. */
export function holdsComponents(path: string, framework: string | null | undefined): boolean {
  return /\.mdx$/i.test(path) || readsAllAsMdx(framework)
}

/** The images of the repository that addresses on a page mean, by address, as ids of their content. */
export type FindImages = (
  project: Project,
  page: StoredPage,
  addresses: readonly string[],
) => Promise<Record<string, string>>

/** Links between two turns of other work. */
export const resolvedAtOnce = 200

/** What a page of the documentation is read as, whatever is printed of it. */
export function readingOf(
  project: Project,
  { path, title, content, sections: whole }: StoredPage,
  form: 'page' | 'parts',
): Omit<Parameters<ReadMarkdown>[0], 'showAddresses'> {
  // The texts of the sections would only be copied.
  const sections = whole.map(({ headings, anchor }) => ({ headings, anchor }))
  return {
    projectId: project.id,
    markdown: content,
    mdx: holdsComponents(path, project.framework),
    images: true,
    isPage: true,
    path,
    printed: { form, title, sections },
  }
}

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
  const text = await read({
    ...readingOf(project, page, 'page'),
    async showAddresses(written) {
      const oids = written.images.length === 0 ? {} : await findImages(project, page, written.images)
      const images = written.images.map((src) => {
        const oid = Object.hasOwn(oids, src) ? oids[src] : undefined
        return oid === undefined ? null : imagePath(project.domain, oid)
      })
      const hrefs: (string | null)[] = []
      for (const href of written.links) {
        const internal = links(page, href)
        hrefs.push(internal === undefined ? null : docsPath(project.domain, internal))
        if (hrefs.length % resolvedAtOnce === 0) await nextTurn()
      }
      return { images, links: hrefs }
    },
  })
  return text === undefined ? undefined : raw(text)
}
