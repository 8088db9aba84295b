import { parseExpressionAt } from 'acorn'
import type { Nodes, Parents } from 'mdast'
import { visit } from 'unist-util-visit'
import { startOf } from '../../markdown/page-tree.ts'
import { readTag } from '../../markdown/tag.ts'
import { lineFinder } from '../../text/text-file.ts'
import { type Finding, short } from '../problem.ts'
import type { FileVersion } from '../tree-change.ts'

const empty = /^(?:area|base|br|col|embed|hr|img|input|link|meta|param|source|track|wbr)$/i
/** What they hold is not read as HTML. */
const opaque = /^(?:script|style|textarea|title)$/i
/** Blocks that are elements of their own: what is opened in one has to be closed in it. */
const scopes: ReadonlySet<string> = new Set([
  'paragraph',
  'heading',
  'tableCell',
  'listItem',
  'blockquote',
  'root',
])

/** What a Vue template cannot be made of: an element that is open or closed once too often, and `{{ }}` without a value. */
export function checkTags({ text, tree, site, path, isMarkdown }: FileVersion): Finding[] {
  if (!isMarkdown || tree === undefined || !site.dialectOf(path).vue) return []
  const lineOf = lineFinder(text)
  const findings: Finding[] = []
  const report = (at: number, message: string, hint: string, same: string) =>
    findings.push({ check: 'mdx', line: lineOf(at), message, hint, same })
  checkScope(tree, report)
  if (text.includes('{{')) checkValues(text, tree, report)
  return findings
}

type Report = (at: number, message: string, hint: string, same: string) => void

interface Open {
  name: string
  at: number
}

/** Reads the tags of a block in their order, and those of the blocks in it apart. */
function checkScope(scope: Parents, report: Report): void {
  const open: Open[] = []
  /** The element whose text is not read as HTML. */
  let hidden: string | undefined
  const read = (node: Nodes): void => {
    if (node.type === 'html') hidden = readHtml(node.value, startOf(node), { open, hidden }, report)
    else if (scopes.has(node.type) && 'children' in node) checkScope(node, report)
    else if ('children' in node) for (const child of node.children) read(child)
  }
  for (const child of scope.children) read(child)
  for (const { name, at } of open)
    report(
      at,
      `<${name}> is never closed${scope.type === 'root' ? '' : ' in its paragraph'}`,
      `Close it with </${name}>, or write &lt;${name}> or \`<${name}>\` where it is text`,
      `open ${name}`,
    )
}

function readHtml(
  html: string,
  offset: number,
  { open, hidden }: { open: Open[]; hidden: string | undefined },
  report: Report,
): string | undefined {
  let within = hidden
  for (let at = html.indexOf('<'); at !== -1;) {
    if (html.startsWith('<!--', at)) {
      const close = html.indexOf('-->', at)
      at = close === -1 ? -1 : html.indexOf('<', close)
      continue
    }
    const tag = readTag(html, at)
    if ('failedAt' in tag) {
      at = html.indexOf('<', Math.max(tag.failedAt, at + 1))
      continue
    }
    const { name, closing, selfClosing, end } = tag
    if (within !== undefined) {
      if (closing && name.toLowerCase() === within) within = undefined
    } else if (closing) close(open, name, offset + at, report)
    else if (!selfClosing && opaque.test(name)) within = name.toLowerCase()
    else if (!selfClosing && !empty.test(name) && name !== '') open.push({ name, at: offset + at })
    at = html.indexOf('<', end)
  }
  return within
}

function close(open: Open[], name: string, at: number, report: Report): void {
  const match = open.findLastIndex((one) => one.name.toLowerCase() === name.toLowerCase())
  if (match === -1) {
    // Browsers and Vue take these for nothing.
    if (!empty.test(name))
      report(at, `</${name}> closes nothing`, 'Remove it, or open the element before it', `closed ${name}`)
    return
  }
  for (const left of open.splice(match).slice(1))
    report(
      left.at,
      `<${left.name}> is still open where </${name}> stands`,
      `Close it with </${left.name}> before that, or write &lt;${left.name}> where it is text`,
      `open ${left.name}`,
    )
}

