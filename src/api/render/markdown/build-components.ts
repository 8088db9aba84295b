import { randomBytes } from 'node:crypto'
import { kinds, type ComponentKind } from './component-kinds.ts'
import { markedLines } from './marked-lines.ts'
import { become, elementsOf, textNode, textOf, type Tree, type TreeElement } from './tree.ts'

type Children = TreeElement['children']

/** More tabs are shown one after the other: the style sheet knows a bar of this length. */
const mostTabs = 12

/** Gives the elements that `componentMarks` has marked the structure of what they are, without scripts. */
export function buildComponents(tree: Tree): void {
  // Two pages that are shown beside each other must not share a group of radio buttons.
  const prefix = `tabs-${randomBytes(4).toString('hex')}`
  let groups = 0
  for (const element of [tree, ...elementsOf(tree)]) groupTabs(element)
  for (const element of elementsOf(tree)) {
    const lines = element.properties['dataLines']
    delete element.properties['dataLines']
    if (typeof lines === 'string' && element.tagName === 'code') markLines(element, lines)
    const kind = kinds.find((one) => one === element.properties['dataComponent'])
    const marks = {
      title: textOfMark(element, 'dataTitle'),
      text: textOfMark(element, 'dataText'),
      href: textOfMark(element, 'dataHref'),
    }
    // Marks that a page has written itself go as well: scripts and style sheets of the dashboard read such attributes.
    for (const name of ['dataComponent', 'dataTitle', 'dataText', 'dataHref']) delete element.properties[name]
    if (kind === undefined) continue
    if (kind === 'tabs') buildTabs(element, `${prefix}-${groups++}`)
    else build[kind](element, marks)
  }
}

const lineClasses = { '+': 'added', '-': 'removed', '=': 'marked' } as const

function markLines(code: TreeElement, marks: string): void {
  code.children = markedLines(textOf(code), marks).map(({ text, mark }) =>
    mark === undefined ? textNode(text) : node('span', ['line', lineClasses[mark]], [textNode(text)]),
  )
}

interface Marks {
  title: string
  text: string
  href: string
}

const build: Record<Exclude<ComponentKind, 'tabs'>, (element: TreeElement, marks: Marks) => void> = {
  // Only tabs outside of a group are left here.
  tab: (element, { title }) => box(element, 'tab-panel', heading('tab-title', title)),
  steps: (element) => box(element, 'steps', []),
  step: (element, { title }) => box(element, 'step', heading('step-title', title)),
  cards(element) {
    element.children = element.children.flatMap((child) => cardsOfList(child) ?? [child])
    box(element, 'card-grid', [])
  },
  card(element, { title, text, href }) {
    const label: Children = title === '' ? [] : [href === '' ? textNode(title) : link(href, title)]
    box(element, 'card', label.length === 0 ? [] : [node('p', ['card-title'], label)])
    if (text !== '') element.children.push(node('p', [], [textNode(text)]))
  },
  fold(element, { title }) {
    become(element, 'details', { className: ['fold'] }, [
      node('summary', [], [textNode(title === '' ? 'More' : title)]),
      ...element.children,
    ])
  },
  field(element, { title, text }) {
    const notes = text === '' ? [] : [textNode(' '), node('span', ['muted'], [textNode(text)])]
    box(element, 'field', [node('p', ['field-name'], [node('code', [], [textNode(title)]), ...notes])])
  },
  files(element) {
    element.children = entries(element)
    box(element, 'files', [])
  },
  folder: (element, { title }) =>
    become(element, 'li', {}, [textNode(title.replace(/\/?$/, '/')), ...entries(element)]),
  file: (element, { title }) => become(element, 'li', {}, [textNode(title)]),
  panel: (element, { title, text }) =>
    box(element, 'panel', [...heading('panel-title', title), ...heading('muted', text)]),
}

/** Items of a list in a grid are its cards. */
function cardsOfList(child: Children[number]): Children | undefined {
  if (child.type !== 'element' || !['ul', 'ol'].includes(child.tagName)) return undefined
  return child.children.flatMap((item) =>
    item.type === 'element' ? [node('div', ['card'], item.children)] : [],
  )
}

