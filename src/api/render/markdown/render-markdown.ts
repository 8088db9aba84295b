import { html, raw } from 'hono/html'
import type { Html } from '../../frame/html/html.ts'
import type { ReadMarkdown } from './read-markdown.ts'

/** Renders the Markdown of a model or a person as HTML. Only links to http and https stay links. */
export async function renderMarkdown(read: ReadMarkdown, projectId: string, markdown: string): Promise<Html> {
  const text = await read({ projectId, markdown, mdx: false, printed: { form: 'text' } })
  return text === undefined ? plain(markdown) : raw(text)
}

/** The first words of such a text on one line, without its marks. */
export async function excerptOf(read: ReadMarkdown, projectId: string, markdown: string): Promise<string> {
  const text = await read({ projectId, markdown, mdx: false, printed: { form: 'line' } })
  const line = (text ?? markdown).replaceAll(/\s+/g, ' ').trim()
  return line.length > 120 ? `${line.slice(0, 120).toWellFormed()}…` : line
}

/** The source of a text that cannot be rendered, shortened if it is too long. */
export function plain(markdown: string): Html {
  const limit = 1_000_000
  const text = markdown.length > limit ? `${markdown.slice(0, limit)}\n…` : markdown
  return html`<pre class="source">${text}</pre>`
}
