import type { PageSyntax } from '../markdown/page-tree.ts'
import type { SlugStyle } from '../markdown/slug.ts'
import type { Markup } from '../text/markup.ts'
import type { HeadingRules } from './heading-rules.ts'

/** How a build reads the text of a page: what is markup, and what of it acts. */
export interface PageDialect {
  /** Tags and braces are JSX, `import` and `export` may stand between paragraphs, and indented text is never code. */
  mdx: boolean
  /** Read by Python-Markdown. */
  python: boolean
  /** A Vue template: mustaches and directives run. */
  vue: boolean
  /** Components of React: styles are objects. */
  react?: boolean
  /** A template language runs over the page: over code blocks as well (`whole`), where Hugo calls `shortcodes` alone. */
  templates: 'none' | 'live' | 'whole' | 'shortcodes'
  /** The signs of its templates that the configuration sets, each with the usual one: `[[[` for `{{`. */
  signs?: readonly (readonly [own: string, usual: string])[]
  /** Names that the configuration gives a text, so that templates may name them. */
  values?: readonly string[]
  /** What the configuration makes of a text between single backticks that has no role. */
  defaultRole?: string
  /** Of a page that is MDX: formulas between dollars are read before expressions. */
  math?: boolean
  /** Of a page that is MDX: it may be plain Markdown as well. */
  either?: boolean
  /** Of a page that is MDX by its framework: only the ending `.mdx` or its front matter makes it so. */
  detects?: boolean
  /** A markup besides Markdown, as which `.txt` is read where the configuration says so. */
  markup?: Markup
  /** The words behind a fence's language are its title. */
  titles?: boolean
}

/** How a framework reads its pages. */
export interface Dialect extends PageDialect {
  /** The syntax of its MDX; undefined where no page is MDX. */
  mdxSyntax: PageSyntax | undefined
  /** How links name headings, and how their ids on the page are made, but where `pageIds` says so. */
  slugs: SlugStyle
  pageIds?: SlugStyle
  headings: HeadingRules
  /** How the labels of tabs in the text become ids, where they do. */
  tabIds?: SlugStyle
  /** The marks whose indented text is Markdown (`!!!`, `???`, `===`), where not all of them are. */
  boxes?: readonly string[]
  /** Code of the site makes the ids of headings: only their letters and digits are known, in any case. */
  hasOwnSlugs?: boolean
  /** Of several definitions of a label the last one counts. */
  lastDefinitions?: boolean
  /** The directives of MyST are markup. */
  hasMystDirectives?: boolean
  /** HTML ends with its element, not at an empty line. */
  htmlIsWhole?: boolean
  /** Markdown at the top of the repository is for its host, and not for the site. */
  hasHostTexts?: boolean
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
