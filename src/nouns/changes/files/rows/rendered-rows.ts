import rehypeStringify from 'rehype-stringify'
import { unified } from 'unified'
import { sha256 } from '../../../../lib/ids.ts'
import { showAsText } from '../../../../api/render/markdown/to-tree.ts'
import { elementsOf, type TreeElement } from '../../../../api/render/markdown/tree.ts'
import type {
  Addresses,
  AddressesAsked,
  AddressesFound,
  AddressesOfSides,
  Block,
  BlockRow,
  PageVersion,
  RenderedTask,
  RenderedWindow,
} from '../review-data.ts'
import type { LineView } from '../review-request.ts'
import { visible } from '../../../../api/frame/html/visible.ts'
import { asMarkdown } from './as-markdown.ts'
import { align, type Comparable, type Pair } from './align.ts'
import { foldWithin } from './fold-within.ts'
import { addressesIn, blockWords } from './mark-blocks.ts'
import { markBlocks, mergeBlocks } from './merge-blocks.ts'
import { pageBlocks, type PageBlock } from './page-blocks.ts'

type Ask = (request: AddressesAsked) => Promise<AddressesFound>

interface Version extends PageBlock, Comparable {}

const printer = unified().use(rehypeStringify).freeze()

/** Blocks around each change that are shown with it. */
const context = 1
/** Characters of HTML in one answer. */
const mostCharacters = 400_000

/** A page before and after, block by block. Undefined when one of them cannot be read. */
export async function renderedRows(
  { before, after, lines, window }: Omit<RenderedTask, 'kind'>,
  ask: Ask,
): Promise<RenderedWindow | undefined> {
  const [old, now] = [before ? await blocksOf(before) : [], after ? await blocksOf(after) : []]
  if (!old || !now) return undefined
  const sides = [old, now].map((blocks) => addressesIn(blocks.map(({ element }) => element)))
  const addressesOf = (what: 'links' | 'images'): AddressesOfSides => ({
    before: sides[0]?.[what] ?? [],
    after: sides[1]?.[what] ?? [],
  })
  const { links, images } = await ask({ links: addressesOf('links'), images: addressesOf('images') })
  // An image whose file has changed is another image, although the page names it in the same way.
  for (const [blocks, found] of [
    [old, images.before],
    [now, images.after],
  ] as const)
    for (const { element } of blocks) placeImages(element, found)
  const pairs = align(old.map(toVersion), now.map(toVersion))
  const rows = fold(pairs, window.whole)
  const inWindow = rows.slice(window.from, window.from + window.count)
  const result: BlockRow[] = []
  let characters = 0
  for (const row of inWindow) {
    if (characters > mostCharacters) break
    if ('fold' in row) {
      result.push({ kind: 'fold', blocks: row.fold })
      continue
    }
    const printed = printPair(
      row,
      { lines, whole: window.whole },
      {
        before: (version) => print(version, links.before),
        after: (version) => print(version, { ...links.before, ...links.after }),
      },
    )
    characters += JSON.stringify(printed).length
    result.push(printed)
  }
  const changes = pairs.filter((pair) => !isSame(pair)).length
  return { rows: result, total: rows.length, changes }
}

async function blocksOf({ text, mdx, place }: PageVersion): Promise<PageBlock[] | undefined> {
  if (place === undefined) return pageBlocks(text, mdx)
  const page = await asMarkdown(place, text)
  return page && pageBlocks(page.text, false, page.lines)
}

function toVersion(block: PageBlock): Version {
  const { element } = block
  const words = blockWords(element)
  const kind = element.tagName.replace(/^h[1-6]$/, 'heading').replace(/^[ou]l$/, 'list')
  return { ...block, words, kind, key: sha256(JSON.stringify(element, withoutPosition)) }
}

function withoutPosition(name: string, value: unknown): unknown {
  return name === 'position' || name === 'start' ? undefined : value
}

function isSame({ before, after }: Pair<Version>): boolean {
  return before !== undefined && before.key === after?.key
}

type Folded = Pair<Version> | { fold: number }

