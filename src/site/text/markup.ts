/** Markups besides Markdown: their pages are read as Markdown, with the lines that it is made of. */
export type Markup = 'restructured' | 'asciidoc'

/** The markup of a file by its name; undefined for Markdown and for what is no page. `.txt` is one where a site says so. */
export function markupOf(path: string): Markup | undefined {
  if (/\.adoc$/i.test(path)) return 'asciidoc'
  return /\.(?:rst|rest|txt)$/i.test(path) ? 'restructured' : undefined
}

/** How the name of a page in Markdown ends. */
export const markdownEnding = /\.(?:md|mdx|markdown)$/i

/** How the name of a page ends, in any markup. `.txt` is left out: most of them are none. */
export const pageEnding = /\.(?:md|mdx|markdown|rst|adoc)$/i
