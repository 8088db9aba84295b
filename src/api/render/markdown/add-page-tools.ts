import { elementsOf, textNode, textOf, type Tree, type TreeElement } from './tree.ts'

type Node = TreeElement['children'][number]

/** Gives headings a link to themselves, and blocks of code their language and a button that copies them. */
export function addPageTools(tree: Tree): void {
  const elements = [...elementsOf(tree)]
  for (const element of elements) {
    const { id } = element.properties
    if (/^h[2-6]$/.test(element.tagName) && typeof id === 'string') element.children.push(permalink(id))
    const isTitled = element.tagName === 'figure' && element.children.some(isPre)
    for (const child of isTitled ? element.children : [])
      if (child.type === 'element' && child.tagName === 'figcaption') child.children.push(copyButton)
    if (!isTitled) element.children = element.children.map(framed)
  }
  tree.children = tree.children.map(framed)
}

function permalink(id: string): TreeElement {
  return {
    type: 'element',
    tagName: 'a',
    properties: { className: ['permalink'], href: `#${id}`, ariaLabel: 'Link to this section' },
    children: [textNode('#')],
  }
}

const copyButton: TreeElement = {
  type: 'element',
  tagName: 'button',
  properties: { type: 'button', className: ['copy'], dataCopy: '' },
  children: [textNode('Copy')],
}

function isPre(node: Node | Tree['children'][number]): node is TreeElement {
  return node.type === 'element' && node.tagName === 'pre'
}

function framed<One extends Node | Tree['children'][number]>(node: One): One | TreeElement {
  if (!isPre(node) || textOf(node).trim() === '') return node
  const code = node.children.find((child) => child.type === 'element' && child.tagName === 'code')
  const names = code?.type === 'element' ? code.properties['className'] : undefined
  const language = (Array.isArray(names) ? names : [])
    .map(String)
    .find((name) => name.startsWith('language-'))
  return {
    type: 'element',
    tagName: 'div',
    properties: { className: ['code-block'] },
    children: [
      {
        type: 'element',
        tagName: 'div',
        properties: { className: ['code-head'] },
        children: [
          {
            type: 'element',
            tagName: 'span',
            properties: {},
            children: [textNode(language?.slice(9) ?? '')],
          },
          copyButton,
        ],
      },
      node,
    ],
  }
}
