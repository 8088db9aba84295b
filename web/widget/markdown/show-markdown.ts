import { element, icon } from '../dom.ts'
import type { Source } from '../talk/exchange.ts'
import type { Texts } from '../texts/en.ts'
import { linkToPage } from '../link-to-page.ts'
import { colourCode } from './colour-code.ts'
import { readMarkdown, type Block, type Piece } from './read-markdown.ts'

/** Shows a Markdown text that grows. Blocks that are whole stay as they are; only the last one is made again. */
export interface MarkdownView {
  node: HTMLElement
  /**
   * @param sources the pages that the text cites so far
   * @param isWhole nothing follows: the text is read once more as a whole, as a later line may join two blocks
   */
  write(text: string, sources: readonly Source[], isWhole: boolean): void
}

export function createMarkdownView(texts: Texts): MarkdownView {
  const node = element('div', { class: 'markdown', dir: 'auto' })
  let shown: { source: string; node: Node | undefined }[] = []
  let [before, wasWhole] = ['', false]
  return {
    node,
    write(given, sources, isWhole) {
      const text = given.replaceAll(/\r\n?/g, '\n')
      if (text === before && isWhole === wasWhole) return
      const settled = isWhole || !text.startsWith(before) ? [] : shown.slice(0, -1)
      ;[before, wasWhole] = [text, isWhole]
      const rest = readMarkdown(text.slice(settled.reduce((sum, { source }) => sum + source.length, 0)))
      // Spaces belong to the block before them, so that the last one is always a block that may grow.
      const blocks = joinSpaces(rest)
      // The target of a link may be named below it.
      const isFixed = !/^ {0,3}\[[^\]\n]{1,999}\]:/m.test(text)
      const same = isFixed
        ? blocks.findIndex(({ source }, n) => source !== shown[settled.length + n]?.source)
        : 0
      const kept = settled.length + (same === -1 ? blocks.length : same)
      for (const old of shown.slice(kept)) if (old.node) node.removeChild(old.node)
      const added = blocks.slice(kept - settled.length).map(({ source, piece }) => ({
        source,
        node: piece === '' ? undefined : nodeOf(piece, { texts, sources }),
      }))
      for (const { node: made } of added) if (made) node.append(made)
      shown = [...shown.slice(0, kept), ...added]
    },
  }
}

function joinSpaces(blocks: Block[]): Block[] {
  const joined: Block[] = []
  for (const block of blocks) {
    const last = joined.at(-1)
    if (block.piece === '' && last)
      joined[joined.length - 1] = { ...last, source: last.source + block.source }
    else joined.push(block)
  }
  return joined
}

interface Surroundings {
  texts: Texts
  sources: readonly Source[]
}

function nodeOf(piece: Piece, around: Surroundings): Node {
  if (typeof piece === 'string') return document.createTextNode(piece)
  const all = (pieces: Piece[]): Node[] => pieces.map((one) => nodeOf(one, around))
  switch (piece.kind) {
    case 'paragraph':
      return element('p', {}, ...all(piece.of))
    case 'quote':
      return element('blockquote', {}, ...all(piece.of))
    case 'strong':
    case 'em':
    case 'del':
      return element(piece.kind, {}, ...all(piece.of))
    case 'group': {
      const group = document.createDocumentFragment()
      group.append(...all(piece.of))
      return piece.of.length === 1 ? (group.firstChild ?? group) : element('span', {}, group)
    }
    case 'heading':
      // The panel has a heading of its own above those of answers.
      return element(piece.level <= 1 ? 'h3' : piece.level === 2 ? 'h4' : 'h5', {}, ...all(piece.of))
    case 'rule':
      return element('hr')
    case 'break':
      return element('br')
    case 'inline-code':
      return element('code', {}, piece.text)
    case 'link':
      return link(piece, all(piece.of), around)
    case 'code':
      return codeBlock(piece, around)
    case 'list': {
      const items = piece.items.map(({ checked, of }) =>
        element('li', {}, checked === undefined ? undefined : checked ? '☑ ' : '☐ ', ...all(of)),
      )
      if (piece.start === undefined) return element('ul', {}, ...items)
      return element('ol', { start: String(piece.start) }, ...items)
    }
    case 'table':
      return table(piece, all, around)
  }
}

function link({ address }: { address: string }, inside: Node[], { sources }: Surroundings): Node {
  const source = sources.find(({ url }) => url === address)
  const made = linkToPage(address, source?.heading, ...inside)
  if (source) made.append(element('sup', {}, String(sources.indexOf(source) + 1)))
  return made
}

function codeBlock({ text, language }: { text: string; language: string }, { texts }: Surroundings): Node {
  const parts = colourCode(text, language).map((part) =>
    part.kind ? element('span', { class: part.kind }, part.text) : part.text,
  )
  return element(
    'div',
    { class: 'code', dir: 'ltr' },
    element('pre', { tabindex: '0' }, element('code', {}, ...parts)),
    copyButton(texts, texts.copyCode, () => text),
  )
}

function table(
  { head, rows, align }: Extract<Piece, { kind: 'table' }>,
  all: (pieces: Piece[]) => Node[],
  { texts }: Surroundings,
): Node {
  const row = (name: 'th' | 'td', cells: Piece[][]): Node =>
    element('tr', {}, ...cells.map((cell, n) => element(name, { class: align[n] }, ...all(cell))))
  return element(
    'div',
    { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': texts.table },
    element(
      'table',
      {},
      element('thead', {}, row('th', head)),
      element('tbody', {}, ...rows.map((cells) => row('td', cells))),
    ),
  )
}

/** A button that copies a text, and says so. */
export function copyButton(texts: Texts, label: string, read: () => string): HTMLButtonElement {
  const button = element(
    'button',
    { type: 'button', class: 'copy', 'aria-label': label, title: label },
    icon('copy'),
  )
  button.addEventListener('click', () => {
    void copy(read()).then((copied) => {
      if (!copied) return
      button.replaceChildren(texts.copied)
      setTimeout(() => button.replaceChildren(icon('copy')), 2000)
    })
  })
  return button
}

async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return false
  }
}
