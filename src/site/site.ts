import type { ReadFile } from './files.ts'
import type { LinkFormKind } from './markdown/link-forms.ts'
import type { FolderRules } from './navigation/arrange-folders.ts'
import type { NavigationPlace, NavigationTree, PageList, TreePage } from './navigation/navigation-tree.ts'
import type { Dialect, PageDialect } from './pages/dialect.ts'
import type { PageCustoms } from './pages/page-customs.ts'
import type { FrontMatterData, PageRules, SitePage } from './pages/page.ts'

export type FrameworkName =
  | 'mintlify'
  | 'mkdocs'
  | 'docusaurus'
  | 'vitepress'
  | 'starlight'
  | 'hugo'
  | 'jekyll'
  | 'mdbook'
  | 'gitbook'
  | 'nuxt'
  | 'sphinx'
  | 'myst'
  | 'antora'
  | 'markdown'

/** What a page says about itself that the site needs from all of its pages. */
export interface PageNames {
  data: FrontMatterData
  /** Names that links of other pages may use, as in `(label)=`. */
  labels: readonly string[]
}

export type ResolvedLink =
  | { kind: 'page'; path: string; anchor: string | undefined; redirected: boolean }
  /** A file of the repository that is no page; a folder ends in `/`. */
  | { kind: 'asset'; path: string }
  /** Another site, or an address of this one that a build may make. */
  | { kind: 'external' }
  /** `near` is the page that the link most likely means. */
  | { kind: 'broken'; reason: string; near: string | undefined }

/** Pages that the site makes of a description of an API. */
export interface DescribedPages {
  /** The description's path. */
  file: string
  /** The operation, `GET /users`; undefined for all of them. */
  key: string | undefined
  /** Whether pages are made; else the description is only the one that pages of the navigation mean. */
  isMade: boolean
  /** The folder of the pages' addresses. */
  folder: string
  language: string | undefined
  version: string | undefined
  hidden: boolean
}

/** A documentation site. Its functions read no files: all paths were given when it was made. */
export interface Site extends PageRules {
  framework: FrameworkName
  /** Docs folder: `''` or with a slash at its end. */
  root: string
  /** Files whose change makes every page stale, in the repository or missing from it. */
  configPaths: readonly string[]
  /** Every page's path, in the order of the navigation, then by path. */
  pages: readonly string[]
  /** Pages that claim the same address: the first has it, the others are served at their file's path. */
  collisions: readonly { url: string; paths: readonly string[] }[]
  /** From address to address. */
  redirects: ReadonlyMap<string, string>
  /** The descriptions of APIs that the site shows. */
  described: readonly DescribedPages[]
  /** The files of code with navigation in them, and the regions that may be edited. */
  navigationFiles: readonly NavigationFile[]
  needs: PageNeeds
  /** The language of pages that have none of their own, where the configuration names one. It is no label of them. */
  language: string | undefined
  /** Folders that stand for a language or a version of the pages in them. */
  labelFolders: readonly string[]
  /** The field of front matter with a page's former addresses, where the site redirects those. */
  aliasField: string | undefined
  openKeys: Framework['openKeys']
  /** The file in which the host of the site reads redirects: `_redirects`, `netlify.toml`, `vercel.json`. */
  redirectFile: string | undefined
  openTree: Framework['openTree']
  addressesFollowNavigation: boolean
  configuredDialect: Framework['configuredDialect']
  customs: PageCustoms
  /** Folders by what the name of an imported file may begin with in their place: `@site/`. */
  importFolders: ReadonlyMap<string, string>
  /** Undefined where neither the navigation nor the folders place the page. */
  placeOf: (path: string) => NavigationPlace | undefined
  /** An address that no other file can have, for pages whose front matter sets an address that is taken. */
  fileUrl: (path: string) => string
  resolveLink: (fromPath: string, href: string) => ResolvedLink
  /** The link from one page to another page or asset, written as `like` is; its query and fragment are kept. */
  linkTo: (fromPath: string, toPath: string, like: string) => string
}

/** The frameworks whose navigation is in code. */
export type CodeFramework = 'docusaurus' | 'vitepress' | 'starlight'

/** A file of code with navigation in it, and the regions that may be edited as data. */
export interface NavigationFile {
  path: string
  framework: CodeFramework
  /** Length of the text that the regions are offsets of. */
  length: number
  /** In order, without nesting. `items`: entries and groups; `address`: one text that names a page. */
  regions: readonly { start: number; end: number; kind: 'items' | 'redirects' | 'address' }[]
}

