/** Markups besides Markdown: their pages are read as Markdown, with the lines that it is made of. */
export type Markup = 'restructured' | 'asciidoc'

/** The markup of a file by its name; undefined for Markdown and for what is no page. `.txt` is one where a site says so. */
export function markupOf(path: string): Markup | undefined {
  if (/\.adoc$/i.test(path)) return 'asciidoc'
  return /\.(?:rst|rest|txt)$/i.test(path) ? 'restructured' : undefined
}

/** Whether a file is a page by its name alone: Markdown, or another markup by the ending that is only for it. */
export function isPageFile(path: string): boolean {
  return /\.(?:md|mdx|markdown|rst|adoc)$/i.test(path)
}
