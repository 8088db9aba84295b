import { visit } from 'unist-util-visit'
import type { Site } from '../../site.ts'
import { type Span, blankSpans, spanOf } from '../../markdown/page-tree.ts'
import { snippetFolders } from '../../frameworks/mkdocs/snippet-folders.ts'
import { folderOf, relativePath, resolvePath } from '../../text/paths.ts'
import { lineFinder } from '../../text/text-file.ts'
import { type Finding, short } from '../problem.ts'
import type { FileVersion } from '../tree-change.ts'

const maxMissing = 50

/** Checks that the files that a page imports or includes exist. */
export async function checkSnippets(file: FileVersion): Promise<Finding[]> {
  if (!file.isMarkdown) return []
  const files = file.view.oids()
  return (await referencesOf(file))
    .filter((reference) => !isThere(files, reference))
    .slice(0, maxMissing)
    .map(({ line, text }) => {
      const near = nearest(files, file.path, text)
      return {
        check: 'snippet',
        line,
        href: text,
        message: `The page includes ${short(text)}, which is no file of the repository`,
        hint: near === undefined ? 'Write the path of a file that exists' : `It may be ${near}`,
      }
    })
}

async function referencesOf(file: FileVersion): Promise<Reference[]> {
  const { framework } = file.site
  if (framework === 'vitepress') return vitepressReferences(file)
  if (framework === 'mkdocs') {
    const folders = await snippetFolders(file.site, (path) => file.view.text(path))
    return folders === undefined ? [] : mkdocsReferences(file, folders)
  }
  return file.mdx === undefined ? [] : mdxReferences(file)
}

