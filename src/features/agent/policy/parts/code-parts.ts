import { posix } from 'node:path'
import { parseScript } from '../../../../site/code-config/parse-script.ts'
import { codeParts, expressionParts } from './element-parts.ts'
import type { Element, Reading } from './reading.ts'
import { type Part, lineAt, partOf, shown } from './part.ts'
import { type SyntaxNode, isNode, nodesIn } from './text-parts.ts'

/** Modules that are made for pages. */
const madeForPages =
  /^(?:@theme\/(?!Playground|ReactLive|Live)|@docusaurus\/(?:Link|useBaseUrl|Head)$|@astrojs\/starlight\/components$|astro:assets$)/
const content = /\.(?:mdx?|markdown|png|jpe?g|gif|svg|webp|avif|ico|mp4|webm|json|ya?ml)$/i

/** Of the repository: that it stands in the base is asked besides. */
const component = /^(?:\.{1,2}\/|@site\/|[@~]\/)(?:.*\/)?(?:[^./]+|[^/]+\.(?:vue|astro|svelte|tsx|jsx))$/

/** What a statement of a page's module does; the names that it binds are noted. `lines` stand before the text. */
export function statementParts(
  statement: SyntaxNode,
  { text, lines, reading }: { text: string; lines: number; reading: Reading },
): Part[] {
  const at = Number(statement['start'])
  const source = text.slice(at, Number(statement['end']))
  const line = lines + lineAt(text, at)
  if (statement.type === 'ImportDeclaration') return importParts(statement, line, reading)
  const { declaration } = statement
  const declared =
    isNode(declaration) && declaration.type === 'VariableDeclaration'
      ? nodesIn(declaration['declarations'])
      : []
  const isExport = statement.type === 'ExportNamedDeclaration' && declared.length > 0
  const code = () =>
    codeParts(statement, 'statement', { ...partOf('', 'code', source, line), source }, reading)
  const parts: Part[] = []
  for (const { id, init } of declared) {
    const isPlain =
      isNode(id) &&
      id.type === 'Identifier' &&
      isNode(init) &&
      /^(?:Literal|TemplateLiteral|ArrayExpression|ObjectExpression|UnaryExpression)$/.test(init.type)
    if (!isPlain) return code()
    // Its fields may become attributes of any name.
    parts.push(...expressionParts(init, { source, line, field: 'src', reading }))
    reading.names.set(String(id['name']), 'value')
  }
  return isExport ? parts : code()
}

function importParts(statement: SyntaxNode, line: number, reading: Reading): Part[] {
  const from = isNode(statement['source']) ? String(statement['source']['value']) : ''
  const names = nodesIn(statement['specifiers']).map(({ local }) =>
    isNode(local) ? String(local['name']) : '',
  )
  const isData = /\.(?:json|ya?ml)$/i.test(from)
  for (const name of names) reading.names.set(name, isData ? 'data' : 'module')
  if (
    names.length > 0 &&
    (madeForPages.test(from) || (content.test(from) && reading.fileOf(from) !== undefined))
  )
    return []
  // From another folder the same file has another relative path.
  const tail = from.replace(/^(?:\.{1,2}\/)+/, '')
  const folder = names.length === 0 ? undefined : folderOf(from, reading)
  const also = folder === undefined ? [] : [`imports of ${folder}`]
  const isComponent =
    folder !== undefined && component.test(from) && names.every((name) => /^[A-Z]/.test(name))
  const keys = new Set(names.map((name) => (/^[A-Z]/.test(name) ? '' : name)))
  return [...(keys.size === 0 ? [''] : keys)].map((name) => ({
    key: `import ${tail} ${name}`,
    also,
    what: `an import of ${shown(from)}, which no page imports`,
    line,
    approval: { kind: 'import', value: from },
    words: 'import',
    ...(isComponent && { degree: 'look' as const }),
  }))
}

const endings = ['', ...['tsx', 'ts', 'jsx', 'js', 'mjs', 'vue', 'astro', 'svelte'].map((one) => `.${one}`)]

/** The folder that a module of the site is imported from, and the kind of the file; undefined when no file is there. */
function folderOf(given: string, { path, fileOf }: Reading): string | undefined {
  const [, loader = '', from = '', query = ''] =
    /^(!{0,2}raw-loader!)?([^!?]+)(\?(?:raw|url|component))?$/.exec(given) ?? []
  const isRelative = /^\.{1,2}\//.test(from)
  const file = isRelative ? posix.join(posix.dirname(path), from) : from
  const folder = file.slice(0, file.lastIndexOf('/') + 1)
  // A package is named in small letters, and what leads up from a name of a folder leads anywhere.
  const isOfSite =
    folder !== '' &&
    !/(?:^|\/)\.\.(?:\/|$)/.test(file) &&
    (isRelative || /[A-Z]|\.[a-z]+$/.test(file.slice(folder.length)))
  const exists = ['', '/index'].some((index) =>
    endings.some((one) => fileOf(`${isRelative ? '/' : ''}${file}${index}${one}`) !== undefined),
  )
  return isOfSite && exists
    ? `${loader}${isRelative ? `\0${folder}` : folder} ${posix.extname(file)}${query}`
    : undefined
}

/** Whether an element is a script of a page that is a Vue component: a module whose statements are judged. */
export function isScript(
  { name, attributes }: Pick<Element, 'name' | 'attributes'>,
  { dialect }: Reading,
): boolean {
  return (
    dialect.vue &&
    name === 'script' &&
    attributes.every(({ name: one, value }) =>
      one === 'lang' ? /^[jt]s$/.test(value ?? '') : one === 'setup' && value === undefined,
    )
  )
}

export function scriptParts(script: SyntaxNode, text: string, line: number, reading: Reading): Part[] {
  return nodesIn(script['body']).flatMap((statement) =>
    statementParts(statement, { text, lines: line - 1, reading }),
  )
}

const mostScripts = 10

/** The scripts of a page that parse, by their text. */
export async function readScripts(text: string): Promise<Map<string, SyntaxNode>> {
  const scripts = new Map<string, SyntaxNode>()
  for (let open = text.indexOf('<script'), count = 0; open !== -1 && count < mostScripts; count++) {
    const start = text.indexOf('>', open) + 1
    const end = text.indexOf('</script', start)
    if (start === 0 || end === -1) break
    const source = text.slice(start, end)
    const ending = /\blang=["']?ts\b/.test(text.slice(open, start)) ? 'ts' : 'js'
    const root = (await parseScript(`script.${ending}`, source))?.root
    if (isNode(root)) scripts.set(source, root)
    open = text.indexOf('<script', end)
  }
  return scripts
}