/** What the navigation of a site is opened with. */
export interface NavigationSource {
  site: Site
  /** Gives a file exactly as it is written. */
  read: ReadFile
  paths: ReadonlySet<string>
  /** The front matter of the site's pages by path. Reads all of them. */
  frontMatter: () => Promise<ReadonlyMap<string, FrontMatterData>>
}

/** What of all pages has to be read before addresses and links are known. */
interface PageNeeds {
  /** Fields of front matter that set addresses, redirects or the order of pages. */
  fields: readonly string[]
  labels: boolean
  /** Fields that only say how the navigation shows a page. */
  shown: readonly string[]
}

/** What differs between frameworks; `createSite` makes a site of it. */
export interface Framework {
  name: FrameworkName
  root: string
  configPaths: readonly string[]
  /** Paths in reading order, with their places. */
  navigation: ReadonlyMap<string, NavigationPlace>
  /** How the pages that `navigation` does not name are listed by their folders. */
  folders?: FolderRules
  /** The page whose place a translation has. */
  originalOf?: (path: string) => string
  redirects: ReadonlyMap<string, string>
  described?: readonly DescribedPages[]
  navigationFiles?: readonly NavigationFile[]
  needs?: Partial<PageNeeds>
  /** The field of front matter with former addresses, where the site's configuration redirects those. */
  aliases?: { field: string; isOptional: boolean }
  /** The language of pages outside of the folders of languages, where the configuration names it. */
  mainLanguage?: string | undefined
  /**
   * The files of plain data in which an agent may edit the navigation and redirects, each with the path of the one key
   * that may change; an empty path for the whole file. Undefined where `configPaths` may be edited.
   */
  openKeys?: ReadonlyMap<string, readonly string[]>
  /** The navigation as it can be edited; undefined where folders or code make all of it. @throws ToolError `unreadable` */
  openTree?: (source: NavigationSource) => Promise<NavigationTree<TreePage, PageList> | undefined>
  /** Whether a page's place in the navigation is part of its address. */
  addressesFollowNavigation?: boolean
  dialectOf: (path: string) => Dialect
  /** What configuration makes of the dialect that only matters to who judges pages. Reads it. */
  configuredDialect?: (source: Pick<NavigationSource, 'read' | 'paths'>) => Promise<Partial<PageDialect>>
  customs?: PageCustoms
  importFolders?: ReadonlyMap<string, string>
  /** The language and the version may be left to the names of folders. */
  pageFor: (path: string, frontMatter: FrontMatterData) => SitePage | undefined
  links: LinkRules
}

export interface LinkRules {
  /** What a relative link without extension is relative to. */
  relativeTo: 'file' | 'url'
  /** Folders where absolute addresses of assets are looked up. */
  assetRoots: readonly string[]
  /** Prefixes that an absolute link may have before the page's own address. */
  prefixes: readonly string[]
  /** Content folders that a link to a file may be relative to, besides the page's own folder; the page's own first. */
  contentFolders: (path: string) => readonly string[]
  /** The address that a translation's address falls back to when that page is not translated. */
  untranslated: (url: string) => string | undefined
  /** Whether the site may have a page at an address without a file in the repository. */
  mayExist: (url: string) => boolean
  /** Whether a page is also served as Markdown at its address with `.md` behind it. */
  serveMarkdown?: boolean
  /** Whether an absolute link that leads to no page here may lead to another site below the same origin. */
  elsewhere: (url: string) => boolean
  /** Whether a relative link that names no page may lead somewhere all the same; `target` is the file that it would name. */
  isOpen?: (path: string, target: string | undefined) => boolean
  /** Links in the framework's own notation that can be resolved. */
  forms?: readonly LinkFormKind[]
  /** The file that a name in the framework's own scheme means, and that name of a file. */
  resource?: (fromPath: string, name: string) => string | undefined
  resourceTo?: (fromPath: string, toPath: string) => string | undefined
}

/** Where a framework's configuration was found. */
export interface Found {
  paths: ReadonlySet<string>
  /** The folder of the site, with a slash at its end. */
  base: string
  /** The file by which the framework was recognised. */
  config: string
  /** What `needs` asks for of a page's front matter; empty before pages were read. */
  dataOf: (path: string) => FrontMatterData
}
