import { setImmediate as nextTurn } from 'node:timers/promises'
import { z } from 'zod'
import type { StoredPage } from '../../features/docs/pages.ts'
import type { Project } from '../../features/projects/projects.ts'
import { findFrontMatter } from '../../site/markdown/front-matter.ts'
import type { ReadMarkdown } from '../render/markdown/read-markdown.ts'
import { readingOf, resolvedAtOnce } from '../render/markdown/render-page.ts'
import type { Links } from '../render/page-links.ts'

/** The address at which a reader opens a page of the site, absolute. */
type LinkOf = (project: Project, url: string, anchor: string | undefined) => string

const partSchema = z.object({
  anchor: z.string().optional(),
  heading: z.object({ level: z.number(), text: z.string() }).optional(),
  markdown: z.string(),
})

/** A part of a page, from one heading to before the next. */
export type WrittenPart = z.infer<typeof partSchema>

/**
 * A page as Markdown for programs, in parts from heading to heading: the title first, components as what they show, links
 * to other pages absolute.
 */
export type WriteParts = (project: Project, page: StoredPage, links: Links) => Promise<WrittenPart[]>

/** The same as one text. */
export type WriteMarkdown = (project: Project, page: StoredPage, links: Links) => Promise<string>

/**
 * @param read a reader for programs alone: they read whole sites, and people should not wait for them. A page that it
 * cannot read in time is written as the index knows it, without marks.
 */
export function createPartsWriter(linkOf: LinkOf, read: ReadMarkdown): WriteParts {
  return async (project, page, links) => {
    const { title, description } = page
    const written = await read({
      ...readingOf(project, page, 'parts'),
      async showAddresses({ links: hrefs }) {
        const addresses: (string | null)[] = []
        for (const href of hrefs) {
          addresses.push(addressOf(project, href, links(page, href), linkOf) ?? null)
          if (addresses.length % resolvedAtOnce === 0) await nextTurn()
        }
        return { images: [], links: addresses }
      },
    })
    const parts = written === undefined ? indexedParts(page) : z.array(partSchema).parse(JSON.parse(written))
    const [first] = parts
    if (first?.heading?.level === 1) return parts
    const quote = description === undefined ? [] : [`> ${oneLine(description)}`]
    return [{ markdown: [`# ${oneLine(title)}`, ...quote].join('\n\n') }, ...parts]
  }
}

export function createMarkdownWriter(writeParts: WriteParts): WriteMarkdown {
  return async (...page) => {
    const parts = await writeParts(...page)
    return `${parts.map(({ markdown }) => markdown).join('\n\n')}\n`
  }
}

function indexedParts({ sections, content }: StoredPage): WrittenPart[] {
  if (sections.every(({ text }) => text === ''))
    return [{ markdown: content.slice(findFrontMatter(content)?.bodyStart ?? 0).trim() }]
  return sections.map(({ headings, anchor, text }) => {
    const last = headings.at(-1)
    if (last === undefined) return { markdown: text }
    const level = Math.min(6, headings.length + 1)
    return {
      ...(anchor !== undefined && { anchor }),
      heading: { level, text: last },
      markdown: [`${'#'.repeat(level)} ${last}`, ...(text === '' ? [] : [text])].join('\n\n'),
    }
  })
}

/** @param target path on the site that the link leads to; undefined where it leads to no page */
function addressOf(
  project: Project,
  href: string,
  target: string | undefined,
  linkOf: LinkOf,
): string | undefined {
  const [url, fragment] = target?.split('#', 2) ?? []
  if (url !== undefined)
    return linkOf(project, url, undefined) + (fragment === undefined ? '' : `#${fragment}`)
  const isOfSite = href.startsWith('/') && !href.startsWith('//') && project.settings.site !== undefined
  return isOfSite ? `${project.settings.site}${href}` : undefined
}

export function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim()
}
