import { textOf, type Tree, type TreeElement } from './tree.ts'

type TreeNode = Tree['children'][number]

/** The mark-up of a chat platform, after its documentation of formatting text. */
interface ChatMarkup {
  marks: Readonly<Record<'bold' | 'italic' | 'struck', string>>
  /** So that what a text holds means nothing to the platform, and mentions nobody. */
  escaped(text: string): string
  /** The same within code. */
  code(text: string): string
  link(address: string, label: string): string
}

const slack: ChatMarkup = {
  marks: { bold: '*', italic: '_', struck: '~' },
  escaped: escapedForSlack,
  code: escapedForSlack,
  link: (address, label) =>
    `<${slackAddress(address)}|${label.replaceAll('|', '¦') || slackAddress(address)}>`,
}

const discord: ChatMarkup = {
  marks: { bold: '**', italic: '_', struck: '~~' },
  escaped: (text) => text.replaceAll(/[\\*_~`|<>@#[\]]/g, '\\$&'),
  code: (text) => text,
  link: (address, label) => {
    const plain = address
      .replaceAll('(', '%28')
      .replaceAll(')', '%29')
      .replaceAll(/[<>\s]/g, encodeURIComponent)
    return `[${label || plain}](${plain})`
  },
}

/** The mark-up of Adaptive Cards, which have none for code. */
const teams: ChatMarkup = {
  marks: { bold: '**', italic: '_', struck: '' },
  escaped: (text) => text.replaceAll(/[\\*_~`|<>#[\]]/g, '\\$&'),
  code: (text) => text.replaceAll(/[\\*_[\]]/g, '\\$&'),
  link: discord.link,
}

/** The HTML of Google’s cards, which has none for code and lists. */
const google: ChatMarkup = {
  marks: { bold: '<b>', italic: '<i>', struck: '<s>' },
  escaped: escapedForHtml,
  code: escapedForHtml,
  link: (address, label) => `<a href="${escapedForHtml(address)}">${label || escapedForHtml(address)}</a>`,
}

const markups = { slack, discord, teams, google } as const
export type ChatMarkupName = keyof typeof markups

const around: Readonly<Record<string, keyof ChatMarkup['marks']>> = {
  strong: 'bold',
  b: 'bold',
  em: 'italic',
  i: 'italic',
  del: 'struck',
  s: 'struck',
}
const blocks = new Set(['p', 'div', 'section', 'details', 'ul', 'ol', 'blockquote', 'pre', 'table', 'hr'])
const heading = /^h[1-6]$/

/** A text that means nothing to a platform. */
export function escapeForChat(text: string, name: ChatMarkupName): string {
  return markups[name].escaped(text)
}

/** Prints a tree of safe elements in the mark-up of a chat platform. */
export function printChat(tree: Tree, name: ChatMarkupName): string {
  const markup = markups[name]

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

  function elementText(element: TreeElement): string {
    const { tagName, children } = element
    if (heading.test(tagName)) return wrapped(children, 'bold')
    if (tagName === 'pre')
      return `\`\`\`\n${markup.code(textOf(element)).replaceAll('```', "'''").trimEnd()}\n\`\`\``
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
            cells
              .map(({ children }) => (isHead ? wrapped(children, 'bold') : inlineAll(children)))
              .join(' | '),
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

  function wrapped(nodes: readonly TreeNode[], kind: keyof ChatMarkup['marks']): string {
    const mark = markup.marks[kind]
    const text = inlineAll(nodes)
    // Marks do not nest with themselves, and mean nothing around nothing.
    return text === '' || text.includes(mark) ? text : `${mark}${text}${mark.replace('<', '</')}`
  }

  function inlineText(node: TreeNode): string {
    if (node.type === 'text') return markup.escaped(node.value.replaceAll(/\s+/g, ' '))
    if (node.type !== 'element') return ''
    const { tagName, children, properties } = node
    if (tagName === 'br') return '\n'
    if (tagName === 'img')
      return markup.escaped(typeof properties['alt'] === 'string' ? properties['alt'] : '')
    if (tagName === 'code') return `\`${markup.code(textOf(node)).replaceAll('`', "'")}\``
    const { href } = properties
    if (tagName === 'a' && typeof href === 'string' && /^https?:\/\//i.test(href))
      return markup.link(href, inlineAll(children))
    const kind = around[tagName]
    return kind === undefined ? children.map(inlineText).join('') : wrapped(children, kind)
  }

  return blockText(tree.children).trim()
}

function escapedForSlack(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

function escapedForHtml(text: string): string {
  return escapedForSlack(text).replaceAll('"', '&quot;')
}

function slackAddress(href: string): string {
  return escapedForSlack(href.replaceAll('|', '%7C').replaceAll('<', '%3C').replaceAll('>', '%3E'))
}

function isBlock({ tagName }: TreeElement): boolean {
  return blocks.has(tagName) || heading.test(tagName)
}
