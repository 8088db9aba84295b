import type rehypeSanitize from 'rehype-sanitize'

/** A tree of HTML elements, as the rehype packages pass it on. */
export type Tree = ReturnType<ReturnType<typeof rehypeSanitize>>
export type TreeElement = Extract<Tree['children'][number], { type: 'element' }>
type TreeText = Extract<Tree['children'][number], { type: 'text' }>

/** All elements, parents before their children. This is not recursive, because pages may be nested very deep. */
export function* elementsOf(tree: Tree): Generator<TreeElement> {
  const waiting: Tree['children'] = [...tree.children].reverse()
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    if (node.type !== 'element') continue
    yield node
    for (let at = node.children.length - 1; at >= 0; at--) {
      const child = node.children[at]
      if (child) waiting.push(child)
    }
  }
}

export function textOf({ children }: Pick<TreeElement | Tree, 'children'>): string {
  let text = ''
  const waiting: Tree['children'] = [...children].reverse()
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    if (node.type === 'text') text += node.value
    else if (node.type === 'element') waiting.push(...[...node.children].reverse())
  }
  return text
}

/** Turns an element into another one, in place. */
export function become(
  element: TreeElement,
  tagName: string,
  properties: TreeElement['properties'],
  children: TreeElement['children'],
): void {
  element.tagName = tagName
  element.properties = properties
  element.children = children
}

export function textNode(value: string): TreeText {
  return { type: 'text', value }
}

/** What is too wide scrolls in its own box, which the keyboard must be able to do as well. */
export function letKeysScroll({ tagName, properties }: TreeElement): void {
  if (tagName === 'pre' || tagName === 'table') properties['tabIndex'] = 0
}
