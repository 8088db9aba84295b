import { setImmediate as nextTurn } from 'node:timers/promises'
import type { StoredPage } from '../../features/docs/pages.ts'
import type { Project } from '../../features/projects/projects.ts'
import { endingSignal } from '../../lib/ending-signal.ts'
import { createFairQueue } from '../../lib/fair-queue.ts'
import { createTextThread, ThreadFailure } from '../../lib/threads/text-thread.ts'
import { findFrontMatter } from '../../site/markdown/front-matter.ts'
import type { Links } from '../render/page-links.ts'

/** A link's address as it stands in a text, at `[start, end)`. */
interface WrittenLink {
  start: number
  end: number
  href: string
}

export interface LinksThread {
  task: string
  answer: WrittenLink[]
}

/** The address at which a reader opens a page of the site, absolute. */
type LinkOf = (project: Project, url: string, anchor: string | undefined) => string

/** A page's Markdown for programs: it begins with its title, and links to other pages are absolute. */
export type WriteMarkdown = (project: Project, page: StoredPage, links: Links) => Promise<string>

/** Links between two turns of other work. */
const resolvedAtOnce = 200
/** Characters; the links of longer pages are left as they are. */
const longestPage = 500_000
const module = new URL('links.worker.ts', import.meta.url)

/**
 * Links are looked for in a thread with a deadline, which is another one than that of the rendered pages: programs
 * read whole sites, and people should not wait for them. Projects take turns. When there is no time, links are left
 * as they are.
 * @param deadline milliseconds for one page
 */
export function createMarkdownWriter(linkOf: LinkOf, deadline = 2000): WriteMarkdown {
  const thread = createTextThread<LinksThread>(module, { deadline, memory: 256 })
  const queue = createFairQueue({ atOnce: 1, each: 1, waiting: { each: 8_000_000, all: 64_000_000 } })
  const linksIn = async (projectId: string, text: string): Promise<WrittenLink[]> => {
    if (text.length > longestPage || !/[\](=]/.test(text)) return []
    using waiting = endingSignal({ milliseconds: 10_000 })
    const leave = await queue.enter(projectId, text.length, waiting.signal).catch(() => undefined)
    if (!leave) return []
    try {
      return await thread.run(text)
    } catch (error) {
      if (error instanceof ThreadFailure) return []
      throw error
    } finally {
      leave()
    }
  }
  return async (project, page, links) => {
    const { content, title, description } = page
    const from = findFrontMatter(content)?.bodyStart ?? 0
    const parts: string[] = []
    let at = from
    let resolved = 0
    for (const { start, end, href } of await linksIn(project.id, content)) {
      if (start < at) continue
      if (++resolved % resolvedAtOnce === 0) await nextTurn()
      const address = addressOf(project, href, links(page, href), linkOf)
      if (address === undefined) continue
      parts.push(content.slice(at, start), address)
      at = end
    }
    const body = `${parts.join('')}${content.slice(at)}`.trim()
    const heading = body.startsWith('# ') ? '' : `# ${oneLine(title)}\n\n${quoteOf(description)}`
    return `${heading}${body}\n`
  }
}

function quoteOf(description: string | undefined): string {
  return description === undefined ? '' : `> ${oneLine(description)}\n\n`
}

/** @param target path on the site that the link leads to; undefined where it leads to no page */
function addressOf(
  project: Project,
  href: string,
  target: string | undefined,
  linkOf: LinkOf,
): string | undefined {
  if (href.startsWith('#')) return undefined
  const [url, fragment] = target?.split('#', 2) ?? []
  if (url !== undefined)
    return inMarkdown(linkOf(project, url, undefined) + (fragment === undefined ? '' : `#${fragment}`))
  const isOfSite = href.startsWith('/') && !href.startsWith('//') && project.settings.site !== undefined
  return isOfSite ? inMarkdown(`${project.settings.site}${href}`) : undefined
}

const escapes: Readonly<Record<string, string>> = {
  '(': '%28',
  ')': '%29',
  "'": '%27',
  '"': '%22',
  ' ': '%20',
}

/** An address that ends neither a Markdown link nor an attribute. */
function inMarkdown(address: string): string {
  return address.replaceAll(/[()'" ]/g, (character) => escapes[character] ?? character)
}

export function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim()
}
