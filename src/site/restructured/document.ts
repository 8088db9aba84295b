import { createSlugger } from '../markdown/slug.ts'
import { type Block, type Directive, type Fault, type Lines, type SourceLine, sourceLines } from './blocks.ts'
import { kindOf } from './directive-kinds.ts'
import { nameKey } from './explicit.ts'
import { type Inline, readInline } from './inline.ts'
import { objectIds, slugifyCased } from './object-ids.ts'
import { readBlocks, startReading } from './read-blocks.ts'

/** A name that a page gives to a place of it. */
export interface Target {
  id: string
  /** The title or caption that stands there, which references show. */
  title: string | undefined
  /** It is the name of a heading, which only this page may use. */
  isImplicit?: true
}

/** A page in reStructuredText: its blocks, with the ids that docutils gives them. */
export interface Document {
  blocks: readonly Block[]
  faults: Fault[]
  title: string | undefined
  /** The ids of a block: of a heading the one that is cited first. */
  idsOf: (block: Block) => readonly string[]
  /** Places of the page by the names that references use. */
  targets: ReadonlyMap<string, Target>
  /** Addresses by the names that references use. */
  addresses: ReadonlyMap<string, string>
  /** Those without a name, in the order of the references to them. */
  anonymous: readonly string[]
  substitutions: ReadonlyMap<string, Directive>
  terms: readonly [term: string, id: string][]
  objects: readonly [name: string, id: string][]
  footnotes: ReadonlySet<string>
  inline: (lines: Lines) => readonly Inline[]
  bodyOf: (directive: Directive) => readonly Block[]
}

/** Reads a page from its lines. Those of `around` stand before and behind all pages of the site. */
export function readDocument(texts: Iterable<string>, around: readonly string[] = []): Document {
  const lines = sourceLines(texts)
  const reading = startReading()
  const blocks = readBlocks(withoutMark(lines), reading)
  reading.isTop = false
  const inlines = new WeakMap<Lines, readonly Inline[]>()
  const bodies = new WeakMap<Directive, readonly Block[]>()
  const inline = (text: Lines): readonly Inline[] => {
    const known = inlines.get(text) ?? readInline(joined(text))
    inlines.set(text, known)
    return known
  }
  const bodyOf = (directive: Directive): readonly Block[] => {
    // Several terms of a glossary may stand above one text.
    const own = kindOf(directive.name)?.shows === 'glossary' ? { ...reading, faults: [] } : reading
    const known = bodies.get(directive) ?? readBlocks(directive.content, own)
    bodies.set(directive, known)
    return known
  }
  const substitutions = new Map<string, Directive>()
  for (const text of around)
    for (const block of readBlocks(sourceLines(text.split('\n')), startReading()))
      if (block.kind === 'directive' && block.substitution !== undefined)
        substitutions.set(block.substitution, block)
  const collected = collect(blocks, { inline, bodyOf, substitutions })
  for (const text of around)
    for (const block of readBlocks(sourceLines(text.split('\n')), startReading()))
      if (block.kind === 'target' && block.uri !== '')
        for (const name of block.names)
          if (!collected.addresses.has(name)) collected.addresses.set(name, block.uri)
  return { blocks, faults: reading.faults, inline, bodyOf, substitutions, ...collected }
}

function withoutMark(lines: SourceLine[]): SourceLine[] {
  const [first] = lines
  if (first?.text.startsWith('\uFEFF') !== true) return lines
  return [{ ...first, text: first.text.slice(1), at: first.at + 1 }, ...lines.slice(1)]
}

export function joined(lines: Lines): string {
  const [only] = lines
  return lines.length === 1 && only !== undefined ? only.text : lines.map(({ text }) => text).join('\n')
}

type Collected = Pick<
  Document,
  'title' | 'idsOf' | 'targets' | 'anonymous' | 'terms' | 'objects' | 'footnotes'
> & { addresses: Map<string, string> }

interface Helpers {
  inline: Document['inline']
  bodyOf: Document['bodyOf']
  substitutions: Map<string, Directive>
}

