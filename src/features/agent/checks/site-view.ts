import { type FileReference, fileReferences } from '../text/file-references.ts'
import { decodeLossy } from '../text/text-file.ts'
import { pathObjection } from '../policy/repository-path.ts'
import type { FileView } from '../workspace/workspace.ts'
import type { DocsFunctions, DocsSite, FrontMatter, Link } from './docs-site.ts'
import { createPace } from './pace.ts'

/** What is known of one page's content. */
export interface PageFacts {
  links: readonly Link[]
  references: readonly FileReference[]
  frontMatter: FrontMatter
  title: string | undefined
  /** Its fragments by the dialect that they were read in: only pages that are linked to by fragment have them. */
  anchors: Map<string, ReadonlySet<string>>
}

const maxFacts = 50_000
const maxPage = 4 * 1024 * 1024
const window = 64

/** By blob, shared by every view of one repository: a page is parsed once as long as it does not change. */
export class FactsCache extends Map<string, PageFacts> {}

/** The docs site of a tree that may change: made again when its files or its configuration have. */
export class SiteView {
  readonly docs: DocsFunctions
  readonly files: FileView
  #root: string
  #cache: FactsCache
  // Parsing is synchronous.
  #pace = createPace()
  #site: { revision: number; key: string; site: DocsSite } | undefined
  #oids: { revision: number; oids: ReadonlyMap<string, string> } | undefined

  constructor(input: { docs: DocsFunctions; files: FileView; root: string; cache?: FactsCache }) {
    this.docs = input.docs
    this.files = input.files
    this.#root = input.root
    this.#cache = input.cache ?? new FactsCache()
  }

  async site(): Promise<DocsSite> {
    const { revision } = this.files
    if (this.#site?.revision === revision) return this.#site.site
    const oids = this.oids()
    const key = this.#site === undefined ? '' : this.#keyOf(this.#site.site)
    if (this.#site === undefined || key !== this.#site.key) {
      const site = await this.siteOf([...oids.keys()], new Map())
      this.#site = { revision, key: this.#keyOf(site), site }
    } else this.#site.revision = revision
    return this.#site.site
  }

  /** The site that a set of files would make, of which some have other texts than the tree, or are not in it yet. */
  async siteOf(paths: readonly string[], planned: ReadonlyMap<string, string>): Promise<DocsSite> {
    const read = async (path: string) => planned.get(path) ?? this.text(path)
    const site = await this.docs.createSite(read, { paths, root: this.#root })
    if (!readsAddresses(site)) return site
    const urls = new Map<string, string>()
    const note = (path: string, data: FrontMatter['data']) => {
      if (data['slug'] === undefined && data['id'] === undefined) return
      const url = site.pageFor(path, data)?.url
      if (url !== undefined) urls.set(path, url)
    }
    for await (const { path, facts } of this.eachFacts(site.pages)) {
      if (!planned.has(path)) note(path, facts.frontMatter.data)
    }
    for (const path of site.pages) {
      const text = planned.get(path)
      if (text !== undefined) note(path, this.docs.readFrontMatter(text).data)
    }
    return urls.size === 0 ? site : this.docs.createSite(read, { paths, root: this.#root, urls })
  }

  oids(): ReadonlyMap<string, string> {
    const { revision } = this.files
    if (this.#oids?.revision !== revision) {
      // Names that were usable before still are.
      const known = this.#oids?.oids
      const usable = this.files
        .list()
        .filter(({ path }) => known?.has(path) === true || pathObjection(path) === undefined)
      this.#oids = { revision, oids: new Map(usable.map((file) => [file.path, file.oid])) }
    }
    return this.#oids.oids
  }

  async text(path: string): Promise<string | undefined> {
    if (!this.oids().has(path)) return undefined
    return asText(await this.files.read(path))
  }

  /** Undefined for what is no text. */
  async facts(path: string): Promise<PageFacts | undefined> {
    const [facts] = await this.#factsOf([path])
    return facts
  }

  /** Facts of many pages, in order; reads a few at a time. */
  async *eachFacts(paths: readonly string[]): AsyncGenerator<{ path: string; facts: PageFacts }> {
    for (let at = 0; at < paths.length; at += window) {
      const some = paths.slice(at, at + window)
      const found = await this.#factsOf(some)
      for (const [index, path] of some.entries()) {
        const facts = found[index]
        if (facts !== undefined) yield { path, facts }
      }
      await this.#pace()
    }
  }

  /** Every fragment of a page; undefined for what is no text. */
  async anchors(path: string): Promise<ReadonlySet<string> | undefined> {
    const facts = await this.facts(path)
    const site = await this.site()
    const key = JSON.stringify(site.dialectOf(path))
    const known = facts?.anchors.get(key)
    if (facts === undefined || known !== undefined) return known
    const text = await this.text(path)
    if (text === undefined) return undefined
    const anchors = this.docs.anchorsOf(site, path, text)
    facts.anchors.set(key, anchors)
    return anchors
  }

  async #factsOf(paths: readonly string[]): Promise<(PageFacts | undefined)[]> {
    const oids = this.oids()
    const missing = paths.filter((path) => {
      const oid = oids.get(path)
      return oid !== undefined && !this.#cache.has(oid)
    })
    const read = missing.length === 0 ? [] : await this.files.readSome(missing)
    const fresh = new Map<string, PageFacts>()
    for (const [index, path] of missing.entries()) {
      const text = asText(read[index])
      const oid = oids.get(path)
      if (text === undefined || oid === undefined) continue
      const facts = this.#read(text)
      if (this.#cache.size >= maxFacts) this.#cache.clear()
      this.#cache.set(oid, facts)
      fresh.set(path, facts)
      await this.#pace()
    }
    return paths.map((path) => fresh.get(path) ?? this.#cache.get(oids.get(path) ?? ''))
  }

  #read(text: string): PageFacts {
    const frontMatter = this.docs.readFrontMatter(text)
    const { title } = frontMatter.data
    return {
      links: this.docs.extractLinks(text),
      references: fileReferences(text),
      frontMatter,
      title:
        typeof title === 'string' && title.trim() !== '' ? title : headingOf(text, frontMatter.bodyStart),
      anchors: new Map(),
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

function asText(content: Uint8Array | undefined): string | undefined {
  return content === undefined || content.length > maxPage ? undefined : decodeLossy(content)
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
    ?.replace(/(?<!\s)\s*\{[^{}]*\}\s*$/, '')
    .trim()
}
