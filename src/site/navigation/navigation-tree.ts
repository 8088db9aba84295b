import type { Edit } from '../text/text-file.ts'

/** A site's navigation as its files write it: pages in lists, each with its place in its file. */
export interface NavigationTree<Page extends TreePage<List>, List extends PageList> {
  /** In reading order; links of the top bar and the footer are among them. */
  pages: readonly Page[]
  lists: readonly List[]
  redirects: RedirectList | undefined
  /** The lists that a new page can be added to; a message where there are none, or the page needs no entry. */
  scopeOf(path: string, isPlaced: boolean): Scope<Page, List> | string
  /** Lets an entry name another page; undefined where it cannot, so that it is removed and a new one is added. */
  rename(page: Page, target: Target): Edit[] | undefined
  /** Keeps the entries of a file that moves valid, where pages are named from the file that names them. */
  follow?(page: Page, to: string): Edit[]
  /** The text of a new entry, given the indentation of its line. @throws ToolError where the list cannot name the page */
  entry(target: Target & { title: string | undefined }, place: Place<Page, List>): (indent: string) => string
  /** Makes all ways to write one address the same. */
  addressKey(url: string): string
  /** A page's address, where more of its front matter decides it than the site has read. */
  addressOf?: (path: string) => string
}

interface Target {
  path: string
  url: string
  /** The old path of a page that moves. */
  from?: string
}

export interface Scope<Page, List> {
  pages: readonly Page[]
  lists: readonly List[]
  /** Where a page goes if neither a group nor a neighbour is given. */
  usual?: List | undefined
}

/** Where an entry goes, and the entry whose style it copies. */
export interface Place<Page, List> {
  list: List
  /** Undefined for the list's end. */
  after: Span | 'nothing' | undefined
  like: Page | undefined
}

/** Where a page stands in the site's navigation. */
export interface NavigationPlace {
  /** Its title there, if it is another than its own. */
  label: string | undefined
  /** Labels of the groups that it stands in, outermost first. A page whose label is the last of them is the group's own. */
  groups: readonly string[]
}

/** A text that names a page. */
export interface NamedPage<List extends PageList = PageList> {
  file: SourceFile
  /** The text with its quotes. */
  node: Span
  text: string
  label?: string | undefined
  /** Labels of the groups that it stands in, outermost first. */
  groups: readonly string[]
  /** What is removed with the page; undefined for links of the top bar and the footer. */
  holder: Holder | undefined
  /** Undefined for a group's own page as well. */
  list: List | undefined
}

export interface TreePage<List extends PageList = PageList> extends NamedPage<List> {
  path: string | undefined
  /** Whether there is no file at the path. */
  isMissing?: boolean
  /** Whether it is an error if it names no page. Other sites, API operations and files of a build are none. */
  mustExist: boolean
  /** Whether it is written in the shorter of the format's two ways. */
  isShort: boolean
  /** Key of the address that a link leads to. */
  address?: string | undefined
  /** Set where other pages are below the entry: takes it out and leaves them in its place. */
  lift?: (() => Edit[]) | undefined
}

/** A list that entries can be added to. */
export interface PageList {
  container: Container
  /** Labels of the groups that it stands in, outermost first. */
  names: readonly string[]
  /** The name of the sidebar in the configuration, which readers do not see. */
  key?: string | undefined
  /** The group's own entry, which is removed with the last page. */
  owner?: Owner | undefined
}

export interface Owner {
  holder: Holder
  owner?: Owner | undefined
}

/** An element of a list, or a property of an object, that can be removed. */
export interface Holder {
  container: Container
  child: Span
}

/** A list or an object as it stands in a file. */
export interface Container extends Span {
  file: SourceFile
  children: readonly Span[]
  /** `dashes`: a YAML list with one entry a line. `lines`: entries are whole lines, with what marks them. */
  layout: 'brackets' | 'dashes' | 'lines'
  /** Whether a comma may stand behind the last child. */
  trailing: boolean
}

export interface SourceFile {
  path: string
  text: string
}

export interface Span {
  start: number
  end: number
}

/** The redirects of a site, in the order of their file. */
export interface RedirectList {
  path: string
  entries: readonly RedirectEntry[]
  /** Whether targets are paths of files, which change with a file even where its address stays. */
  namesFiles?: boolean
  /** How the list names a page: by its address, or by its path. */
  nameOf(page: { path: string; url: string }): string
  isSame(one: string, other: string): boolean
  append(from: string, to: string): Edit[]
}

export interface RedirectEntry {
  from: string
  /** Without its fragment; undefined where it is no plain text. */
  to: string | undefined
  hash: string | undefined
  retarget(to: string, hash: string | undefined): Edit[]
  /** Undefined where the entry redirects other addresses too. */
  whole: { replace(from: string, to: string): Edit[]; remove(): Edit[] } | undefined
}
