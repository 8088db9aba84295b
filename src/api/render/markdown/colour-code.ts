import { colourLines, type ColouredPart } from '../code/colour-lines.ts'
import { languageNamed, type Language } from '../code/languages.ts'
import { elementsOf, textNode, textOf, type Tree, type TreeElement } from './tree.ts'

type Children = TreeElement['children']

/** Characters of code on a page; each token becomes an element, which takes many times its size. */
const mostCharacters = 40_000

/** Colours blocks of code in languages that are known. */
export async function colourCode(tree: Tree): Promise<void> {
  let left = mostCharacters
  for (const element of elementsOf(tree)) {
    if (element.tagName !== 'pre') continue
    for (const code of element.children) {
      if (code.type !== 'element' || code.tagName !== 'code') continue
      const text = textOf(code)
      const language = languageOf(code)
      if (language === undefined || text.length > left) continue
      left -= text.length
      // The thread has a deadline of its own, in which time that other programs take does not count.
      colour(code, await colourLines(language, text, 0))
    }
  }
}

function languageOf({ properties }: TreeElement): Language | undefined {
  const names = Array.isArray(properties['className']) ? properties['className'] : []
  const name = names.map(String).find((one) => one.startsWith('language-'))
  return name === undefined ? undefined : languageNamed(name.slice('language-'.length))
}

/** Each child is the whole text, or one of its lines, which may be marked. */
function colour(code: TreeElement, lines: readonly ColouredPart[][]): void {
  let at = 0
  const coloured = (text: string): Children =>
    text.split(/(?<=\n)/).flatMap((line) => {
      const parts = lines[at] ?? []
      if (!line.endsWith('\n')) return partsOf(line, parts)
      at++
      return [...partsOf(line.slice(0, -1), parts), textNode('\n')]
    })
  code.children = code.children.flatMap((child) => {
    if (child.type === 'text') return coloured(child.value)
    if (child.type === 'element') child.children = coloured(textOf(child))
    return [child]
  })
}

/** A line as text and elements, one for each run of the same colour. */
function partsOf(line: string, parts: readonly ColouredPart[]): Children {
  const starts = parts.filter(({ colour }, index) => index === 0 || colour !== parts[index - 1]?.colour)
  if (starts.length === 0) return [textNode(line)]
  return starts.map(({ from, colour }, index) => {
    const text = textNode(line.slice(from, starts[index + 1]?.from))
    return colour === ''
      ? text
      : { type: 'element', tagName: 'span', properties: { className: [`s-${colour}`] }, children: [text] }
  })
}