const globals =
  /^(?:\$.*|_.*|site|theme|page|frontmatter|Math|Date|JSON|Object|Array|String|Number|Boolean|Intl|BigInt|RegExp|Map|Set|Symbol|parseInt|parseFloat|isNaN|isFinite|encodeURI|encodeURIComponent|decodeURI|decodeURIComponent|Infinity|NaN|undefined|console|Error|__\w+__)$/
const maxValues = 200

/** `{{ }}` in text, also of HTML: what is no expression fails to compile, and a property of nothing fails when the page is built. */
function checkValues(text: string, tree: FileVersion['tree'] & object, report: Report): void {
  const scripts = text
    .split(/<script\b/i)
    .slice(1)
    .map((script) => script.split(/<\/script>/i, 1)[0] ?? '')
    .join('\n')
  const bound = Array.from(
    text.matchAll(/\s(?:v-for|v-slot(?::[\w-]{1,50})?|#[\w-]{1,50})="([^"\n]{1,300})"/g),
    ([, value = '']) => value,
  )
  const known = new Set([scripts, ...bound].join('\n').match(/[A-Za-z_$][\w$]*/g))
  let count = 0
  visit(tree, (node, _, parent) => {
    if ((node.type !== 'text' && node.type !== 'html') || parent?.type === 'linkReference') return
    if (node.type === 'html' && /^<(?:script|style|template|!--)/i.test(node.value)) return
    const start = startOf(node)
    const source = text.slice(start, start + node.value.length)
    if (source !== node.value) return
    for (const { 0: whole, 1: inner = '', index } of source.matchAll(/\{\{([^{}\n]{1,500})\}\}/g)) {
      const at = start + index
      if (count++ > maxValues || isVerbatim(text, at)) return
      const hint = 'Put it in backticks where it is text, or in an element with v-pre'
      const value = readExpression(inner)
      if (value === undefined) {
        report(at, `${short(whole, 60)} is no expression that Vue can read`, hint, `value ${inner}`)
        continue
      }
      const missing = rootOf(value)
      if (missing !== undefined && !known.has(missing) && !globals.test(missing))
        report(
          at,
          `${short(whole, 60)} reads from ${missing}, which the page does not define: nothing of the page is shown`,
          hint,
          `value ${inner}`,
        )
    }
  })
}

/** Whether an element or a container before the text keeps Vue from reading it. */
function isVerbatim(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - 20_000), at)
  const container = before.lastIndexOf('::: v-pre')
  const isContained = container !== -1 && !/^:::\s*$/m.test(before.slice(container + 3))
  const element = before.slice(before.lastIndexOf('</') + 2).search(/<[^<>]{0,500}\bv-pre\b[^<>]{0,500}>/)
  return isContained || element !== -1
}

type Expression = ReturnType<typeof parseExpressionAt>

function readExpression(source: string): Expression | undefined {
  try {
    const value = parseExpressionAt(`(${source}\n)`, 0, { ecmaVersion: 'latest' })
    return value
  } catch {
    return undefined
  }
}

/** The name of which an expression reads a property, or that it calls; undefined for all else. */
function rootOf(value: Expression): string | undefined {
  let inner: Expression | { type: 'Super' } = value
  let isRead = false
  for (;;) {
    if (inner.type === 'ParenthesizedExpression') inner = inner.expression
    else if (inner.type === 'MemberExpression' && !inner.optional && inner.object.type !== 'Super') {
      inner = inner.object
      isRead = true
    } else if (inner.type === 'CallExpression' && !inner.optional && inner.callee.type !== 'Super') {
      inner = inner.callee
      isRead = true
    } else return isRead && inner.type === 'Identifier' ? inner.name : undefined
  }
}
