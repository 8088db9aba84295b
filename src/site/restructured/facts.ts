import type { Link } from '../markdown/extract-links.ts'
import { type Block, type Directive, type Lines, type SourceLine } from './blocks.ts'
import { kindOf } from './directive-kinds.ts'
import { type Document, isShownAsWritten, joined, readDocument } from './document.ts'
import { nameKey } from './explicit.ts'
import { type PageTargets, targetsOf } from './references.ts'

/** What is known of a page in reStructuredText. */
export interface RestructuredFacts {
  links: Link[]
  title: string | undefined
  /** Names that references of other pages may use. */
  labels: string[]
  targets: PageTargets
  /** Fields at its top, such as `:orphan:`. */
  fields: Readonly<Record<string, unknown>>
  mayInclude: boolean
}

export function restructuredFacts(text: string): RestructuredFacts {
  const document = readDocument(text.split('\n'))
  const targets = targetsOf(document)
  return {
    links: linksOf(document),
    title: document.title,
    labels: targets.labels.map(([name]) => name),
    targets,
    fields: fieldsOf(document.blocks),
    mayInclude: /^ {0,80}\.\. (?:literal)?include::/m.test(text),
  }
}

/** The fields at the top of a page: `:orphan:` says that nothing lists it. */
export function fieldsOf(blocks: readonly Block[]): Record<string, unknown> {
  const first = blocks.find((block) => block.kind !== 'comment' && block.kind !== 'target')
  if (first?.kind !== 'fields') return {}
  return Object.fromEntries(
    first.items.flatMap(({ head, body }) => {
      const [block] = body
      const value = block?.kind === 'paragraph' ? joined(block.text) : true
      return /^[\w-]{1,50}$/.test(joined(head)) ? [[joined(head), value]] : []
    }),
  )
}

/** Roles whose targets are looked up in this site, as a link is. */
const linkRoles = /^(?:std:)?(?:ref|doc|numref|term|download)$/

/** The links of a page as they stand in its source. */
export function linksOf(document: Document): Link[] {
  const links: Link[] = []
  const lineOf = (line: SourceLine) => line.index + 1
  const used = new Set<string>()
  const passText = (lines: Lines): void => {
    for (const piece of document.inline(lines)) {
      if (piece.kind === 'reference' && piece.uri === undefined) used.add(nameKey(piece.text))
      if (piece.kind === 'role' && linkRoles.test(piece.name)) {
        const text = joined(lines).slice(piece.start, piece.end)
        const place = placeOf(lines, piece.start, piece.end)
        if (place !== undefined)
          links.push({
            kind: 'link',
            href: text,
            text: piece.name,
            ...place,
            line: lineOf(lineAt(lines, piece.start)),
          })
      }
      if (piece.kind === 'reference' && piece.uri !== undefined && !piece.uri.endsWith('_')) {
        const start = piece.uriAt
        const place = placeOf(lines, start, start + piece.uri.length)
        const isWhole = joined(lines).startsWith(piece.uri, start)
        if (place !== undefined && isWhole)
          links.push({
            kind: 'link',
            href: piece.uri,
            text: piece.text,
            ...place,
            line: lineOf(lineAt(lines, start)),
            isRaw: true,
          })
      }
    }
  }
  const passDirective = (block: Directive): void => {
    const shows = kindOf(block.name)?.shows
    const [argument] = block.argument
    if (argument !== undefined && (shows === 'image' || shows === 'include' || block.name === 'image')) {
      const href = argument.text.trim()
      const isPlain = href !== '' && !href.includes('*') && !href.includes('|') && !href.startsWith('<')
      const at = argument.at + argument.text.indexOf(href)
      if (isPlain)
        links.push({
          kind: shows === 'include' ? 'attribute' : 'image',
          href,
          text: shows === 'include' ? block.name : (block.options.get('alt')?.value ?? ''),
          start: at,
          end: at + href.length,
          line: lineOf(argument),
          isRaw: true,
        })
    }
    if (shows === 'note' || shows === 'titled' || shows === 'rubric' || shows === 'change')
      passText(block.argument)
    if (!isShownAsWritten(shows)) pass(document.bodyOf(block))
  }
  const definitions: { name: string; link: Link }[] = []
  const pass = (blocks: readonly Block[]): void => {
    for (const block of blocks) {
      if (block.kind === 'heading') passText([block.text])
      else if (block.kind === 'paragraph') passText(block.text)
      else if (block.kind === 'lines') for (const line of block.text) passText([line])
      else if (block.kind === 'directive') passDirective(block)
      else if (block.kind === 'quote' || block.kind === 'footnote' || block.kind === 'citation')
        pass(block.body)
      else if (block.kind === 'table') for (const row of block.rows) for (const { body } of row) pass(body)
      else if (block.kind === 'target' && block.uri !== '' && !block.uri.endsWith('_')) {
        const [name = ''] = block.names
        const start = block.uriAt
        definitions.push({
          name,
          link: {
            kind: 'definition',
            href: block.uri,
            text: name,
            start,
            end: start + block.uri.length,
            line: lineOf(block.line),
            isRaw: true,
          },
        })
      } else if ('items' in block)
        for (const { head, body } of block.items) {
          if (block.kind === 'definitions') passText(head)
          pass(body)
        }
    }
  }
  pass(document.blocks)
  for (const { name, link } of definitions)
    links.push(name === '' || used.has(name) ? link : { ...link, definedAs: 'unused' })
  return links.toSorted((one, other) => one.start - other.start)
}

function lineAt(lines: Lines, at: number): SourceLine {
  let rest = at
  for (const line of lines) {
    if (rest <= line.text.length) return line
    rest -= line.text.length + 1
  }
  return lines.at(-1) ?? { text: '', at: 0, index: 0 }
}

/** Where a part of running text is in the source; undefined where it goes over lines that are indented. */
function placeOf(lines: Lines, from: number, to: number): { start: number; end: number } | undefined {
  let rest = from
  for (const line of lines) {
    if (rest <= line.text.length) {
      const start = line.at + rest
      return to - from + rest <= line.text.length ? { start, end: start + to - from } : undefined
    }
    rest -= line.text.length + 1
  }
  return undefined
}