/** What a folder holds, as a list; a tree of files may also be written as a list. */
function entries({ children }: TreeElement): Children {
  const isEntry = (child: Children[number]): boolean =>
    child.type === 'element' && ['folder', 'file'].includes(String(child.properties['dataComponent']))
  return children.some(isEntry) ? [node('ul', [], children.filter(isEntry))] : children
}

/** Puts tabs that follow each other without a group around them (`=== "npm"`) into one. */
function groupTabs(parent: Tree | TreeElement): void {
  const isGroup = parent.type === 'element' && parent.properties['dataComponent'] === 'tabs'
  if (isGroup || !parent.children.some(isTab)) return
  const children: Children = []
  let group: TreeElement | undefined
  for (const child of parent.children) {
    if (child.type !== 'text' || child.value.trim() !== '') {
      if (!isTab(child)) group = undefined
      else if (!group) {
        group = node('div', [], [])
        group.properties['dataComponent'] = 'tabs'
        children.push(group)
      }
    }
    const holder = group?.children ?? children
    holder.push(child as Children[number])
  }
  parent.children = children
}

function isTab(child: Tree['children'][number]): boolean {
  return child.type === 'element' && child.properties['dataComponent'] === 'tab'
}

function buildTabs(element: TreeElement, name: string): void {
  const panels = element.children.flatMap((child) => panelOf(child) ?? [])
  if (panels.length === 0) return box(element, 'tab-set', [])
  if (panels.length > mostTabs)
    return become(
      element,
      'div',
      { className: ['tab-set'] },
      panels.map(({ title, children }) =>
        node('div', ['tab-panel'], [...heading('tab-title', title), ...children]),
      ),
    )
  const bar = panels.map(({ title }, index) =>
    node(
      'label',
      [],
      [
        {
          type: 'element',
          tagName: 'input',
          properties: { type: 'radio', name, ...(index === 0 && { checked: true }) },
          children: [],
        },
        node('span', [], [textNode(title)]),
      ],
    ),
  )
  become(element, 'div', { className: ['tab-set', 'switched'] }, [
    node('div', ['tab-bar'], bar),
    ...panels.map(({ children }) => node('div', ['tab-panel'], children)),
  ])
}

function panelOf(child: Children[number]): { title: string; children: Children } | undefined {
  if (child.type !== 'element') return undefined
  const title = textOfMark(child, 'dataTitle')
  if (child.properties['dataComponent'] === 'tab')
    return { title: title === '' ? 'Tab' : title, children: child.children }
  if (child.tagName === 'figure' || child.tagName === 'pre') return codePanel(child)
  return undefined
}

/** A block of code in a group of them: a tab with its title, or else its language. */
function codePanel(child: TreeElement): { title: string; children: Children } {
  const caption = child.children.find((one) => one.type === 'element' && one.tagName === 'figcaption')
  if (caption?.type !== 'element') return { title: languageOf(child), children: [child] }
  return { title: textOf(caption), children: child.children.filter((one) => one !== caption) }
}

function languageOf(pre: TreeElement): string {
  const [code] = pre.children
  const classes = code?.type === 'element' ? code.properties['className'] : undefined
  const className = Array.isArray(classes)
    ? classes.map(String).find((name) => name.startsWith('language-'))
    : undefined
  return className === undefined ? 'Code' : className.slice('language-'.length)
}

function box(element: TreeElement, name: string, before: Children): void {
  become(element, 'div', { className: [name] }, [...before, ...element.children])
}

function heading(name: string, text: string): Children {
  return text === '' ? [] : [node('p', [name], [textNode(text)])]
}

function link(href: string, text: string): TreeElement {
  // Browsers leave out such characters, which could hide the scheme.
  const address = href.replaceAll(/[\p{Cc}\s]/gu, '')
  const isSafe = /^https?:/i.test(address) || !/^(?:[a-z][a-z\d+.-]*:|\/\/)/i.test(address)
  return isSafe
    ? { type: 'element', tagName: 'a', properties: { href: address }, children: [textNode(text)] }
    : node('span', [], [textNode(text)])
}

function node(tagName: string, className: string[], children: Children): TreeElement {
  return {
    type: 'element',
    tagName,
    properties: className.length === 0 ? {} : { className },
    children,
  }
}

function textOfMark(element: TreeElement, name: string): string {
  const value = element.properties[name]
  return typeof value === 'string' ? value.trim().slice(0, 500) : ''
}
