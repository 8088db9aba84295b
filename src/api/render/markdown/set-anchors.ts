import type { Section } from '../../../site/pages/page.ts'
import { elementsOf, textOf, type Tree, type TreeElement } from './tree.ts'

type Anchored = Pick<Section, 'headings' | 'anchor'>

export interface AnchoredPage {
  title: string
  sections: Anchored[]
}

/**
 * Gives headings the ids from the index, so that links from search results work. Headings and sections have the
 * same order. Where one is missing on either side (such as a heading made by a component), the next one with the
 * same text is used.
 */
export function setAnchors(tree: Tree, page: AnchoredPage): void {
  const headings = [...elementsOf(tree)].filter(
    (element) => /^h[1-6]$/.test(element.tagName) && element.properties['id'] === undefined,
  )
  const first = headings[0]
  // The layout already shows the title.
  if (first?.tagName === 'h1' && keyOf(textOf(first)) === keyOf(page.title)) {
    remove(tree, first)
    headings.shift()
  }
  const waiting = page.sections.filter(({ headings }) => headings.length > 0)
  const sameCount = waiting.length === headings.length
  let next = 0
  for (const heading of headings) {
    const text = keyOf(textOf(heading))
    const at = sameCount ? next : find(waiting, next, text)
    if (at === -1) continue
    const anchor = waiting[at]?.anchor
    next = at + 1
    if (anchor !== undefined) heading.properties['id'] = anchor
  }
}

/** Has each heading stand one level below the one that it belongs to: screen readers go from level to level. */
export function nestHeadings(tree: Tree): void {
  const around: number[] = []
  for (const element of elementsOf(tree)) {
    const [, digit] = /^h([1-6])$/.exec(element.tagName) ?? []
    if (digit === undefined) continue
    const level = Number(digit)
    while ((around.at(-1) ?? 0) >= level) around.pop()
    if (level > 1) element.tagName = `h${Math.min(6, around.filter((one) => one > 1).length + 2)}`
    around.push(level)
  }
}

const lookAhead = 50

function find(sections: Anchored[], from: number, text: string): number {
  const end = Math.min(sections.length, from + lookAhead)
  for (let at = from; at < end; at++) if (keyOf(sections[at]?.headings.at(-1) ?? '') === text) return at
  return -1
}

function keyOf(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '')
}

function remove(tree: Tree, element: TreeElement): void {
  tree.children = tree.children.filter((child) => child !== element)
}
