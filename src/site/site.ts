import type { AsciidocSettings } from './asciidoc/settings.ts'
import type { AsciidocReading } from './asciidoc/whole.ts'
import type { RestructuredReading } from './restructured/whole.ts'
import type { KeptReadings } from './text/kept-readings.ts'
import type { ReadFile } from './files.ts'
import type { LinkForm, LinkFormKind } from './markdown/link-forms.ts'
import type { FolderRules } from './navigation/arrange-folders.ts'
import type { NavigationPlace, NavigationTree, PageList, TreePage } from './navigation/navigation-tree.ts'
import type { Dialect, PageDialect } from './pages/dialect.ts'
import type { PageCustoms } from './pages/page-customs.ts'
import type { FrontMatterData, PageRules, SitePage } from './pages/page.ts'
import type { PageTargets, References } from './restructured/references.ts'
import type { RestructuredSettings } from './restructured/settings.ts'

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
  /** What a page in another markup is called by others. */
  targets?: PageTargets
}

export type ResolvedLink =
  | { kind: 'page'; path: string; anchor: string | undefined; redirected: boolean }
  /** A file of the repository that is no page; a folder ends in `/`. */
  | { kind: 'asset'; path: string }
  /** Another site, or an address of this one that a build may make; `outside` is a page of the site that is in no docs folder. */
  | { kind: 'external'; outside?: string }
  /** `near` is the page that the link most likely means, `names` the one whose file it names, of which the generator makes nothing. */
  | { kind: 'broken'; reason: string; near: string | undefined; names?: string }

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
  /** Pages that the generator builds and that are not read here, or the other way round, by their format. */
  unread: readonly UnreadPages[]
  /** The files of code with navigation in them, and the regions that may be edited. */
  navigationFiles: readonly NavigationFile[]
  needs: PageNeeds
  /** The language of pages that have none of their own, where the configuration names one. It is no label of them. */
  language: string | undefined
  /** Folders that stand for a language or a version of the pages in them. */
  labelFolders: readonly string[]
  /** The field of front matter with a page's former addresses, where the site redirects those. */
  aliasField: string | undefined
  /** A page as that field has it on the page at `here`: by its address without its language, where the generator adds that, or by its name. */
  aliasOf: (page: { path: string; url: string }, here: string) => string
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
  /** The same page in other languages and versions. */
  copiesOf: (path: string) => readonly string[]
  /** An address that no other file can have, for pages whose front matter sets an address that is taken. */
  fileUrl: (path: string) => string
  /** `isRaw`: of an element in HTML, which most generators leave as it is. */
  resolveLink: (fromPath: string, href: string, isRaw?: boolean) => ResolvedLink
  /** What the pages in reStructuredText call each other, once they were read. */
  references: References
  restructured: RestructuredSettings | undefined
  asciidoc: AsciidocSettings | undefined
  /** What was read of pages in other markups for their names. */
  readings?: {
    asciidoc: KeptReadings<AsciidocReading>
    restructured: KeptReadings<RestructuredReading>
  }
  /** The page that the name of a document means on a page. */
  documentOf: (fromPath: string, name: string) => string | undefined
  /** The link from one page to another page or asset, written as `like` is; its query and fragment are kept. */
  linkTo: (fromPath: string, toPath: string, like: string) => string
}

/** Pages without a place in the site, and what they are written in, in words that can follow `pages in`. */
export interface UnreadPages {
  format: string
  pages: number
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
  /** Whether a folder's page takes the place of a file that is named as the folder, which then is no page. */
  writesIndexLast?: boolean
  /** How the pages that `navigation` does not name are listed by their folders. */
  folders?: FolderRules
  /** A path that a page shares with its copies, as far as folders that are named as languages or versions do not show it. */
  identityOf?: (path: string) => string
  /** The page whose place a translation has. */
  originalOf?: (path: string) => string
  redirects: ReadonlyMap<string, string>
  described?: readonly DescribedPages[]
  unread?: readonly UnreadPages[]
  navigationFiles?: readonly NavigationFile[]
  needs?: Partial<PageNeeds>
  /** What its configuration says of pages in reStructuredText; undefined where it has none. */
  restructured?: RestructuredSettings
  /** And of those in AsciiDoc. */
  asciidoc?: AsciidocSettings
  /** The field of front matter with former addresses, where the site's configuration redirects those. */
  aliases?: {
    field: string
    isOptional: boolean
    /** What the generator writes before the addresses that a page names, such as `/fr`. */
    below?: (path: string) => string
    /** Where pages are named by other names than addresses: what a page calls another one, and the addresses of such names. */
    names?: {
      nameOf: (path: string, here: string) => string
      addressesOf: (here: string, value: unknown) => string[]
    }
  }
  /** The address at which the site is served, where the configuration says it. */
  address?: string | undefined
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

/** A name of a resource as it is written, whose style another one takes over. */
export type ResourceName = Pick<LinkForm, 'target' | 'family'>

export interface LinkRules {
  /** What a relative link without extension is relative to. */
  relativeTo: 'file' | 'url'
  /**
   * Which names of pages' files the generator turns into their addresses: also without their ending, which is usual, only
   * whole ones, or none.
   */
  files?: 'bare' | 'whole' | 'none'
  /** Whether it does that in elements of HTML too. */
  readsHtml?: boolean
  /** Whether a link that names the file of a page is turned into the page's address. */
  reaches?: (fromPath: string, toPath: string) => boolean
  /** Whether files of pages are found from the top of the site; the usual is yes. */
  hasFilesFromTop?: boolean
  /** Whether the ending of a file's name is only exchanged for `.html`, whatever the file is. */
  asHtml?: boolean
  /** Whether links in Markdown name documents and files, and no addresses. */
  hasNamesOnly?: boolean
  /** Whether the address of a folder with pages leads to one of them. */
  opensFolders?: boolean
  /** Whether a page is built. */
  isBuilt?: (path: string) => boolean
  /** Whether labels that no page has may be of another project, or stand in code. */
  hasForeignLabels?: boolean
  /** Whether extensions may make documents that have no file. */
  makesDocuments?: boolean
  /** Whether a page that is named without a language is the one in the language of the page with the link. */
  findsInLanguage?: boolean
  /** Who writes the path that the site is served below: the generator, also before one that is there, or where it is missing, or authors. */
  base?: 'added' | 'optional' | 'written'
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
  resource?: (fromPath: string, name: string, family?: LinkForm['family']) => string | undefined
  resourceTo?: (fromPath: string, toPath: string, like: ResourceName) => string | undefined
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
