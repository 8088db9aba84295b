import { textOf, type Tree, type TreeElement } from './tree.ts'

type TreeNode = Tree['children'][number]

const around: Readonly<Record<string, string>> = {
  strong: '*',
  b: '*',
  em: '_',
  i: '_',
  del: '~',
  s: '~',
}
const blocks = new Set(['p', 'div', 'section', 'details', 'ul', 'ol', 'blockquote', 'pre', 'table', 'hr'])
const heading = /^h[1-6]$/

/**
 * Prints a tree of safe elements as Slack’s mrkdwn, after its documentation of formatting text. What it means to Slack is
 * escaped, so that no text mentions a member or a channel.
 */
export function printMrkdwn(tree: Tree): string {
  return blockText(tree.children).trim()
}

function blockText(nodes: readonly TreeNode[]): string {
  const parts: string[] = []
  let line = ''
  const endLine = (): void => {
    if (line.trim() !== '') parts.push(line.trim())
    line = ''
  }
  for (const node of nodes) {
    if (node.type !== 'element' || !isBlock(node)) line += inlineText(node)
    else {
      endLine()
      const text = elementText(node)
      if (text.trim() !== '') parts.push(text)
    }
  }
  endLine()
  return parts.join('\n\n')
}

function isBlock({ tagName }: TreeElement): boolean {
  return blocks.has(tagName) || heading.test(tagName)
}

function elementText(element: TreeElement): string {
  const { tagName, children } = element
  if (heading.test(tagName)) return wrapped(children, '*')
  if (tagName === 'pre')
    return `\`\`\`\n${escaped(textOf(element)).replaceAll('```', "'''").trimEnd()}\n\`\`\``
  if (tagName === 'ul' || tagName === 'ol') return listText(element)
  if (tagName === 'blockquote') return blockText(children).replaceAll(/^/gm, '> ')
  if (tagName === 'table') return tableText(element)
  if (tagName === 'hr') return '———'
  return blockText(children)
}

function listText({ tagName, children }: TreeElement): string {
  const items = children.filter(
    (child): child is TreeElement => child.type === 'element' && child.tagName === 'li',
  )
  return items
    .map((item, index) => {
      const mark = tagName === 'ol' ? `${index + 1}.` : '•'
      return `${mark} ${blockText(item.children).replaceAll(/\n+/g, '\n    ')}`
    })
    .join('\n')
}

function tableText(table: TreeElement): string {
  const rows: string[] = []
  const visit = (nodes: readonly TreeNode[]): void => {
    for (const node of nodes) {
      if (node.type !== 'element') continue
      if (node.tagName !== 'tr') visit(node.children)
      else {
        const cells = node.children.filter((cell) => cell.type === 'element')
        const isHead = cells.every(({ tagName }) => tagName === 'th')
        rows.push(
          cells.map(({ children }) => (isHead ? wrapped(children, '*') : inlineAll(children))).join(' | '),
        )
      }
    }
  }
  visit(table.children)
  return rows.join('\n')
}

function inlineAll(nodes: readonly TreeNode[]): string {
  return nodes.map(inlineText).join('').trim()
}

function wrapped(nodes: readonly TreeNode[], mark: string): string {
  const text = inlineAll(nodes)
  // Marks do not nest with themselves, and mean nothing around nothing.
  return text === '' || text.includes(mark) ? text : `${mark}${text}${mark}`
}

function inlineText(node: TreeNode): string {
  if (node.type === 'text') return escaped(node.value.replaceAll(/\s+/g, ' '))
  if (node.type !== 'element') return ''
  const { tagName, children, properties } = node
  if (tagName === 'br') return '\n'
  if (tagName === 'img') return escaped(typeof properties['alt'] === 'string' ? properties['alt'] : '')
  if (tagName === 'code') return `\`${escaped(textOf(node)).replaceAll('`', "'")}\``
  const { href } = properties
  if (tagName === 'a' && typeof href === 'string' && /^https?:\/\//i.test(href))
    return `<${addressText(href)}|${inlineAll(children).replaceAll('|', '¦') || addressText(href)}>`
  const mark = around[tagName]
  return mark === undefined ? children.map(inlineText).join('') : wrapped(children, mark)
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

function addressText(href: string): string {
  return escaped(href.replaceAll('|', '%7C').replaceAll('<', '%3C').replaceAll('>', '%3E'))
}