/** Keeps the changes and what stands around them. */
function fold(pairs: readonly Pair<Version>[], whole: boolean): Folded[] {
  if (whole) return [...pairs]
  const near = new Set<number>()
  for (const [index, pair] of pairs.entries()) {
    if (isSame(pair)) continue
    for (let at = index - context; at <= index + context; at++) near.add(at)
  }
  const folded: Folded[] = []
  let skipped: Pair<Version>[] = []
  const flush = (): void => {
    // A fold that stands for one block would be as long as the block.
    if (skipped.length > 1) folded.push({ fold: skipped.length })
    else folded.push(...skipped)
    skipped = []
  }
  for (const [index, pair] of pairs.entries()) {
    if (near.has(index)) {
      flush()
      folded.push(pair)
    } else skipped.push(pair)
  }
  flush()
  return folded
}

type Print = (version: Version) => Block

function printPair(
  pair: Pair<Version>,
  { lines, whole }: { lines: LineView; whole: boolean },
  print: { before: Print; after: Print },
): BlockRow {
  const { before, after } = pair
  if (before && after) {
    if (isSame(pair)) return { kind: 'same', before: print.before(before), after: print.after(after) }
    const merged = lines === 'unified' ? mergeBlocks(before.element, after.element) : undefined
    if (merged) {
      if (!whole) foldWithin(merged)
      const { line, end } = before
      return { kind: 'merged', before: { line, end }, after: print.after({ ...after, element: merged }) }
    }
    const isMarked = lines === 'split' && markBlocks(before.element, after.element)
    if (isMarked && !whole) for (const { element } of [before, after]) foldWithin(element)
    const kind = isMarked ? 'changed' : 'replaced'
    return { kind, before: print.before(before), after: print.after(after) }
  }
  if (before) return { kind: 'removed', before: print.before(before), after: undefined }
  if (after) return { kind: 'added', before: undefined, after: print.after(after) }
  return { kind: 'fold', blocks: 0 }
}

function print({ element, line, end }: Version, links: Addresses): Block {
  const root = { type: 'root' as const, children: [element] }
  for (const one of elementsOf(root)) {
    if (one.tagName === 'a') setLink(one, links)
    else if (one.tagName === 'img') setImage(one)
    showHidden(one)
    // Parts of two pages make no outline, and their headings must not disturb that of the dashboard.
    if (/^h[1-6]$/.test(one.tagName)) {
      one.properties = { className: [`heading-${one.tagName.slice(1)}`] }
      one.tagName = 'div'
    }
  }
  return { html: printer.stringify(root), line, end }
}

function setLink(element: TreeElement, links: Addresses): void {
  const { href } = element.properties
  const address = typeof href === 'string' && Object.hasOwn(links, href) ? links[href] : undefined
  if (address !== undefined) element.properties = { href: address }
  else if (typeof href === 'string' && /^https?:\/\//i.test(href))
    element.properties = { href, rel: ['nofollow', 'noreferrer', 'noopener'] }
  else {
    element.tagName = 'span'
    element.properties = { className: ['review-link'], ...(typeof href === 'string' && { title: href }) }
  }
}

function placeImages(block: TreeElement, images: Addresses): void {
  for (const { tagName, properties } of elementsOf({ type: 'root', children: [block] })) {
    const { src } = properties
    if (tagName === 'img' && typeof src === 'string' && Object.hasOwn(images, src))
      properties['dataAddress'] = images[src]
  }
}

function setImage(element: TreeElement): void {
  const { src, alt, title, dataAddress } = element.properties
  const words = typeof alt === 'string' ? alt : ''
  if (typeof dataAddress === 'string') {
    element.properties = {
      src: dataAddress,
      alt: words,
      loading: 'lazy',
      ...(typeof title === 'string' && { title }),
    }
    return
  }
  showAsText(element, words)
  element.properties['title'] =
    typeof src === 'string' && /^(?:https?:)?\/\//i.test(src)
      ? `On another site, from which nothing is loaded here: ${src}`
      : `Not shown here: ${String(src)}`
}

function showHidden(element: TreeElement): void {
  for (const child of element.children) if (child.type === 'text') child.value = visible(child.value)
}
