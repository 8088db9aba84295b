import { visit } from 'unist-util-visit'
import { type Span, blankSpans, spanOf } from '../../markdown/page-tree.ts'
import { importedPath } from '../../includes/imported-path.ts'
import type { FileReference } from '../../pages/page-customs.ts'
import { folderOf, relativePath } from '../../text/paths.ts'
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
        message: `Included file ${short(text)} not found`,
        hint: near === undefined ? 'Write the path of a file that exists' : `It may be ${near}`,
      }
    })
}

async function referencesOf(file: FileVersion): Promise<FileReference[]> {
  const { path, text, site, view } = file
  const prose = withoutCode(file)
  const included = await site.customs.references?.({ path, text, prose }, (one) => view.text(one))
  const imported = file.mdx === undefined ? [] : mdxReferences(file, prose())
  return [...imported, ...(included ?? [])].sort((one, other) => one.line - other.line)
}

/** The only file of that name, as seen from the page. */
function nearest(files: ReadonlyMap<string, string>, from: string, text: string): string | undefined {
  const name = text.split(/[?#:]/, 1)[0]?.split('/').at(-1) ?? ''
  if (name === '') return undefined
  const matches = [...files.keys()].filter((path) => path === name || path.endsWith(`/${name}`))
  const [only] = matches
  return only !== undefined && matches.length === 1 ? relativePath(folderOf(from), only) : undefined
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

function isThere(files: ReadonlyMap<string, string>, { candidates, isCode }: FileReference): boolean {
  return candidates.some((path) => {
    if (files.has(path)) return true
    if (isCode !== true) return false
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
function withoutCode(file: FileVersion): () => string {
  let prose: string | undefined
  return () => {
    const { text, tree } = file
    const spans: Span[] = tree === undefined ? [[0, text.length]] : []
    if (prose === undefined && tree !== undefined)
      visit(tree, ['code', 'inlineCode', 'yaml', 'toml'], (node) => void spans.push(spanOf(node)))
    return (prose ??= blankSpans(text, spans))
  }
}

/** Imports, and `require` in attributes; packages and aliases of a build are left out. */
function mdxReferences(file: FileVersion, text: string): FileReference[] {
  const lineOf = lineFinder(text)
  const references: FileReference[] = []
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
  return references
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
  const file = importedPath(site, path, plain)
  return file === undefined || file === '' ? [] : [file]
}