/** Goes through a page in its order, as ids are numbered in it. */
function collect(blocks: readonly Block[], { inline, bodyOf, substitutions }: Helpers): Collected {
  const slugger = createSlugger('docutils')
  const ids = new Map<Block, string[]>()
  const targets = new Map<string, Target>()
  const addresses = new Map<string, string>()
  const anonymous: string[] = []
  const terms: [string, string][] = []
  const objects: [string, string][] = []
  const footnotes = new Set<string>()
  let title: string | undefined
  let [domain, module] = ['', '']
  /** Targets for what comes next. */
  let waiting: { name: string; id: string }[] = []
  const take = (block: Block, shown: string | undefined): void => {
    for (const { name, id } of waiting) {
      targets.set(name, { id, title: shown })
      ids.set(block, [...(ids.get(block) ?? []), id])
    }
    waiting = []
  }
  const passText = (text: Lines): void => {
    for (const piece of inline(text)) {
      if (piece.kind === 'text') continue
      if (piece.kind === 'footnote') slugger.skip()
      else if (piece.kind === 'target') {
        const id = slugger.next(piece.text)
        targets.set(nameKey(piece.text), { id, title: piece.text })
      } else if (piece.kind === 'reference' && piece.uri !== undefined && !piece.isAnonymous) {
        // Such a reference is a target as well, whose name is an id.
        slugger.next(piece.text)
        addresses.set(nameKey(piece.text), piece.uri)
      }
    }
  }
  const named = (block: Directive, shown: string | undefined): void => {
    const own = block.options.get('name')?.value
    if (own !== undefined && own !== '') waiting.push({ name: nameKey(own), id: slugger.next(own) })
    take(block, shown)
  }
  const passDirective = (block: Directive, className: string): void => {
    const kind = kindOf(block.name)?.shows
    if (block.substitution !== undefined) {
      substitutions.set(block.substitution, block)
      return
    }
    const argument = joined(block.argument)
    if (/^(?:(?:py|js):)?(?:module|currentmodule)$/.test(block.name)) {
      module = argument.trim() === 'None' ? '' : argument.trim()
      if (block.name.endsWith('currentmodule') || module === '') return
      waiting.push({ name: `module-${module}`, id: `module-${module}` })
      objects.push([module, `module-${module}`])
      return
    }
    if (block.name === 'default-domain') domain = argument.trim()
    if (/^(?:c|cpp):namespace$/.test(block.name))
      module = /^(?:NULL|0|nullptr)$/.test(argument) ? '' : argument.trim()
    let inner = className
    if (kind === 'object') {
      const names = objectIds(block, { domain, module, className })
      ids.set(
        block,
        names.map(([, id]) => id).filter((id) => id !== ''),
      )
      objects.push(...names)
      take(block, undefined)
      inner = /class|exception|struct|union|enum$/.test(block.name) ? (names[0]?.[0] ?? '') : className
    } else if (kind === 'rubric') named(block, textIn(inline(block.argument)))
    else if (kind !== 'nothing' && kind !== 'code') {
      const caption =
        block.options.get('caption')?.value ?? (kind === 'table' || kind === 'titled' ? argument : '')
      const first = kind === 'image' ? bodyOf(block).find((one) => one.kind === 'paragraph') : undefined
      named(block, first?.kind === 'paragraph' ? textIn(inline(first.text)) : caption.trim() || undefined)
    } else if (kind === 'code') named(block, block.options.get('caption')?.value)
    if (kind === 'note' || kind === 'rubric' || kind === 'titled') passText(block.argument)
    if (kind === 'glossary') {
      for (const one of bodyOf(block)) {
        if (one.kind !== 'definitions') continue
        for (const { head } of one.items) {
          const [piece] = joined(head).split(' : ')
          const term = textIn(readInline(piece ?? ''))
          const id = `term-${slugifyCased(term)}`
          terms.push([term, id])
        }
      }
    }
    if (!isShownAsWritten(kind)) pass(bodyOf(block), inner)
  }
  const pass = (some: readonly Block[], className: string): void => {
    for (const block of some) {
      if (block.kind === 'target') {
        const [name = ''] = block.names
        if (block.uri !== '') {
          if (name === '') anonymous.push(block.uri)
          else addresses.set(name, block.uri)
          slugger.next(name)
        } else waiting.push({ name, id: slugger.next(name) })
        continue
      }
      if (block.kind === 'comment') continue
      if (block.kind === 'directive') {
        passDirective(block, className)
        continue
      }
      if (block.kind === 'heading') {
        const pieces = inline([block.text])
        const text = textIn(pieces)
        passText([block.text])
        title ??= text
        const own = slugger.next(text)
        const before = waiting.map(({ id }) => id)
        if (!targets.has(nameKey(text)))
          targets.set(nameKey(text), { id: own, title: text, isImplicit: true })
        take(block, text)
        // Ids that are only numbers of docutils come last.
        ids.set(block, own.startsWith('id') && before.length > 0 ? [...before, own] : [own, ...before])
        continue
      }
      if (block.kind === 'paragraph') {
        take(block, undefined)
        passText(block.text)
        continue
      }
      take(block, undefined)
      if (block.kind === 'footnote' || block.kind === 'citation') {
        footnotes.add(block.label)
        if (/^#?\w+$/.test(block.label) && !/^\d+$/.test(block.label))
          slugger.next(block.label.replace('#', ''))
        else slugger.skip()
        pass(block.body, className)
      } else if (block.kind === 'table')
        for (const row of block.rows) for (const { body } of row) pass(body, className)
      else if (block.kind === 'quote') pass(block.body, className)
      else if (block.kind === 'lines') passText(block.text)
      else if ('items' in block)
        for (const { head, body } of block.items) {
          if (block.kind === 'definitions' || block.kind === 'fields') passText(head)
          pass(body, className)
        }
    }
  }
  pass(blocks, '')
  return {
    title,
    targets,
    addresses,
    anonymous,
    terms,
    objects,
    footnotes,
    idsOf: (block) => ids.get(block) ?? [],
  }
}

/** Whether the content of a directive is no text of paragraphs. */
export function isShownAsWritten(kind: NonNullable<ReturnType<typeof kindOf>>['shows'] | undefined): boolean {
  return (
    kind === 'code' ||
    kind === 'math' ||
    kind === 'toctree' ||
    kind === 'nothing' ||
    kind === 'made' ||
    kind === 'include'
  )
}

/** The text of markup without its signs, as docutils makes ids of it. */
export function textIn(pieces: readonly Inline[]): string {
  return pieces
    .map((piece) => {
      if (piece.kind === 'role') return roleText(piece.text).replace(/^~(?:[^~]*\.)?(?=[^.]*$)|^!/, '')
      if (piece.kind === 'substitution') return piece.name
      if (piece.kind === 'footnote') return ''
      return piece.text
    })
    .join('')
    .replace(/\s+/g, ' ')
    .trim()
}

/** What a role says without its target. */
export function roleText(text: string): string {
  const open = text.endsWith('>') ? text.lastIndexOf('<') : -1
  return (open > 0 ? text.slice(0, open) : text).replace(/\s+/g, ' ').trim()
}
