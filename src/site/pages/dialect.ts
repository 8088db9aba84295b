import type { SlugStyle } from './slug.ts'

/** What differs in how frameworks read a page. */
export interface Dialect {
  /** Tags and braces are JSX, `import` and `export` may stand between paragraphs, and indented text is never code. */
  mdx: boolean
  slugs: SlugStyle
  /** Code of the site makes the ids of headings: only their letters and digits are known, in any case. */
  hasOwnSlugs?: boolean
}

export interface Scan {
  sections: ScannedSection[]
  /** Every fragment that a link may name. */
  anchors: Set<string>
}

export interface ScannedSection {
  /** Undefined for what stands before the first heading. */
  heading: { level: number; text: string } | undefined
  anchor: string | undefined
  text: string
}
