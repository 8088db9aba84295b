import type { Edit } from '../text/text-file.ts'

/** What every format's navigation is read into: named pages in lists, each with its place in its file. */
export interface NavigationTree<Page extends TreePage<List>, List extends PageList> {
  /** In reading order, links beside the navigation included. */
  pages: readonly Page[]
  lists: readonly List[]
  redirects: RedirectList | undefined
  /** Where a new page can be added; a message where the navigation holds it already, or cannot be edited. */
  scopeOf(path: string, isPlaced: boolean): Scope<Page, List> | string
  /** Names another page in an entry; undefined where the entry has to go, and a new one be added elsewhere. */
  rename(page: Page, target: Target): Edit[] | undefined
  /** A new entry as text, given the indentation of its line. @throws ToolError where the list cannot name the page */
  entry(target: Target & { title: string | undefined }, place: Place<Page, List>): (indent: string) => string
  /** The same for all ways to write one address. */
  addressKey(url: string): string
}

export interface Target {
  path: string
  url: string
  /** The path before, of a page that moves. */
  from?: string
}

export interface Scope<Page, List> {
  pages: readonly Page[]
  lists: readonly List[]
  /** At whose end a page goes that nothing is said of, where it is not beside the pages of its folder. */
  usual?: List | undefined
}

/** Where an entry goes, and an entry that is written as the new one is to be. */
export interface Place<Page, List> {
  list: List
  /** Undefined for the list's end. */
  after: Span | 'nothing' | undefined
  like: Page | undefined
}

/** A text of the navigation that names a page. */
export interface NamedPage<List extends PageList = PageList> {
  file: SourceFile
  /** The text with its quotes. */
  node: Span
  text: string
  label: string | undefined
  group: string | undefined
  /** What goes when the page goes; undefined for links beside the navigation. */
  holder: Holder | undefined
  /** The list that it is a plain entry of. */
  list: List | undefined
}

export interface TreePage<List extends PageList = PageList> extends NamedPage<List> {
  path: string | undefined
  /** No file is at the path. */
  isMissing: boolean
  /** Whether it has to name a page: not so for other sites, operations of an API and files that a build makes. */
  mustExist: boolean
  /** Written in the shorter of the format's ways. */
  isShort: boolean
  /** Key of the address that a link leads to which names no page's file. */
  address: string | undefined
}

/** A list that entries can be added to. */
export interface PageList {
  container: Container
  /** Labels of the groups that it stands in, outermost first. */
  names: readonly string[]
  /** The sidebar's own name, which readers do not see. */
  key: string | undefined
  /** The group's own entry, where a group must not be empty. */
  owner: Owner | undefined
}

export interface Owner {
  holder: Holder
  owner: Owner | undefined
}

/** An element of a list, or a property of an object, that can be taken out. */
export interface Holder {
  container: Container
  child: Span
}

/** A list or an object as it stands in a file. */
export interface Container extends Span {
  file: SourceFile
  children: readonly Span[]
  /** Between brackets, or in YAML on lines behind dashes. */
  layout: 'brackets' | 'dashes'
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

/** A file's text; undefined when there is none, or none that could be edited. */
export type ReadText = (path: string) => Promise<string | undefined>
