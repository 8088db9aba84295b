import { isRecord } from '../../../lib/is-record.ts'
import { readHeadingId } from '../../../site/markdown/heading-id.ts'
import { type PageTree, spanOf } from '../../../site/markdown/page-tree.ts'
import { shownAttributes } from '../../../site/markdown/shown-attributes.ts'
import { readTag } from '../../../site/markdown/tag.ts'
import {
  codeTitle,
  componentKind,
  componentMarks,
  escapeAttribute,
  type ComponentKind,
} from './component-kinds.ts'
import { readMarkedLines } from './marked-lines.ts'
import { noteKind } from './show-admonitions.ts'

/** The properties of a Markdown or MDX node that are used here. */
interface Shown {
  type: string
  value?: unknown
  children?: Shown[]
  /** The name of a JSX element; null for a fragment. */
  name?: unknown
  attributes?: unknown
  url?: string
  /** What stands behind the language of a code block. */
  meta?: string | null | undefined
  /** The HTML element that the node is rendered as. */
  data?: unknown
  position?: PageTree['position']
}

/** Elements that are never shown, with everything in them. */
export const hiddenElements = 'script style svg template head noscript iframe object math'.split(' ')

/**
 * Replaces, in place, what only a framework understands by plain Markdown and HTML. JSX elements become HTML
 * elements, notes, or the texts of their attributes. Expressions, imports and heading ids are removed. Directives
 * become text.
 * @param text the source of the tree
 */
export function showComponents(tree: PageTree, text: string): void {
  const root: Shown = tree
  root.children = tree.children.flatMap((node) => show(node, text, false))
}

function show(node: Shown, text: string, isInline: boolean): Shown[] {
  switch (node.type) {
    case 'mdxjsEsm':
      return []
    case 'mdxFlowExpression':
    case 'mdxTextExpression': {
      const value = literalOf(node.value)
      return value === undefined ? [] : [{ type: 'text', value }]
    }
    case 'mdxJsxFlowElement':
    case 'mdxJsxTextElement':
      return showElement(node, text, isInline)
    case 'html':
      return [{ ...node, value: showTags(String(node.value), isInline) }]
    case 'textDirective':
    case 'leafDirective':
    case 'containerDirective':
      return [{ type: 'text', value: text.slice(...spanOf(node)) }]
    case 'paragraph':
      // A paragraph that holds only components (`<Note>Short.</Note>`) is shown as these components.
      if (holdsComponentsOnly(node)) return showAll(node, text, false)
      break
    case 'heading':
      dropHeadingId(node)
      break
    case 'code':
      if (/\btwoslash\b/.test(node.meta ?? '')) node.value = withoutCut(String(node.value))
      markLines(node)
      return [titledCode(node, codeTitle(node.meta ?? '', false))]
  }
  const inline = isInline || ['paragraph', 'heading', 'tableCell'].includes(node.type)
  const [first, ...others] = node.children ?? []
  if (first === undefined) return [node]
  // A tag at the start of a paragraph is shown as a block: `<Note>Short.</Note>`.
  const start = show(first, text, inline && (first.type !== 'html' || node.type !== 'paragraph'))
  return [{ ...node, children: [...start, ...showAll({ ...node, children: others }, text, inline)] }]
}

function showAll({ children = [] }: Shown, text: string, isInline: boolean): Shown[] {
  return children.flatMap((child) => show(child, text, isInline))
}

function holdsComponentsOnly({ children = [] }: Shown): boolean {
  const written = children.filter(({ type, value }) => type !== 'text' || String(value).trim() !== '')
  return written.length > 0 && written.every(({ name }) => typeof name === 'string' && isComponent(name))
}

function isComponent(name: string): boolean {
  return /^[A-Z]/.test(name)
}

function showElement(node: Shown, text: string, isInline: boolean): Shown[] {
  const name = typeof node.name === 'string' ? node.name : ''
  if (hiddenElements.includes(name.toLowerCase())) return []
  const attributes = attributesOf(node)
  // `<Note>Short.</Note>` on a line of its own: its content is a paragraph.
  const isLone = node.type === 'mdxJsxTextElement' && !isInline && isComponent(name)
  const inner = showAll(node, text, isInline || isLone)
  const { position } = node
  const children = isLone && inner.length > 0 ? [{ type: 'paragraph', children: inner, position }] : inner
  if (/^[a-z][a-z\d]*$/.test(name)) {
    // Markdown within a `<p>` makes paragraphs, which HTML does not allow in a `p`.
    const hName = name === 'p' && node.type === 'mdxJsxFlowElement' ? 'div' : name
    const element = {
      type: node.type,
      children,
      position,
      data: { hName, hProperties: Object.fromEntries(attributes) },
    }
    return name === 'img' && !isInline ? [{ type: 'paragraph', children: [element], position }] : [element]
  }
  const component = isInline ? undefined : kindOf(name, attributes, children.length === 0)
  if (component !== undefined) {
    const content = component === 'tabs' ? codeInTabs(node, children) : children
    const marks = componentMarks(component, name, attributes)
    return [{ type: node.type, children: content, position, data: { hName: 'div', hProperties: marks } }]
  }
  if (!isComponent(name)) return children
  const summary = shownAttributes(name, attributes).join(' ').replaceAll(/\s+/g, ' ')
  if (isInline) return summary === '' ? children : [{ type: 'text', value: summary }, ...children]
  // The text of the attributes belongs to the first line of the tag.
  const headPosition = position && { start: position.start, end: position.start }
  const words: Shown = { type: 'text', value: summary }
  const url = attributes.get('href') ?? ''
  const title = url === '' ? words : { type: 'link', url, children: [words] }
  const kind = noteKindOf(name, attributes)
  if (kind !== undefined && children.length > 0) {
    const head = { type: 'paragraph', children: [{ type: 'text', value: `[!${kind}] ` }, title] }
    return [{ type: 'blockquote', children: [{ ...head, position: headPosition }, ...children], position }]
  }
  if (summary === '') return children
  const head = { type: 'paragraph', children: [{ type: 'strong', children: [title] }] }
  return [{ ...head, position: headPosition }, ...children]
}

