import type { Dialect } from './dialect.ts'

/** A documentation page as the site shows it, split at its headings. */
export interface Page {
  /** File path in the repository, with forward slashes. */
  path: string
  /** Path on the site without origin, as the framework makes it: `/guides/install`. */
  url: string
  title: string
  description: string | undefined
  /** BCP 47 tag as the site spells it (`en`, `zh-cn`), when the site has more than one language. */
  language: string | undefined
  /** Version label as the site spells it (`v2`, `7.5`), when the site has more than one version. */
  version: string | undefined
  /** Groups of readers from its front matter: who is in none of them does not see it. */
  groups: string[]
  /** Tags and categories from its front matter, which narrow a search. */
  tags?: string[]
  /** In reading order; the first one holds what stands before the first heading. */
  sections: Section[]
  /** The site keeps it out of its own search and navigation (draft, hidden, unlisted). */
  hidden?: boolean
}

export interface Section {
  /** Headings from the page's top down to this section, the page title left out. */
  headings: string[]
  /** Fragment of the innermost heading as the framework makes it, without `#`. */
  anchor: string | undefined
  /** Plain text: no markup, link texts kept, code kept as it stands: fenced as on the page, inline in backticks. */
  text: string
}

export type FrontMatterData = Readonly<Record<string, unknown>>

/** What a page's path, the navigation and its front matter say about it. */
export interface SitePage {
  /** Path on the site, without origin and without the base path below which a site is served. */
  url: string
  language: string | undefined
  version: string | undefined
  /** Its title in the navigation. */
  navTitle: string | undefined
  /** True as well where the files do not show what is in the navigation. */
  inNavigation: boolean
  /** The site keeps it out of its own search. */
  hidden: boolean
}

/** How a site makes pages of its files. */
export interface PageRules {
  /** Works for any path, even if there is no file yet; undefined where the site would make no page. */
  pageFor: (path: string, frontMatter?: FrontMatterData) => SitePage | undefined
  dialectOf: (path: string) => Dialect
}

/** A line of a page with the place where it is written: in the page's own file, or in one that it includes. */
export interface PageLine {
  text: string
  path: string
  /** From 1. */
  line: number
}
