import type { Nodes, Parents } from 'mdast'
import type { PageDialect } from '../../../../site/pages/dialect.ts'
import { createPageTrees } from '../../../../site/markdown/page-tree.ts'
import { activeScheme, isPlainPicture } from '../addresses.ts'
import { elementParts, expressionParts, attributeHosts, rawElement } from './element-parts.ts'
import { type FindFile, namesFileBeyond } from './include-parts.ts'
import { fencesOf, infoParts, isWhole, rawParts, withoutTags } from './fence-parts.ts'
import { templateParts } from './template-parts.ts'
import { statementParts } from './code-parts.ts'
import { actingComment } from './comment-parts.ts'
import { lineOf, type Page, type Reading, sourceOf, startOf } from './reading.ts'
import { commentEnd, htmlParts } from './markup-parts.ts'
import { blanked, hostParts, launchParts, lineAt, type Part, partOf, type Ships, tooComplex } from './part.ts'
import { textParts, withoutFormulas, type SyntaxNode, isNode, nodesIn } from './text-parts.ts'

const maxDepth = 8
const maxLeaf = 500
const trees = createPageTrees()

/** Everything in the body of a page that is not known to be inert to one reader. */
export function pageParts(source: string, of: Given): Part[] {
  const { problem } = trees.read(source, of.dialect.mdx ? 'mdx' : 'markdown')
  if (problem?.reason === 'it is nested too deep')
    return [{ key: `complex ${problem.line}`, line: problem.line, what: tooComplex }]
  const page = read(source, 1, readingOf(of), 0)
  return [...page.parts, ...definitionParts(page.reading), ...templateParts(source, page.reading, page)]
}

export type Given = Pick<Reading, 'path' | 'dialect' | 'ships'> &
  Partial<Pick<Reading, 'scripts'>> & {
    findFile: FindFile
    /** Files that the same diff adds. */
    added?: readonly string[]
  }

export function readingOf({
  path,
  dialect,
  ships,
  findFile,
  added = [],
  scripts = new Map(),
}: Given): Reading {
  const plain: PageDialect = { ...dialect, mdx: false, templates: 'none' }
  const reading: Reading = {
    path,
    dialect,
    fileOf: (given) => findFile(given, path, added),
    ships,
    names: new Map(),
    images: new Set(),
    definitions: [],
    scripts,
    read: (text, line) => [
      ...read(text, line, { ...reading, dialect: plain }, 1).parts,
      ...definitionParts(reading),
    ],
  }
  return reading
}

/** Reads a text as a page or as a part of one. */
function read(text: string, line: number, reading: Reading, depth: number): Page {
  const page: Page = {
    source: text,
    lines: line - 1,
    reading,
    syntax: reading.dialect.mdx ? 'mdx' : 'markdown',
    fences: fencesOf(text),
    parts: [],
    code: [],
    comments: [],
    depth,
  }
  const tree = depth > maxDepth ? undefined : treeOf(page)
  if (tree === undefined) page.parts.push(...rawParts(text, line))
  else {
    // Imports count from the start of a page.
    for (const one of 'children' in tree ? tree.children : [])
      if (one.type === 'mdxjsEsm')
        for (const statement of nodesIn(one.data?.estree?.body))
          page.parts.push(...statementParts(statement, { text: page.source, lines: page.lines, reading }))
      else if (reading.dialect.vue && one.type === 'html' && sourceOf(one, page).startsWith('<script'))
        htmlParts(sourceOf(one, page), lineOf(one, page), reading)
    visit(tree, page, [])
  }
  return page
}

/** Addresses of images that stand in definitions: which those are is known at the end. */
function definitionParts({ images, definitions }: Reading): Part[] {
  const used = definitions.filter(({ identifier }) => images.has(identifier))
  return used.flatMap(({ url, line }) => hostParts(url, line))
}

function treeOf(page: Page): Nodes | undefined {
  const { source, syntax } = page
  const { reading } = page
  page.source = syntax === 'mdx' && reading.dialect.math === true ? withoutFormulas(source) : source
  const { tree } = trees.read(page.source, syntax)
  if (tree !== undefined || syntax === 'markdown') return tree
  page.source = source
  // What frameworks take out of MDX before it is read, or read otherwise. Who does not cannot build the page.
  for (const blank of [
    withoutOwn,
    (text: string) => withoutFormulas(withoutOwn(text, page)),
    (text: string) => withoutTags(withoutFormulas(withoutOwn(text, page)), page),
  ]) {
    const kept = page.parts.length
    const text = blank(source, page)
    const reread = text === source ? undefined : trees.read(text, syntax).tree
    if (reread !== undefined) {
      page.source = text
      return reread
    }
    page.parts.length = kept
  }
  return undefined
}

