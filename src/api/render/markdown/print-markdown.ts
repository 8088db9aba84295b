import { addPageTools } from './add-page-tools.ts'
import { printChat, type ChatMarkupName } from './print-chat.ts'
import { printTree } from './print-tree.ts'
import { nestHeadings, setAnchors, type AnchoredPage } from './set-anchors.ts'
import { showAsText } from './to-tree.ts'
import { writeTree } from './write-tree.ts'
import { elementsOf, letKeysScroll, textOf, type Tree, type TreeElement } from './tree.ts'

/**
 * What a text becomes: a page of the documentation, the same as parts in Markdown (JSON of PagePart[]), the text of a model or a
 * person, its first words on one line, without marks, or the mark-up of a chat platform.
 */
export type Printed =
  | ({ form: 'page' | 'parts' } & AnchoredPage)
  | { form: 'text' }
  | { form: 'line' }
  | { form: 'chat'; markup: ChatMarkupName }

/** The addresses that stand on a page, each once. */
export interface WrittenAddresses {
  images: string[]
  links: string[]
}

/** What to put in their place, in the same order; null where there is no image of the repository, or no page. */
export interface ShownAddresses {
  images: (string | null)[]
  links: (string | null)[]
}

/** Prints a tree of safe elements as HTML; a line as text. It runs in a thread: large tables take a second. */
export async function printMarkdown(
  tree: Tree,
  printed: Printed,
  ask: (written: WrittenAddresses) => Promise<ShownAddresses>,
): Promise<string> {
  if (printed.form === 'line') return textOf(tree)
  if (printed.form === 'chat') return printChat(tree, printed.markup)
  if (printed.form === 'parts') {
    setAnchors(tree, printed)
    await writeAddresses(tree, ask)
    return JSON.stringify(writeTree(tree))
  }
  for (const element of elementsOf(tree)) letKeysScroll(element)
  if (printed.form === 'text') {
    keepWebLinks(tree)
    lowerHeadings(tree)
  } else {
    setAnchors(tree, printed)
    nestHeadings(tree)
    await showAddresses(tree, ask)
    addPageTools(tree)
  }
  return printTree(tree)
}

/** In Markdown, what leads to no page of the site stays as it is written. */
async function writeAddresses(
  tree: Tree,
  ask: (written: WrittenAddresses) => Promise<ShownAddresses>,
): Promise<void> {
  const names = { a: 'href', card: 'dataHref' } as const
  const placed = [...elementsOf(tree)].flatMap((element) => {
    const name = element.tagName === 'a' ? names.a : names.card
    const address = element.properties[name]
    return typeof address === 'string' && !address.startsWith('#') ? [{ element, name, address }] : []
  })
  const links = textsOf(placed.map(({ address }) => address))
  if (links.length === 0) return
  const targets = mapOf(links, (await ask({ images: [], links })).links)
  for (const { element, name, address } of placed) element.properties[name] = targets.get(address) ?? address
}

async function showAddresses(
  tree: Tree,
  ask: (written: WrittenAddresses) => Promise<ShownAddresses>,
): Promise<void> {
  const elements = [...elementsOf(tree)]
  const images = elements.filter(({ tagName }) => tagName === 'img')
  const links = elements.filter(({ tagName }) => tagName === 'a')
  const written = {
    images: textsOf(images.map(({ properties }) => properties['src'] ?? '')),
    links: textsOf(links.map(({ properties }) => properties['href'])).filter((href) => !href.startsWith('#')),
  }
  const isPlain = written.images.length === 0 && written.links.length === 0
  const addresses = isPlain ? { images: [], links: [] } : await ask(written)
  showImages(images, mapOf(written.images, addresses.images))
  rewriteLinks(links, mapOf(written.links, addresses.links))
}

function textsOf(values: readonly unknown[]): string[] {
  return [...new Set(values.filter((value) => typeof value === 'string'))]
}

function mapOf(written: string[], shown: (string | null)[]): Map<unknown, string> {
  return new Map(
    written.flatMap((address, index) => {
      const target = shown[index] ?? null
      return target === null ? [] : [[address, target] as const]
    }),
  )
}

/** Images of the repository are shown. Others would be loaded from other sites, and become their alternative text. */
function showImages(images: TreeElement[], shown: Map<unknown, string>): void {
  for (const image of images) {
    const { src, alt } = image.properties
    const address = shown.get(src)
    if (address === undefined) showAsText(image, typeof alt === 'string' ? alt : '')
    else image.properties = { ...image.properties, src: address, alt: alt ?? '', loading: 'lazy' }
  }
}

/** Links to pages stay on this server, links to the web are kept, and all other links become text. */
function rewriteLinks(links: TreeElement[], shown: Map<unknown, string>): void {
  for (const element of links) {
    const { href } = element.properties
    if (typeof href === 'string' && href.startsWith('#')) continue
    const internal = shown.get(href)
    if (internal !== undefined) element.properties['href'] = internal
    else if (typeof href === 'string' && /^https?:\/\//i.test(href))
      element.properties['rel'] = ['nofollow', 'noreferrer', 'noopener']
    else {
      element.tagName = 'span'
      // A place without a link, or an image that leads to its file.
      const isPlain = href === undefined || textOf(element).trim() === ''
      element.properties = isPlain ? {} : { className: ['dead-link'], title: 'This link leads to no page' }
    }
  }
}

/** Only links to http and https stay links. */
function keepWebLinks(tree: Tree): void {
  for (const element of elementsOf(tree)) {
    if (element.tagName !== 'a') continue
    const { href } = element.properties
    if (typeof href !== 'string' || !/^(?:https?:\/\/|#)/i.test(href)) {
      element.tagName = 'span'
      element.properties = {}
    } else if (!href.startsWith('#')) element.properties['rel'] = ['nofollow', 'noreferrer', 'noopener']
  }
}

/** The headings of a text begin below the second level, which is the page's, and leave no level out. */
function lowerHeadings(tree: Tree): void {
  const headings = [...elementsOf(tree)].filter(({ tagName }) => /^h[1-6]$/.test(tagName))
  const used = [...new Set(headings.map(({ tagName }) => tagName))].toSorted()
  let above = 2
  for (const heading of headings) {
    above = Math.min(3 + used.indexOf(heading.tagName), above + 1, 6)
    heading.tagName = `h${above}`
  }
}
