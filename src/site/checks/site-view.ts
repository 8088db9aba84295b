import { decodeText } from '../text/encoding.ts'
import { contentHash } from '../text/content-hash.ts'
import { decodeExact } from '../text/text-file.ts'
import { type Purpose, type TextGuard, unguarded } from '../text/text-guard.ts'
import { ToolError } from '../../lib/tool-error.ts'
import { pathObjection } from '../text/repository-path.ts'
import type { FileView } from '../files.ts'
import { quote } from '../../lib/text/quote.ts'
import type { PageNames, Site } from '../site.ts'
import { createSite } from '../frameworks/create-site.ts'
import { anchorsOf } from '../pages/parse-page.ts'
import type { Dialect } from '../pages/dialect.ts'
import type { FrontMatter } from '../markdown/front-matter.ts'
import { readWholePage, textOfPage, type WholePage } from '../includes/read-whole-page.ts'
import { markupOf } from '../text/markup.ts'
import type { PageTargets } from '../restructured/references.ts'
import type { SlugStyle } from '../markdown/slug.ts'
import { FactsCache } from './facts-cache.ts'
import { type PageFacts, readFacts } from './page-facts.ts'

/** A page with the texts of other files in it, and its fragments by its dialect. */
interface IncludingPage {
  page: WholePage
  anchors: Map<string, ReadonlySet<string>>
}

const maxPage = 4 * 1024 * 1024
const window = 64

/**
 * The docs site of a tree that may change. The site is made again when its files or its configuration have changed.
 */
export class SiteView {
  readonly files: FileView
  readonly guard: TextGuard
  /** The tree that this one is a change of: from it is learned how the site is written. */
  readonly base: SiteView | undefined
  #root: string
  #cache: FactsCache
  #site: { revision: number; key: string; site: Site } | undefined
  // Kept for one revision, because the included files change without the page.
  #wholes = { revision: -1, pages: new Map<string, IncludingPage | undefined>() }
  #oids: { revision: number; oids: ReadonlyMap<string, string> } | undefined

  constructor(input: {
    files: FileView
    root: string
    cache?: FactsCache
    guard?: TextGuard | undefined
    base?: SiteView
  }) {
    this.files = input.files
    this.base = input.base
    this.guard = input.guard ?? unguarded
    this.#root = input.root
    this.#cache = input.cache ?? new FactsCache()
  }