/** Comments, signs around addresses, ids of headings and lists of attributes of directives. */
function withoutOwn(text: string, page: Page): string {
  let plain = ''
  let at = 0
  for (let open = text.indexOf('<!--'); open !== -1; open = text.indexOf('<!--', at)) {
    const end = commentEnd(text, open)
    const before = text.slice(text.lastIndexOf('\n', open) + 1, open)
    const comment = text.slice(open, end)
    // Names of code in a line that is a comment.
    const bare =
      before.trim() === '' && !comment.includes('\n')
        ? comment.replaceAll(/(?<!`)`[\w-]+`(?!`)/g, '')
        : comment
    if (end === undefined || before.includes('`') || /`|~{3}/.test(bare)) break
    plain += text.slice(at, open) + blanked(text.slice(open, end))
    at = end
  }
  return (plain + text.slice(at))
    .replaceAll(/<((?:https?:\/\/|mailto:)[^\s<>{}"'`]{1,2000}|[\w.+-]{1,100}@[\w.-]{1,100})>/g, ' $1 ')
    .replaceAll(/\{[ \t]?#[\w:.-]{1,200}\}(?=[ \t]*$)/gm, blanked)
    .replaceAll(/^#{1,6}[ \t].*$/gm, (heading) => heading.replace('{#', '  '))
    .replaceAll(
      /(?<=^[ \t>]{0,200}:{2,40}[ \t]?[a-z][\w-]{0,50}(?:\[[^\]\n]{0,200}\])?[ \t]?|:[a-z][\w-]{0,50}\[[^\]\n]{0,200}\])\{([^{}\n]{0,500})\}/gim,
      (list, inner: string, offset: number) => {
        for (const part of textParts(`{${inner}}`, lineAt(text, offset), leafOf(page))) page.parts.push(part)
        return blanked(list)
      },
    )
}