/** The only file of that name, as seen from the page. */
function nearest(files: ReadonlyMap<string, string>, from: string, text: string): string | undefined {
  const name = text.split(/[?#:]/, 1)[0]?.split('/').at(-1) ?? ''
  if (name === '') return undefined
  const matches = [...files.keys()].filter((path) => path === name || path.endsWith(`/${name}`))
  const [only] = matches
  return only !== undefined && matches.length === 1 ? relativePath(folderOf(from), only) : undefined
}

/** A file that a page needs, as it is written there. */
interface Reference {
  line: number
  text: string
  /** Paths of the repository that it may mean: one of them has to be there. */
  candidates: readonly string[]
  /** Whether endings such as `.ts` may be left out. */
  isCode: boolean
}

const endings = [
  'mdx',
  'md',
  'ts',
  'tsx',
  'js',
  'jsx',
  'mjs',
  'cjs',
  'mts',
  'cts',
  'json',
  'vue',
  'svelte',
  'astro',
  'css',
]

function isThere(files: ReadonlyMap<string, string>, { candidates, isCode }: Reference): boolean {
  return candidates.some((path) => {
    if (files.has(path)) return true
    if (!isCode) return false
    const bare = path.replace(/\/$/, '')
    // TypeScript files are imported by the name of the JavaScript that they compile to.
    const source = bare.replace(/\.([cm]?)js(x?)$/, '.$1ts$2')
    return (
      files.has(source) ||
      files.has(`${source}x`) ||
      endings.some((ending) => files.has(`${bare}.${ending}`) || files.has(`${bare}/index.${ending}`)) ||
      files.has(`${bare}/package.json`)
    )
  })
}

/** The page without its code and its front matter, which show names of files that it does not need. */
function withoutCode({ text, tree }: FileVersion): string {
  const spans: Span[] = tree === undefined ? [[0, text.length]] : []
  if (tree !== undefined)
    visit(tree, ['code', 'inlineCode', 'yaml', 'toml'], (node) => void spans.push(spanOf(node)))
  return blankSpans(text, spans)
}

/** Imports, `require` in attributes and Mintlify's `<Snippet file>`; packages and aliases of a build are left out. */
function mdxReferences(file: FileVersion): Reference[] {
  const text = withoutCode(file)
  const lineOf = lineFinder(text)
  const references: Reference[] = []
  const add = (name: string, at: number): void => {
    const candidates = pathsOf(file, name)
    if (candidates.length > 0) references.push({ line: lineOf(at), text: name, candidates, isCode: true })
  }
  for (const [start, end] of modules(file))
    for (const { 0: statement, index } of text
      .slice(start, end)
      .matchAll(/^(?:im|ex)port\b(?:.|\n(?!(?:im|ex)port\b))*/gm)) {
      const name = moduleOf(statement)
      if (name !== undefined) add(name, start + index)
    }
  for (const { 2: name = '', index } of text.matchAll(
    /[={(]\s{0,20}require\(\s{0,20}(['"])([^'"\n]{1,500})\1/g,
  ))
    add(name, index)
  const { root, framework } = file.site
  if (framework !== 'mintlify') return references
  for (const { 2: name = '', index } of text.matchAll(/<Snippet\s+file=(["'])([^"'\n]{1,500})\1/g)) {
    const candidates = ['snippets/', '_snippets/', ''].map(
      (folder) => `${root}${folder}${name.replace(/^\//, '')}`,
    )
    references.push({ line: lineOf(index), text: name, candidates, isCode: false })
  }
  return references.sort((one, other) => one.line - other.line)
}

/** The module that an import or export names. */
function moduleOf(statement: string): string | undefined {
  const at = statement.search(/['"`;]/)
  const quote = statement[at]
  if (quote !== '"' && quote !== "'") return undefined
  const head = statement.slice(0, at).trimEnd()
  const isImport = head === 'import' || (head.startsWith('import') && /[\s}]from$/.test(head))
  const isExport = /^export\s*[*{]/.test(head) && /[\s}*]from$/.test(head) && !head.includes('=')
  const [name = ''] = statement.slice(at + 1).split(quote, 1)
  return (isImport || isExport) && name !== '' && !name.includes('\n') ? name : undefined
}

/** Where imports and exports stand; in MDX that does not parse, the paragraphs that start like them. */
function modules({ text, tree }: FileVersion): Span[] {
  const spans: Span[] = []
  if (tree !== undefined)
    visit(tree, ['mdxjsEsm', 'paragraph'], (node) => {
      const span = spanOf(node)
      if (node.type === 'mdxjsEsm' || /^(?:import|export)\b/.test(text.slice(span[0], span[0] + 10)))
        spans.push(span)
    })
  return spans
}

function pathsOf({ path, site }: FileVersion, name: string): string[] {
  // A name may have webpack loaders before it (`!!raw-loader!x`), a query behind it (`x?raw`) and escaped underscores.
  const plain = (name.split('!').at(-1) ?? '').replace(/\?.*/s, '').replace(/\\(.)/g, '$1')
  if (plain.includes('node_modules/')) return []
  let found: string | undefined
  if (/^\.\.?(?:\/|$)/.test(plain)) found = resolvePath(folderOf(path), plain)
  else if (site.framework === 'docusaurus' && plain.startsWith('@site/'))
    found = resolvePath(folderOf(site.configPaths[0] ?? ''), plain.slice('@site/'.length))
  else if (site.framework === 'mintlify' && plain.startsWith('/'))
    found = resolvePath(site.root, plain.slice(1))
  return found === undefined || found === '' ? [] : [found]
}

const single = /^[ \t]*-{1,10}8<-{1,10}[ \t]+(?:"([^"\n]{1,500})"|'([^'\n]{1,500})')/
const block = /^[ \t]*-{1,10}8<-{1,10}[ \t]*$/

/** `--8<-- "file"` and blocks of such lines, in code too: they are filled in before anything else is read. */
function mkdocsReferences({ text: page }: FileVersion, folders: readonly string[]): Reference[] {
  const references: Reference[] = []
  let isOpen = false
  for (const [at, text] of page.split(/\r?\n/).entries()) {
    if (block.test(text)) {
      isOpen = !isOpen
      continue
    }
    const match = single.exec(text)
    const name = isOpen ? text.trim() : (match?.[1] ?? match?.[2])
    if (name === undefined || name === '' || name.length > 500 || /^(?:;|[a-z]+:\/\/)/i.test(name)) continue
    // A name may be followed by lines or a section: `file.md:2:4`.
    const [path = ''] = name.split(':', 1)
    const candidates = folders.flatMap((folder) => resolvePath(folder, path) ?? [])
    references.push({ line: at + 1, text: name, candidates, isCode: false })
  }
  return references
}

/** `<<< @/file.js#region{1-3}` and `<!--@include: ./part.md{1,3}-->`. */
function vitepressReferences(file: FileVersion): Reference[] {
  const { path, site } = file
  return withoutCode(file)
    .split('\n')
    .flatMap((whole, at) => {
      const text = whole.slice(0, maxLine)
      const code = /^\s*<<<[ \t]+([^\s{[#]{1,500})/.exec(text)?.[1]
      const page = /<!--\s*@include:\s*([^\s{#]{1,500}?)\s*(?:[{#][^>]*)?-->/.exec(text)?.[1]
      return [code, page].flatMap((name) => {
        const target = name === undefined ? undefined : vitepressPath(path, site, name)
        return name === undefined || target === undefined
          ? []
          : [{ line: at + 1, text: name, candidates: [target], isCode: false }]
      })
    })
}

const maxLine = 2000

function vitepressPath(from: string, site: Site, name: string): string | undefined {
  if (name.startsWith('@')) return resolvePath(site.root, name.slice(1))
  return name.startsWith('/') ? undefined : resolvePath(folderOf(from), name)
}