  async site(): Promise<Site> {
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

  /**
   * The site that a set of files would make. Some of them may have other texts than in the tree, or not be in it
   * yet.
   */
  async siteOf(paths: readonly string[], planned: ReadonlyMap<string, string>): Promise<Site> {
    const read = async (path: string) => {
      this.#beginSite(path)
      return planned.get(path) ?? asText(await this.#content(path))
    }
    const site = await createSite(read, { paths, root: this.#root })
    if (!readsPages(site)) return site
    const { fields, labels } = site.needs
    const names = new Map<string, PageNames>()
    const note = (
      path: string,
      data: FrontMatter['data'],
      { labels, targets }: { labels: readonly string[]; targets?: PageTargets | undefined },
    ) => {
      const needed = Object.fromEntries(
        fields.flatMap((field) => (field in data ? [[field, data[field]]] : [])),
      )
      if (labels.length > 0 || targets !== undefined || Object.keys(needed).length > 0)
        names.set(path, { data: needed, labels, ...(targets && { targets }) })
    }
    for await (const { path, facts } of this.eachFacts(site.pages)) {
      if (!planned.has(path))
        note(path, facts.frontMatter.data, { labels: labels ? facts.labels : [], targets: facts.targets })
    }
    for (const path of site.pages) {
      const text = planned.get(path)
      if (text === undefined) continue
      const facts = readFacts(text, path)
      note(path, facts.frontMatter.data, { labels: labels ? facts.labels : [], targets: facts.targets })
    }
    return names.size === 0 ? site : createSite(read, { paths, root: this.#root, names })
  }

  oids(): ReadonlyMap<string, string> {
    const { revision } = this.files
    if (this.#oids?.revision !== revision) {
      // Paths were checked when they first appeared; known ones are not checked again.
      const known = this.#oids?.oids
      const usable = this.files
        .list()
        .filter(({ path }) => known?.has(path) === true || pathObjection(path) === undefined)
      this.#oids = { revision, oids: new Map(usable.map((file) => [file.path, file.oid])) }
    }
    return this.#oids.oids
  }

  /** Undefined when the file is not text, or took too long to read before. */
  async text(path: string): Promise<string | undefined> {
    return this.begin('page', path) ? asText(await this.#content(path)) : undefined
  }

  /** A file of the site's configuration, exactly as it is written. @throws ToolError `too_complex` */
  async configuration(path: string): Promise<string | undefined> {
    this.#beginSite(path)
    const content = await this.#content(path)
    return content === undefined ? undefined : decodeExact(content)
  }

  /** Tells the guard which file is read next. False when that file took too long before. */
  begin(purpose: Purpose, path: string): boolean {
    const oid = this.oids().get(path)
    return oid === undefined || this.guard.begin(purpose, path, oid)
  }

  /** Undefined when the file is not text. */
  async facts(path: string): Promise<PageFacts | undefined> {
    const [facts] = await this.#factsOf([path])
    return facts
  }

  /** Facts of many pages, in order; reads a few at a time. */
  async *eachFacts(paths: readonly string[]): AsyncGenerator<{ path: string; facts: PageFacts }> {
    for (let at = 0; at < paths.length; at += window) {
      const some = paths.slice(at, at + window)
      const batch = await this.#factsOf(some)
      for (const [index, path] of some.entries()) {
        const facts = batch[index]
        if (facts !== undefined && this.begin('page', path)) yield { path, facts }
      }
    }
  }

  /** Every fragment of a page, with heading ids in the framework's style or a given one; undefined when the file is not text. */
  async anchors(path: string, slugs?: SlugStyle): Promise<ReadonlySet<string> | undefined> {
    const site = await this.site()
    const dialect = site.dialectOf(path)
    const key = `${slugs ?? ''} ${keyOfDialect(dialect)}`
    const whole = await this.whole(path)
    const oid = this.oids().get(path) ?? ''
    const known = whole === undefined ? this.#cache.anchors(oid, key) : whole.anchors.get(key)
    if (known !== undefined) return known
    const text = whole === undefined ? await this.text(path) : textOfPage(whole.page)
    if (text === undefined) return undefined
    this.begin('page', path)
    const anchors = anchorsOf(site, path, text, slugs)
    if (whole === undefined) this.#cache.keepAnchors(oid, key, anchors)
    else whole.anchors.set(key, anchors)
    return anchors
  }

  /** Names that were found in a file before, in this tree or another with the same file; `kind` tells of what. */
  remembered(path: string, kind: string): readonly string[] | undefined {
    return this.#cache.names(this.oids().get(path) ?? '', `${kind} ${path}`)
  }

  remember(path: string, kind: string, names: readonly string[]): void {
    const oid = this.oids().get(path)
    if (oid !== undefined) this.#cache.keepNames(oid, `${kind} ${path}`, names)
  }

  /** The page with the texts of the files that it includes; undefined when it includes none. */
  async whole(path: string): Promise<IncludingPage | undefined> {
    const facts = await this.facts(path)
    if (facts?.mayInclude !== true && markupOf(path) === undefined) return undefined
    const { revision } = this.files
    if (this.#wholes.revision !== revision) this.#wholes = { revision, pages: new Map() }
    const { pages } = this.#wholes
    if (pages.has(path)) return pages.get(path)
    const page = await readWholePage(await this.site(), path, (await this.text(path)) ?? '', (one) =>
      this.text(one),
    )
    const isAsWritten = page.included.length === 0 && markupOf(path) === undefined
    const whole = isAsWritten ? undefined : { page, anchors: new Map() }
    pages.set(path, whole)
    return whole
  }

  async #factsOf(paths: readonly string[]): Promise<(PageFacts | undefined)[]> {
    const oids = this.oids()
    // Known facts are read first, because keeping others may drop them from the cache.
    const factsByPath = new Map<string, PageFacts>()
    const missing = paths.filter((path) => {
      const oid = oids.get(path)
      const known = oid === undefined ? undefined : this.#cache.get(keyOfFacts(oid, path))
      if (known !== undefined) factsByPath.set(path, known)
      return oid !== undefined && known === undefined
    })
    const read = missing.length === 0 ? [] : await this.files.readSome(missing)
    for (const [index, path] of missing.entries()) {
      const text = asText(read[index])
      const oid = oids.get(path)
      if (text === undefined || oid === undefined) continue
      if (!this.guard.begin('page', path, oid)) continue
      const facts = readFacts(text, path)
      this.#cache.keep(keyOfFacts(oid, path), facts)
      factsByPath.set(path, facts)
    }
    return paths.map((path) => factsByPath.get(path))
  }

  // Without its configuration the site would be read as another one, so this fails.
  #beginSite(path: string): void {
    if (this.begin('site', path)) return
    throw new ToolError('too_complex', `${quote(path)} takes too long to read`, { path })
  }

  async #content(path: string): Promise<Uint8Array | undefined> {
    return this.oids().has(path) ? this.files.read(path) : undefined
  }

  // The files' names, the configuration's content, and, where front matter sets addresses, every page's content.
  #keyOf(site: Site): string {
    const oids = this.oids()
    const contents = readsPages(site)
      ? [...oids.values()]
      : site.configPaths.map((path) => oids.get(path) ?? '-')
    return `${contents.join(' ')}\n${[...oids.keys()].join('\n')}`
  }
}

/** The same text means something else in another markup. */
function keyOfFacts(oid: string, path: string): string {
  return `${oid}${markupOf(path) ?? ''}`
}

const dialectKeys = new WeakMap<Dialect, string>()

/** Everything of a dialect may matter to the fragments of a page. */
function keyOfDialect(dialect: Dialect): string {
  const known = dialectKeys.get(dialect)
  if (known !== undefined) return known
  const key = contentHash(Buffer.from(JSON.stringify(dialect))).slice(0, 8)
  dialectKeys.set(dialect, key)
  return key
}

function asText(content: Uint8Array | undefined): string | undefined {
  return content === undefined || content.length > maxPage ? undefined : decodeText(content)?.text
}

function readsPages({ needs }: Site): boolean {
  return needs.labels || needs.fields.length > 0
}