function visit(node: Nodes, page: Page, parents: readonly Parents[]): void {
  const { reading, parts } = page
  const line = lineOf(node, page)
  if (parents.length > 200) {
    parts.push(...rawParts(sourceOf(node, page), line))
    return
  }
  switch (node.type) {
    case 'paragraph':
    case 'heading':
    case 'tableCell':
      leaf(node, page)
      break
    case 'html': {
      const { parts: found, text } = htmlParts(sourceOf(node, page), line, reading)
      const isBlock = parents.at(-1)?.type !== 'paragraph'
      const source = sourceOf(node, page)
      if (commentEnd(source, 0) === source.trimEnd().length) {
        // Within a line it may be part of a link or of several cells for other readers.
        const leaf = parents.findLast(({ type }) => /^(?:paragraph|heading|tableCell)$/.test(type))
        const isSure =
          isBlock ||
          !(
            /[\n|]/.test(source) ||
            (leaf !== undefined && page.source.slice(startOf(leaf), startOf(node)).includes('['))
          )
        parts.push(...actingComment(source, line))
        if (isSure) page.comments.push([startOf(node), startOf(node) + source.length])
        else parts.push(...read(source.slice(4, -3), line, reading, page.depth + 1).parts)
        break
      }
      parts.push(...found, ...(isBlock ? textParts(text, line, leafOf(page)).slice(0, maxLeaf) : []))
      break
    }
    case 'code':
      code(node, page, parents)
      break
    case 'inlineCode': {
      // Formulas, tables and lines that begin with a tag take the backticks apart for some readers.
      const around = parents.findLast(({ type }) => type === 'paragraph' || type === 'heading')
      const source = sourceOf(node, page)
      const before = around === undefined ? '' : page.source.slice(startOf(around), startOf(node))
      const lines = source.includes('|') && around !== undefined ? sourceOf(around, page).split('\n') : []
      const isTable = lines.some((one) => one.includes('-') && /^[\s>|:-]+$/.test(one))
      if (/\n[ \t>]*</.test(source) || (source.includes('$') && before.includes('$')) || isTable)
        parts.push(
          ...read(
            source.replaceAll('`', ' '),
            line,
            { ...reading, dialect: { ...reading.dialect, mdx: false } },
            page.depth + 1,
          ).parts,
          ...(reading.dialect.mdx && /[{<]/.test(source)
            ? [partOf('code', 'code that some readers do not take for code', source, line)]
            : []),
        )
      else page.code.push([startOf(node), startOf(node) + source.length])
      break
    }
    case 'link':
    case 'definition':
      // Docsify puts what such a link leads to into the page.
      if (/^\s*:\w/.test(node.title ?? ''))
        parts.push(partOf('include', 'a link that takes in what it leads to', sourceOf(node, page), line))
      if (node.type === 'definition')
        reading.definitions.push({ identifier: node.identifier, url: node.url, line })
      address(node.url, line, page, false)
      break
    case 'imageReference':
      reading.images.add(node.identifier)
      break
    case 'image':
      // Some renderers put it into the page as it is.
      if (/<[/!?]/.test(node.alt ?? ''))
        parts.push(partOf('image', 'an image with markup in its description', sourceOf(node, page), line))
      else if (/<[A-Za-z]/.test(node.alt ?? '')) parts.push(...htmlParts(node.alt ?? '', line, reading).parts)
      address(node.url, line, page, true)
      break
    case 'mdxJsxFlowElement':
    case 'mdxJsxTextElement':
      jsx(node, page)
      break
    case 'mdxFlowExpression':
    case 'mdxTextExpression': {
      const source = sourceOf(node, page)
      const [expression] = nodesIn(node.data?.estree?.body)
      const value = isNode(expression?.['expression']) ? expression['expression'] : 'none'
      // Nothing, or a comment.
      if (node.data?.estree?.body.length !== 0)
        parts.push(...expressionParts(value, { source, line, field: '', reading }))
      break
    }
    case 'yaml':
      parts.push(...rawParts(sourceOf(node, page), line))
      break
    default:
  }
  if ('children' in node) {
    const rawEnd = reading.dialect.python ? openBlocks(node, page) : undefined
    for (const child of node.children) {
      if (
        rawEnd !== undefined &&
        rawEnd.some(([from, to]) => startOf(child) >= from && startOf(child) < to)
      ) {
        // Python-Markdown takes a block of HTML as it is up to its end.
        const { parts: found } = htmlParts(sourceOf(child, page), lineOf(child, page), reading)
        parts.push(...found)
      }
      visit(child, page, [...parents, node])
    }
  }
}

/** Between an element that opens and its end, for who reads no Markdown in it. */
function openBlocks({ children }: Parents, page: Page): [from: number, to: number][] {
  const blocks: [number, number][] = []
  for (const child of children) {
    if (child.type !== 'html') continue
    const source = sourceOf(child, page)
    const [, name = '', attributes = ''] = /^<([a-z][a-z\d]*)\b([^<>]*)>/i.exec(source) ?? []
    if (name === '' || /\bmarkdown\b/.test(attributes) || source.includes(`</${name}`)) continue
    const end = page.source.indexOf(`</${name}`, startOf(child) + source.length)
    blocks.push([startOf(child) + 1, end === -1 ? page.source.length : end])
    if (blocks.length > 50) break
  }
  return blocks
}

/** The text of a paragraph, a heading or a cell: what is no text is blanked and judged on its own. */
function leaf(node: Parents, page: Page): void {
  const start = startOf(node)
  const raw = sourceOf(node, page)
  const text = raw.split('')
  const blank = (from: number, to: number) => {
    for (let at = from - start; at < to - start; at++) if (text[at] !== '\n') text[at] = ' '
  }
  const open: Nodes[] = [...node.children]
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    // What GFM takes for an address within a text has no place of its own.
    if (one.position === undefined) continue
    const [from, to] = [startOf(one), startOf(one) + sourceOf(one, page).length]
    const children: Nodes[] = 'children' in one ? one.children : []
    if (one.type === 'inlineCode') {
      const ticks = /^`*/.exec(sourceOf(one, page))?.[0].length ?? 1
      blank(from + ticks, to - ticks)
    } else if (one.type === 'html' || one.type === 'image' || one.type === 'mdxTextExpression')
      blank(from, to)
    else if (one.type === 'link' || one.type === 'mdxJsxTextElement') {
      const [first, last] = [children[0], children.at(-1)].map((child) =>
        child?.position === undefined ? undefined : child,
      )
      blank(from, first === undefined ? to : startOf(first))
      if (last !== undefined) blank(startOf(last) + sourceOf(last, page).length, to)
      // An address that is its own text. What it would take in of a list of attributes is none of it.
      if (one.type === 'link' && first !== undefined && startOf(first) === from)
        blank(from, from + sourceOf(one, page).split(/["'}]/, 1).join('').length)
    }
    open.push(...children)
  }
  // What is escaped is text to every reader.
  const plain = text.join('').replaceAll(/\\[!-/:-@[-`{-~]/g, '  ')
  const parts = textParts(plain, lineOf(node, page), { ...leafOf(page), raw })
  page.parts.push(...(parts.length > maxLeaf ? rawParts(raw, lineOf(node, page)) : parts))
}

function leafOf({ reading }: Page): {
  dialect: PageDialect
  ships: Ships
  hostsIn: (name: string, value: string, isComponent: boolean) => Part[] | undefined
} {
  return {
    dialect: reading.dialect,
    ships: reading.ships,
    hostsIn: (name, value, isComponent) => attributeHosts(name, value, reading, isComponent),
  }
}

/** What generators read the pages from. */
const tableOfContents = /(?:^|\/)(?:SUMMARY|_sidebar|_navbar)\.md$/i

function address(url: string, line: number, { parts, reading }: Page, isImage: boolean): void {
  const scheme = activeScheme(url)
  if (scheme !== undefined && !isPlainPicture(url) && !(isImage && /^data:image\//i.test(url)))
    parts.push(partOf('address', `an address of the scheme ${scheme}`, url, line))
  parts.push(...launchParts(url, line))
  if (tableOfContents.test(reading.path) && namesFileBeyond(url, reading.path))
    parts.push(partOf('file', 'an entry that names a file beyond the site', url, line))
  if (isImage) parts.push(...hostParts(url, line))
}

function jsx(node: Nodes & { type: 'mdxJsxFlowElement' | 'mdxJsxTextElement' }, page: Page): void {
  const { reading, parts } = page
  const [line, source] = [lineOf(node, page), sourceOf(node, page)]
  const attributes = node.attributes.map((one) => {
    if (one.type === 'mdxJsxExpressionAttribute')
      return { name: '{...}', expression: 'none' as const, source: `{${one.value}}` }
    if (typeof one.value === 'string')
      return { name: one.name, value: one.value, source: `${one.name}="${one.value}"` }
    if (one.value === null || one.value === undefined) return { name: one.name, source: one.name }
    const [statement] = nodesIn(one.value.data?.estree?.body)
    const expression: SyntaxNode | 'none' = isNode(statement?.['expression'])
      ? statement['expression']
      : 'none'
    return { name: one.name, expression, source: `{${one.value.value}}` }
  })
  const name = node.name ?? 'Fragment'
  const content = rawElement.test(name) ? source : undefined
  parts.push(...elementParts({ name, attributes, source, content, line }, reading))
}

function code(node: Nodes & { type: 'code' }, page: Page, parents: readonly Parents[]): void {
  const { reading, parts } = page
  const { dialect } = reading
  const [line, source] = [lineOf(node, page), sourceOf(node, page)]
  const isFenced = /^(?:`{3}|~{3})/.test(source)
  const first = page.lines === line - 1 ? 1 : line - page.lines
  // MDX and Vue pages have one reader, and the tree is what it reads.
  const isRead = dialect.mdx || dialect.vue
  const isAgreed = isFenced
    ? (isRead || (page.fences.get(first) ?? 0) >= first + source.split('\n').length - 1) &&
      (!dialect.python || isWholeForPython(node, parents)) &&
      isWhole(
        node.value,
        page.source.slice(0, startOf(node)),
        /^(?:whole|shortcodes)$/.test(dialect.templates),
      )
    : parents.length === 1 && !dialect.python && !/^[ \t]*(?:!{3}|\?{3}|===)/m.test(page.source)
  const info = isFenced ? (/^(?:`+|~+)[ \t]*([^\n]*)/.exec(source)?.[1]?.trim() ?? '') : ''
  const ofInfo = infoParts(info, node.value, source, line, reading)
  parts.push(...ofInfo.parts)
  if (!isAgreed || ofInfo.isMarkup)
    parts.push(...read(node.value, line + (isFenced ? 1 : 0), reading, page.depth + 1).parts)
  else if (!(dialect.vue && /^[^\s{]*-vue\b/.test(info)))
    page.code.push([startOf(node), startOf(node) + source.length])
}

/** Python-Markdown knows fences only where code of its own could stand. */
function isWholeForPython(node: Nodes, parents: readonly Parents[]): boolean {
  if (parents.some(({ type }) => type === 'blockquote')) return true
  return ((node.position?.start.column ?? 1) - 1) % 4 === 0 || parents.some(({ type }) => type === 'listItem')
}
