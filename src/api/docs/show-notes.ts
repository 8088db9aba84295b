import { elementsOf, textNode } from './tree.ts'
import type { Tree, TreeElement } from './tree.ts'

const marker = /^\s*\[!(NOTE|TIP|IMPORTANT|WARNING|CAUTION)\][ \t]*\n?/

/** Quotations that start with `[!NOTE]` and the like become boxes with that word on top. */
export function showNotes(tree: Tree): void {
  for (const element of elementsOf(tree)) {
    if (element.tagName !== 'blockquote') continue
    const first = element.children.find((child): child is TreeElement => child.type === 'element')
    const text = first?.tagName === 'p' ? first.children[0] : undefined
    const kind = text?.type === 'text' ? marker.exec(text.value)?.[1] : undefined
    if (!first || text?.type !== 'text' || kind === undefined) continue
    text.value = text.value.replace(marker, '')
    if (text.value === '' && first.children.length === 1)
      element.children = element.children.filter((child) => child !== first)
    const label = kind.charAt(0) + kind.slice(1).toLowerCase()
    element.tagName = 'div'
    element.properties = { className: ['note', kind.toLowerCase()], role: 'note' }
    element.children.unshift({
      type: 'element',
      tagName: 'p',
      properties: { className: ['note-label'] },
      children: [textNode(label)],
    })
  }
}
