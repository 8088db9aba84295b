import { html, raw } from 'hono/html'
import type { Html } from '../dashboard/html/html.ts'
import { printTree } from './print-tree.ts'
import type { ReadMarkdown } from './read-markdown.ts'
import { elementsOf } from './tree.ts'

/** Renders the Markdown of a model or a person as HTML. Only links to http and https stay links. */
export async function renderMarkdown(read: ReadMarkdown, projectId: string, markdown: string): Promise<Html> {
  const tree = await read({ projectId, markdown, mdx: false })
  if (!tree) return plain(markdown)
  for (const element of elementsOf(tree)) {
    // A heading of the text must not outrank those of the page.
    const level = /^h([1-4])$/.exec(element.tagName)?.[1]
    if (level !== undefined) element.tagName = `h${Number(level) + 2}`
    // Code that is too wide scrolls, which the keyboard must be able to do as well.
    if (element.tagName === 'pre') element.properties['tabIndex'] = 0
    if (element.tagName !== 'a') continue
    const { href } = element.properties
    if (typeof href !== 'string' || !/^(?:https?:\/\/|#)/i.test(href)) {
      element.tagName = 'span'
      element.properties = {}
    } else if (!href.startsWith('#')) element.properties['rel'] = ['nofollow', 'noreferrer', 'noopener']
  }
  return raw(await printTree(tree))
}

/** The source of a text that cannot be rendered, shortened if it is too long. */
export function plain(markdown: string): Html {
  const limit = 1_000_000
  const text = markdown.length > limit ? `${markdown.slice(0, limit)}\n…` : markdown
  return html`<pre class="source">${text}</pre>`
}
