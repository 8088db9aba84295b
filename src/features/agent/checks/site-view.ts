import { decodeLossy } from '../text/text-file.ts'
import { pathObjection } from '../policy/repository-path.ts'
import type { FileView } from '../workspace.ts'
import type { DocsFunctions, DocsSite, FrontMatter, Link } from './docs-site.ts'

/** What is known of one page's content. */
export interface PageFacts {
  links: readonly Link[]
  anchors: ReadonlySet<string>
  frontMatter: FrontMatter
  title: string | undefined
}

const maxFacts = 50_000
const maxPage = 4 * 1024 * 1024
const window = 64

/** Facts by blob, shared by every view of one repository: a page is parsed once as long as it does not change. */
export type FactsCache = Map<string, PageFacts>

/** The docs site of a tree that may change: made again when its files or its configuration have. */
export class SiteView {
  readonly docs: DocsFunctions
  readonly files: FileView
  #root: string
  #cache: FactsCache
  #site: { revision: number; key: string; site: DocsSite } | undefined
  #oids: { revision: number; oids: ReadonlyMap<string, string> } | undefined

  constructor(input: { docs: DocsFunctions; files: FileView; root: string; cache?: FactsCache }) {
    this.docs = input.docs
    this.files = input.files
    this.#root = input.root
    this.#cache = input.cache ?? new Map<string, PageFacts>()
  }

  async site(): Promise<DocsSite> {
    const { revision } = this.files
    if (this.#site?.revision === revision) return this.#site.site
    const oids = this.oids()
    const key = this.#site === undefined ? '' : this.#keyOf(this.#site.site)
    if (this.#site === undefined || key !== this.#site.key) {
      const site = await this.siteOf([...oids.keys()], (path) => this.text(path))
      this.#site = { revision, key: this.#keyOf(site), site }
    } else this.#site.revision = revision
    return this.#site.site
  }

  /** The site that a set of files would make, of which some may be planned only. */
  async siteOf(
    paths: readonly string[],
    read: (path: string) => Promise<string | undefined>,
  ): Promise<DocsSite> {
    const site = await this.docs.createSite(read, { paths, root: this.#root })
    if (!readsAddresses(site)) return site
    const urls = new Map<string, string>()
    for (const path of site.pages) {
      const text = await read(path)
      const data = text === undefined ? {} : this.docs.readFrontMatter(text).data
      if (data['slug'] === undefined && data['id'] === undefined) continue
      const url = site.pageFor(path, data)?.url
      if (url !== undefined) urls.set(path, url)
    }
    return urls.size === 0 ? site : this.docs.createSite(read, { paths, root: this.#root, urls })
  }

  oids(): ReadonlyMap<string, string> {
    const { revision } = this.files
    if (this.#oids?.revision !== revision) {
      const usable = this.files.list().filter((file) => pathObjection(file.path) === undefined)
      this.#oids = { revision, oids: new Map(usable.map((file) => [file.path, file.oid])) }
    }
    return this.#oids.oids
  }

  async text(path: string): Promise<string | undefined> {
    if (!this.oids().has(path)) return undefined
    const content = await this.files.read(path)
    return content === undefined || content.length > maxPage ? undefined : decodeLossy(content)
  }

  /** Undefined for what is no text. */
  async facts(path: string): Promise<PageFacts | undefined> {
    const oid = this.oids().get(path)
    if (oid === undefined) return undefined
    const site = await this.site()
    // How headings become fragments hangs on the framework and the kind of file.
    const key = `${oid} ${site.framework} ${path.slice(path.lastIndexOf('.'))}`
    const known = this.#cache.get(key)
    if (known !== undefined) return known
    const text = await this.text(path)
    if (text === undefined) return undefined
    const facts = this.#read(site, path, text)
    if (this.#cache.size >= maxFacts) this.#cache.clear()
    this.#cache.set(key, facts)
    return facts
  }

  /** Facts of many pages, in order; reads a few at a time. */
  async *eachFacts(paths: readonly string[]): AsyncGenerator<{ path: string; facts: PageFacts }> {
    for (let at = 0; at < paths.length; at += window) {
      const some = paths.slice(at, at + window)
      const facts = await Promise.all(some.map((path) => this.facts(path)))
      for (const [index, path] of some.entries()) {
        const known = facts[index]
        if (known !== undefined) yield { path, facts: known }
      }
      // Parsing is synchronous: other work of the server gets its turn.
      await new Promise<void>((resolve) => {
        setImmediate(resolve)
      })
    }
  }

  #read(site: DocsSite, path: string, text: string): PageFacts {
    const frontMatter = this.docs.readFrontMatter(text)
    const { title } = frontMatter.data
    return {
      links: this.docs.extractLinks(text),
      anchors: this.docs.anchorsOf(site, path, text),
      frontMatter,
      title:
        typeof title === 'string' && title.trim() !== '' ? title : headingOf(text, frontMatter.bodyStart),
    }
  }

  // The files' names, the configuration's content, and, where front matter sets addresses, every page's content.
  #keyOf(site: DocsSite): string {
    const oids = this.oids()
    const contents = readsAddresses(site)
      ? [...oids.values()]
      : site.configPaths.map((path) => oids.get(path) ?? '-')
    return `${contents.join(' ')}\n${[...oids.keys()].join('\n')}`
  }
}

/** Whether the framework lets front matter set a page's address. */
function readsAddresses(site: DocsSite): boolean {
  const [page] = site.pages
  if (page === undefined) return false
  return site.pageFor(page, {})?.url !== site.pageFor(page, { slug: '/an-address-that-no-page-has' })?.url
}

function headingOf(text: string, bodyStart: number): string | undefined {
  const body = text.slice(bodyStart, bodyStart + 20_000)
  return /^# +(\S[^\n]*)/m
    .exec(body)?.[1]
    ?.replace(/\s*\{[^{}]*\}\s*$/, '')
    .trim()
}
