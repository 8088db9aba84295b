import type { ReadFile } from '../../files.ts'
import { isVisible } from '../../links/page-path.ts'
import { markupOf } from '../../text/markup.ts'
import { importsAll, restructuredSettings } from '../../restructured/settings.ts'
import { openYamlFile } from '../../navigation/yaml-file.ts'
import { type TocFormat, tocNavigation, tocTree } from '../../navigation/toc-tree.ts'
import { readRediraffe, rediraffeRedirects } from './redirects.ts'
import { hasPlainExtensions, sphinxSettings } from './sphinx-settings.ts'
import { readToctrees, type Toctrees, toctreeTree } from './toctree.ts'
import { createPattern } from '../../text/glob.ts'
import { splitLines } from '../../text/text-file.ts'
import { folderOf, joinPath, relativePath } from '../../text/paths.ts'
import { linkRules, readSettings, settingAt, textAt, textsIn } from '../settings.ts'
import { dialects, restructuredDialect } from '../dialects.ts'
import type { Found, Framework } from '../../site.ts'
import type { NavigationPlace, TreePage } from '../../navigation/navigation-tree.ts'

const maxRead = 400
const maxDepth = 50
const maxLength = 250_000

/** Sphinx with pages in MyST Markdown, found by `conf.py` or the `_toc.yml` of Jupyter Book in `base`. */
export async function sphinxSite(
  read: ReadFile,
  { paths, base, config }: Found,
): Promise<Framework | undefined> {
  const toc = `${base}_toc.yml`
  const isBook = paths.has(toc)
  const python = paths.has(`${base}conf.py`) ? ((await read(`${base}conf.py`)) ?? '').slice(0, maxLength) : ''
  const book = isBook ? await readSettings(read, `${base}_config.yml`) : {}
  /** Without such an extension, Sphinx passes Markdown over. */
  const readsMarkdown = isBook || /myst|recommonmark|nbsphinx|jupyter/.test(python)
  const endings = readsMarkdown ? ['.rst', '.md'] : ['.rst']
  if (python.split('\n').some((line) => line.startsWith('source_suffix') && /["']\.txt["']/.test(line)))
    endings.push('.txt')
  const anchors = isBook
    ? settingAt(book, 'sphinx', 'config', 'myst_heading_anchors')
    : Number(/^myst_heading_anchors\s*=\s*(\d)/m.exec(python)?.[1])
  const dialect = {
    ...dialects.sphinx,
    headings: { ...dialects.sphinx.headings, namedTo: (typeof anchors === 'number' && anchors) || 0 },
  }
  const patterns = [...pythonTexts(python, 'exclude_patterns'), ...textsIn(book['exclude_patterns'])]
  const exclusions = patterns
    .flatMap((pattern) => [pattern, `${pattern.replace(/\/$/, '')}/**`])
    .map(createPattern)
  const excluded = (path: string) => exclusions.some((test) => test(path))
  const isPage = (path: string) =>
    isVisible(path, base) &&
    endings.some((ending) => path.endsWith(ending)) &&
    !/(?:^|\/)_build\//.test(path) &&
    !excluded(path.slice(base.length))
  if (![...paths].some(isPage)) return undefined
  // Extensions make pages of other kinds of files, which the configuration names.
  const stems = new Set([...paths].filter((path) => path.startsWith(base)).map(withoutAnyExtension))
  const written = writtenFolders(python)
  const isWritten = (place: string) => written.some((folder) => place.startsWith(`${base}${folder}/`))
  const resolveFrom = (folder: string, name: string) => {
    const place = documentPath(base, folder, name)
    const known = ['', '.rst', '.md', '.ipynb', '.txt']
      .map((end) => `${place}${end}`)
      .find((path) => paths.has(path))
    const isMade = known === undefined && (stems.has(place) || isWritten(place))
    return {
      path: known ?? `${place}${/\.\w+$/.test(name) ? '' : (endings.at(-1) ?? '.md')}`,
      isMissing: known === undefined && !isMade,
    }
  }
  const format: TocFormat = {
    keys: ['file'],
    resolve: (text) => resolveFrom(base, text).path,
    nameOf: ({ path }, like) => {
      const inside = path.slice(base.length)
      return like?.endsWith('.md') ? inside : withoutEnding(inside)
    },
  }
  const isThere = (path: string) => paths.has(path)
  const readBook = async (readFile: ReadFile) => {
    const text = await readFile(toc)
    const file = text === undefined ? undefined : openYamlFile(toc, text)
    if (file === undefined) return undefined
    const toctree = tocNavigation(file, file.document.contents, format, isThere)
    const home = textAt(file.settings, 'root')
    return { ...toctree, home: home === undefined ? undefined : resolveFrom(base, home).path }
  }
  let names: string[] | undefined
  const documents = (folder: string, glob: string): string[] => {
    names ??= [...paths]
      .filter((path) => isPage(path) || (isDocument(path, base) && !excluded(path.slice(base.length))))
      .sort((left, right) => (withoutEnding(left) < withoutEnding(right) ? -1 : 1))
    const whole = joinPath(glob.startsWith('/') ? base : folder, glob.replace(/^\//, ''))
    if (whole === undefined || glob.length > 500) return []
    const test = createPattern(withoutEnding(whole))
    return names.filter((path) => test(withoutEnding(path)))
  }
  const home = resolveFrom(
    base,
    pythonText(python, 'root_doc') ?? pythonText(python, 'master_doc') ?? 'index',
  ).path
  const readTrees = (readFile: ReadFile) =>
    followToctrees(readFile, {
      home,
      resolve: (from, name) => resolveFrom(folderOf(from), name),
      isPage,
      documents,
    })
  const rediraffe = rediraffeFile(python, base, paths)
  const redirected = rediraffe === undefined ? [] : readRediraffe((await read(rediraffe)) ?? '')
  const urlOf = (inside: string) => `/${withoutEnding(inside)}.html`
  const opened = isBook ? await readBook(read) : undefined
  const trees = isBook ? undefined : await readTrees(read)
  const first = opened?.home ?? home
  const navigation = readingOrder(
    first,
    trees?.listed ?? Map.groupBy(opened?.pages ?? [], ({ file }) => file.path),
  )
  const byPattern = patternTest(base, [
    ...(opened?.globs ?? []).map((glob) => ({ folder: base, glob })),
    ...(trees?.lists ?? []).flatMap(({ globs, container }) =>
      globs.map((glob) => ({ folder: folderOf(container.file.path), glob })),
    ),
  ])
  const isListed = (path: string) => navigation.has(path) || byPattern(path) || trees?.isPartial === true
  /** Whether extensions may make documents of code. `autodoc` writes into those that are there. */
  const makes =
    /autodoc2|auto(?:summary|api|program)|apidoc|gallery|breathe|exhale|nbsphinx|generated|sphinx_rtd_dark/i.test(
      `${python}${JSON.stringify(book)}`,
    )
  /** An address of a document that is no Markdown, or of those that Sphinx makes. */
  const isUnread = (url: string) => {
    const bare = url.replace(/^\//, '').replace(/\.html$/, '')
    const isOwn = /^(?:genindex|search|py-modindex|modindex|index|404)$|^_/.test(bare)
    return isOwn || ['.ipynb'].some((ending) => paths.has(`${base}${bare}${ending}`))
  }
  const unread = [
    {
      format: 'notebooks',
      pages: [...paths].filter(
        (path) => path.endsWith('.ipynb') && isDocument(path, base) && !excluded(path.slice(base.length)),
      ).length,
    },
  ]
  return {
    name: 'sphinx',
    root: base,
    configPaths: [
      ...new Set([
        config,
        `${base}conf.py`,
        ...(isBook ? [toc, `${base}_config.yml`] : (trees?.files ?? [])),
        ...(rediraffe === undefined ? [] : [rediraffe]),
      ]),
    ],
    navigation,
    unread,
    restructured: restructuredSettings(python),
    redirects: new Map(redirected.map(({ from, to }) => [urlOf(from), urlOf(to)])),
    mainLanguage: pythonText(python, 'language'),
    needs: { labels: true, fields: [] },
    openKeys: new Map(
      [...(isBook ? [toc] : []), ...(rediraffe === undefined ? [] : [rediraffe])].map((path) => [path, []]),
    ),
    openTree: async ({ read: readFile }) => {
      if (isBook) {
        const bookTree = await readBook(readFile)
        return bookTree && tocTree(bookTree, format, byPattern)
      }
      const currentTrees = await readTrees(readFile)
      if (currentTrees.lists.length === 0) return undefined
      const nameOf = (path: string, from: string, like: string) => {
        const name = like.startsWith('/')
          ? `/${path.slice(base.length)}`
          : relativePath(folderOf(from), path, like.startsWith('./'))
        return like.endsWith('.md') ? name : withoutEnding(name)
      }
      const text = rediraffe === undefined ? undefined : await readFile(rediraffe)
      const list =
        text === undefined || rediraffe === undefined
          ? undefined
          : rediraffeRedirects({ path: rediraffe, text }, base)
      return toctreeTree(currentTrees, nameOf, byPattern, list)
    },
    dialectOf: (path) => (markupOf(path) === undefined ? dialect : restructuredDialect),
    configuredDialect: async () => sphinxSettings(python),
    customs: {
      standsAlone: (data) => data['orphan'] === true,
      ownAnchors: ['genindex', 'modindex', 'py-modindex', 'search'],
      definesLabels:
        !isBook &&
        unread.every(({ pages }) => pages === 0) &&
        hasPlainExtensions(python, pythonTexts(python, 'extensions')),
    },
    pageFor: (path, data) => {
      if (!isPage(path)) return undefined
      return {
        url: urlOf(path.slice(base.length)),
        language: undefined,
        version: undefined,
        navTitle: navigation.get(path)?.label,
        inNavigation: isListed(path),
        hidden: data['nosearch'] === true,
      }
    },
    links: linkRules({
      forms: ['document', 'label', 'source', 'term'],
      hasNamesOnly: true,
      assetRoots: [base, `${base}_static/`],
      contentFolders: () => [base],
      // Pages that are no Markdown, and what extensions make of code.
      mayExist: (url) => !url.endsWith('.md') && (makes || !url.endsWith('.html') || isUnread(url)),
      makesDocuments: makes,
      hasForeignLabels: importsAll(python) || /intersphinx|auto(?:doc|summary|api)/.test(python),
    }),
  }
}

/** The place of a document that is named from a folder. Sphinx lets no `..` lead above the top of the site. */
function documentPath(base: string, folder: string, name: string): string {
  const parts = name.startsWith('/') ? [] : folder.slice(base.length).split('/')
  const inside = parts.filter((part) => part !== '')
  for (const part of name.split('/')) {
    if (part === '..') inside.pop()
    else if (part !== '' && part !== '.') inside.push(part)
  }
  return `${base}${inside.join('/')}`
}

/** The file of redirects that the configuration names for rediraffe. */
function rediraffeFile(python: string, base: string, paths: ReadonlySet<string>): string | undefined {
  const name = pythonText(python, 'rediraffe_redirects')
  // The agent may write it, so it has to look like one.
  if (name === undefined || !/^[\w./-]{1,100}\.txt$/.test(name)) return undefined
  const path = joinPath(base, name)
  return path !== undefined && path.startsWith(base) && paths.has(path) ? path : undefined
}

/** The pages as a reader passes them: what a page names follows it, in the groups that it stands in. */
function readingOrder(
  first: string,
  listed: ReadonlyMap<string, readonly Listed[]>,
): Map<string, NavigationPlace> {
  const places = new Map<string, NavigationPlace>([[first, { label: undefined, groups: [] }]])
  const visit = (file: string, outer: readonly string[], depth: number): void => {
    for (const { path, label, groups: own } of listed.get(file) ?? []) {
      if (path === undefined || places.has(path)) continue
      const groups = [...outer, ...own]
      places.set(path, { label, groups })
      if (depth < maxDepth) visit(path, groups, depth + 1)
    }
  }
  for (const file of listed.keys()) visit(file, places.get(file)?.groups ?? [], 0)
  return places
}

type Listed = Pick<TreePage, 'path' | 'label' | 'groups'>

/** Reads the pages that directives name, from the first page on. */
async function followToctrees(
  read: ReadFile,
  {
    home,
    resolve,
    isPage,
    documents,
  }: {
    home: string
    resolve: (from: string, name: string) => { path: string; isMissing: boolean }
    isPage: (path: string) => boolean
    /** Paths that patterns may mean, in order. */
    documents: (folder: string, glob: string) => string[]
  },
): Promise<Toctrees & { files: string[]; isPartial: boolean; listed: ReadonlyMap<string, Listed[]> }> {
  const toctrees = { pages: [] as Toctrees['pages'][number][], lists: [] as Toctrees['lists'][number][] }
  const listed = new Map<string, Listed[]>()
  const files: string[] = [home]
  const seen = new Set<string>([home])
  // Pages of other formats, and what directives make of code, may name others.
  let isPartial = !isPage(home)
  let reads = 0
  for (const path of seen) {
    if (seen.size > maxRead) isPartial = true
    if (!isPage(path) || reads > maxRead) continue
    reads += 1
    const text = await read(path)
    if (text === undefined || text.length > maxLength) continue
    const byPattern = (glob: string, own: ReadonlySet<string>) =>
      documents(folderOf(path), glob).filter((one) => one !== path && !own.has(one))
    const entries: Listed[] = []
    const { pages, lists } = readToctrees({ path, text }, (name) => resolve(path, name))
    if (lists.length > 0) files.push(path)
    toctrees.lists.push(...lists)
    toctrees.pages.push(...pages)
    for (const list of lists) {
      const named = pages.filter((page) => page.list === list)
      const own = new Set(named.flatMap((page) => page.path ?? []))
      for (const child of list.container.children) {
        const page = named.find(({ holder }) => holder?.child === child)
        const glob = text.slice(child.start, child.end)
        if (page !== undefined) entries.push(page)
        else if (list.globs.includes(glob))
          entries.push(
            ...byPattern(glob, own).map((one) => ({ path: one, label: undefined, groups: list.names })),
          )
      }
    }
    listed.set(path, entries)
    for (const { path: named } of entries) if (named !== undefined && seen.size <= maxRead) seen.add(named)
  }
  return { ...toctrees, files, isPartial, listed }
}

function isDocument(path: string, base: string): boolean {
  return path.startsWith(base) && /\.(?:rst|ipynb)$/.test(path)
}

function withoutEnding(name: string): string {
  return name.replace(/\.(?:md|rst|txt|ipynb)$/, '')
}

function patternTest(
  base: string,
  patterns: readonly { folder: string; glob: string }[],
): (path: string) => boolean {
  const tests = patterns.slice(0, 200).flatMap(({ folder, glob }) => {
    const whole =
      glob.length > 500 ? undefined : joinPath(glob.startsWith('/') ? base : folder, glob.replace(/^\//, ''))
    return whole === undefined ? [] : [createPattern(withoutEnding(whole))]
  })
  return (path) => tests.some((test) => test(withoutEnding(path)))
}

/** The folders that extensions write pages to, which no repository has. */
function writtenFolders(python: string): string[] {
  const named = ['apidoc_output_dir', 'autoapi_root', 'gallery_dirs'].map((name) => pythonText(python, name))
  const usual = [/sphinxcontrib\.apidoc/.test(python) ? 'api' : '', /autoapi/.test(python) ? 'autoapi' : '']
  return [...named, ...usual].flatMap((one) => {
    const folder = one?.replace(/^\.\//, '').replace(/\/$/, '') ?? ''
    return folder === '' ? [] : [folder]
  })
}

/** The texts of a list that stands in Python as it is; empty where it is computed. */
function pythonTexts(source: string, name: string): string[] {
  const start = assigned(source, name)
  if (start === undefined || source[start] !== '[') return []
  const texts: string[] = []
  for (let at = start + 1; at < source.length; at++) {
    const sign = source[at]
    if (sign === ']') return texts.slice(0, 200).filter((text) => text !== '' && text.length <= 300)
    if (sign === '#') {
      const end = source.indexOf('\n', at)
      if (end === -1) return []
      at = end
    } else if (sign === '"' || sign === "'") {
      const end = source.indexOf(sign, at + 1)
      if (end === -1) return []
      texts.push(source.slice(at + 1, end))
      at = end
    }
  }
  return []
}

function pythonText(source: string, name: string): string | undefined {
  const at = assigned(source, name)
  const quote = at === undefined ? undefined : source[at]
  if (at === undefined || (quote !== '"' && quote !== "'")) return undefined
  const end = source.indexOf(quote, at + 1)
  return end === -1 || end - at > 200 ? undefined : source.slice(at + 1, end)
}

/** Where the value of `name = value` starts. */
function assigned(source: string, name: string): number | undefined {
  for (const { start, end } of splitLines(source)) {
    if (!source.startsWith(name, start)) continue
    const rest = source.slice(start + name.length, end)
    const value = rest.trimStart()
    if (value.startsWith('=')) return end - value.slice(1).trimStart().length
  }
  return undefined
}

function withoutAnyExtension(path: string): string {
  return path.replace(/\.[^./]{1,20}$/, '')
}
