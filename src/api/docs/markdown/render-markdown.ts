import { html, raw } from 'hono/html'
import type { Html } from '../../dashboard/html/html.ts'
import { printTree } from './print-tree.ts'
import type { ReadMarkdown } from './read-markdown.ts'
import { elementsOf, letKeysScroll, textOf, type Tree } from './tree.ts'

/** Renders the Markdown of a model or a person as HTML. Only links to http and https stay links. */
export async function renderMarkdown(read: ReadMarkdown, projectId: string, markdown: string): Promise<Html> {
  const tree = await read({ projectId, markdown, mdx: false })
  if (!tree) return plain(markdown)
  for (const element of elementsOf(tree)) {
    letKeysScroll(element)
    if (element.tagName !== 'a') continue
    const { href } = element.properties
    if (typeof href !== 'string' || !/^(?:https?:\/\/|#)/i.test(href)) {
      element.tagName = 'span'
      element.properties = {}
    } else if (!href.startsWith('#')) element.properties['rel'] = ['nofollow', 'noreferrer', 'noopener']
  }
  lowerHeadings(tree)
  return raw(await printTree(tree))
}

/** The first words of such a text on one line, without its marks. */
export async function excerptOf(read: ReadMarkdown, projectId: string, markdown: string): Promise<string> {
  const tree = await read({ projectId, markdown, mdx: false })
  const text = tree === undefined ? markdown : textOf(tree)
  const line = text.replaceAll(/\s+/g, ' ').trim()
  return line.length > 120 ? `${line.slice(0, 120).toWellFormed()}…` : line
}

/** The headings of a text begin below the second level, which is the page's, and leave no level out. */
function lowerHeadings(tree: Tree): void {
  const headings = [...elementsOf(tree)].filter(({ tagName }) => /^h[1-6]$/.test(tagName))
  const used = [...new Set(headings.map(({ tagName }) => tagName))].toSorted()
  let above = 2
  for (const heading of headings) {
    above = Math.min(3 + used.indexOf(heading.tagName), above + 1, 6)
    heading.tagName = `h${above}`
  }
}

/** The source of a text that cannot be rendered, shortened if it is too long. */
export function plain(markdown: string): Html {
  const limit = 1_000_000
  const text = markdown.length > limit ? `${markdown.slice(0, limit)}\n…` : markdown
  return html`<pre class="source">${text}</pre>`
}
