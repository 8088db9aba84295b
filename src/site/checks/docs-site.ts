import type { NavigationFile } from '../scripts/navigation-files.ts'
import type { CodeSite } from '../scripts/read-navigation.ts'

/** A docs site as the agent's tools need it. Another feature makes it; only this much of it is used here. */
export interface DocsSite {
  framework: string
  /** Folder of the pages: `''` or with a slash at its end. */
  root: string
  /** Files whose change changes the site as a whole, whether they exist or not. */
  configPaths: readonly string[]
  /** Every page's path, in the order of the navigation, then by path. */
  pages: readonly string[]
  collisions: readonly { url: string; paths: readonly string[] }[]
  /** From address to address. */
  redirects: ReadonlyMap<string, string>
  /** Where its navigation is in code, for the frameworks that have it there. */
  code?: CodeSite
  /** The files of code with navigation in them, and where in them it may be edited. */
  navigationFiles: readonly NavigationFile[]
  /** How a page is read: with the same dialect, the same text has the same fragments. */
  dialectOf(path: string): unknown
  pageFor(path: string, frontMatter?: Readonly<Record<string, unknown>>): SitePage | undefined
  resolveLink(fromPath: string, href: string): ResolvedLink
  /** The link from one page to another page or asset, written as `like` is; its query and fragment are kept. */
  linkTo(fromPath: string, toPath: string, like: string): string
}

interface SitePage {
  url: string
  language: string | undefined
  version: string | undefined
  navTitle: string | undefined
  inNavigation: boolean
}

type ResolvedLink =
  | { kind: 'page'; path: string; anchor: string | undefined; redirected: boolean }
  | { kind: 'asset'; path: string }
  | { kind: 'external' }
  | { kind: 'broken'; reason: string }

/** `[start, end)` holds the href alone, in the original text. Lines count from 1. */
export interface Link {
  kind: 'link' | 'image' | 'definition' | 'attribute'
  href: string
  /** An attribute's name. */
  text: string
  start: number
  end: number
  line: number
}

export interface FrontMatter {
  data: Readonly<Record<string, unknown>>
  bodyStart: number
  problem: string | undefined
}

/** A line of a page's source, without its line end, and what it is part of. */
export interface PageLine {
  text: string
  /** Its offset in the source. */
  start: number
  kind: 'front_matter' | 'opening' | 'code' | 'closing' | 'comment' | 'text'
  /** What stands behind the opening of a fenced code block. */
  info?: string
}

/** The functions of the docs feature that the tools are built on. None of them throws on any text. */
export interface DocsFunctions<Site extends DocsSite = DocsSite> {
  createSite(
    read: (path: string) => Promise<string | undefined>,
    input: { paths: Iterable<string>; root: string; urls?: ReadonlyMap<string, string> },
  ): Promise<Site>
  extractLinks(text: string): Link[]
  /** Every fragment that a link to the page may name. The site is one that `createSite` made. */
  anchorsOf(site: Site, path: string, text: string): ReadonlySet<string>
  readFrontMatter(text: string): FrontMatter
  /** All lines; an opening without a closing before the next one is a code block that is not closed. */
  readPageLines(text: string): PageLine[]
}