const cutLine = /^[ \t]*\/\/ ---cut(?:-(before|after|start|end))?---[ \t]*$/

/** Code as twoslash shows it, without the lines that are only there to compile it. */
function withoutCut(code: string): string {
  let shown: string[] = []
  let isHidden = false
  for (const line of code.split('\n')) {
    const cut = cutLine.exec(line)
    if (cut === null) {
      if (!isHidden) shown.push(line)
    } else if (cut[1] === 'start' || cut[1] === 'end') isHidden = cut[1] === 'start'
    else if (cut[1] === 'after') break
    else shown = []
  }
  return shown.join('\n')
}

function markLines(code: Shown): void {
  const { text, marks } = readMarkedLines(String(code.value), code.meta ?? '')
  code.value = text
  if (marks !== '') code.data = { hProperties: { 'data-lines': marks } }
}

/** Shows a block of code below its title. */
function titledCode(code: Shown, title: string | undefined): Shown {
  if (title === undefined) return code
  const caption = {
    type: 'paragraph',
    children: [{ type: 'text', value: title.slice(0, 200) }],
    data: { hName: 'figcaption' },
  }
  return {
    type: 'blockquote',
    children: [caption, code],
    position: code.position,
    data: { hName: 'figure' },
  }
}

/** In a group, bare words behind the language are the title of a block of code. */
function codeInTabs({ children: own = [] }: Shown, shown: Shown[]): Shown[] {
  const isGroup = own.length > 0 && own.every(({ type }) => type === 'code')
  return isGroup ? own.map((code) => titledCode(code, codeTitle(code.meta ?? '', true))) : shown
}

/** What is empty, has a title and leads somewhere looks like a card, also where it is a component of the site itself. */
function kindOf(
  name: string,
  attributes: ReadonlyMap<string, string>,
  isEmpty: boolean,
): ComponentKind | undefined {
  const isLink = isEmpty && isComponent(name) && attributes.has('href') && attributes.has('title')
  return componentKind(name) ?? (isLink && noteKind(name) === undefined ? 'card' : undefined)
}

function noteKindOf(name: string, attributes: ReadonlyMap<string, string>): string | undefined {
  const kind = noteKind(name)
  return kind === undefined ? undefined : (noteKind(attributes.get('type') ?? '') ?? kind)
}

function attributesOf({ attributes }: Shown): Map<string, string> {
  const byName = new Map<string, string>()
  for (const attribute of Array.isArray(attributes) ? attributes.filter(isRecord) : []) {
    const { name, value } = attribute
    const text = isRecord(value) ? literalOf(value['value']) : (value ?? '')
    if (typeof name === 'string' && typeof text === 'string') byName.set(name, text)
  }
  return byName
}

/** The text of an expression that is a literal, such as `' '`; undefined for other code. */
function literalOf(expression: unknown): string | undefined {
  return /^\s*(["'`])([^"'`\\$]*)\1\s*$/.exec(String(expression))?.[2]
}

function dropHeadingId({ children }: Shown): void {
  const last = children?.at(-1)
  if (last?.type === 'text') last.value = readHeadingId(String(last.value).trimEnd()).text
}

/** Replaces the tags of components in HTML by the texts of their attributes. */
function showTags(html: string, isInline: boolean): string {
  let shown = ''
  let from = 0
  for (let at = html.indexOf('<'); at !== -1;) {
    const tag = readTag(html, at)
    if ('failedAt' in tag || !isComponent(tag.name)) {
      at = html.indexOf('<', 'failedAt' in tag ? Math.max(at + 1, tag.failedAt) : tag.end)
      continue
    }
    shown += html.slice(from, at) + tagShown(tag, isInline)
    from = tag.end
    at = html.indexOf('<', from)
  }
  return shown + html.slice(from)
}

function tagShown(
  { name, closing, selfClosing, attributes: list }: Exclude<ReturnType<typeof readTag>, { failedAt: number }>,
  isInline: boolean,
): string {
  const isHidden = hiddenElements.includes(name.toLowerCase())
  if (isHidden) return closing ? '</template>' : selfClosing ? '' : '<template>'
  const attributes = new Map(list.flatMap(({ name, value }) => (value === undefined ? [] : [[name, value]])))
  const component = isInline ? undefined : kindOf(name, attributes, selfClosing)
  if (component !== undefined) {
    if (closing) return '</div>'
    const marks = Object.entries(componentMarks(component, name, attributes))
    const tag = marks.map(([key, value]) => ` ${key}="${escapeAttribute(value)}"`).join('')
    return `<div${tag}>${selfClosing ? '</div>' : ''}`
  }
  const kind = noteKindOf(name, attributes)
  if (closing) return kind === undefined ? '' : '</blockquote>'
  const text = escapeAttribute(shownAttributes(name, attributes).join(' ').replaceAll(/\s+/g, ' '))
  if (isInline) return text
  const url = attributes.get('href') ?? ''
  const title = url === '' ? text : `<a href="${escapeAttribute(url)}">${text}</a>`
  if (kind !== undefined && !selfClosing) return `<blockquote><p>[!${kind}] ${text === '' ? '' : title}</p>`
  return text === '' ? '' : `<p><strong>${title}</strong></p>`
}
