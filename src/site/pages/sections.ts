import { readHeadingId } from '../markdown/heading-id.ts'
import { plainText, type PlainTextOptions } from '../markdown/plain-text.ts'
import type { Dialect, Scan, ScannedSection } from './dialect.ts'
import { createSlugger, slugify } from '../markdown/slug.ts'

const maxSections = 5000
const definition = /^\[([^\]\n]{1,300})\]:[ \t]*(?:<[^<>\n]*>|\S+)[ \t]*(?:["'(].*)?$/m
/** How the ids of headings are made. */
export type IdRules = Pick<Dialect, 'mdx' | 'slugs' | 'pageIds' | 'hasNoOwnIds' | 'hasAltInIds'>

const component = /^(?:Step|Accordion|Tab|Update|Expandable|AccordionItem)$/

/** Collects a page's blocks into sections. */
export function createSections(dialect: IdRules, references: ReadonlySet<string>) {
  const sections: ScannedSection[] = []
  const anchors = new Set<string>()
  const slugger = createSlugger(dialect.slugs)
  const pageIds = dialect.pageIds === undefined ? undefined : createSlugger(dialect.pageIds)
  let lines: string[] = []
  let heading: ScannedSection['heading']
  let anchor: string | undefined

  const onTag = (name: string, attributes: ReadonlyMap<string, string>) => {
    for (const key of ['id', 'name']) {
      const value = attributes.get(key)
      if (value !== undefined && (key === 'id' || name === 'a')) {
        anchors.add(value)
        slugger.reserve(value)
      }
    }
    if (dialect.slugs === 'mintlify') for (const id of mintlifyAnchors(name, attributes)) anchors.add(id)
  }
  const options: PlainTextOptions = { mdx: dialect.mdx, ticks: true, attributes: true, references, onTag }
  const attributeLists = dialect.hasNoOwnIds !== true
  const headingOptions: PlainTextOptions = { ...options, ticks: false, attributeLists }
  const slugOptions: PlainTextOptions = {
    ...headingOptions,
    attributes: false,
    alt: dialect.hasAltInIds === true,
    onTag: undefined,
  }

  const close = () => {
    const text = lines
      .map((line) => line.trimEnd())
      .join('\n')
      .replace(/\n{3,}/g, '\n\n')
      .trim()
    if (heading || text !== '') sections.push({ heading, anchor, text })
    lines = []
  }
  return {
    paragraph: (prefix: string, source: string) => {
      const defined = definition.exec(source)
      if (
        defined?.[1] !== undefined &&
        defined.index === 0 &&
        prefix === '' &&
        !defined[1].startsWith('^') &&
        !defined[1].startsWith('!')
      ) {
        // Several definitions may follow each other without a blank line.
        const rest = source.split('\n').filter((line) => !definition.test(line.trim()))
        source = rest.filter((line) => !/^\s*["'(].*["')]$/.test(line)).join('\n')
      }
      if (source.startsWith('[^')) source = source.replace(/^\[\^[^\]\n]{1,100}\]:[ \t]*/, '')
      if (source.startsWith('<<< ') || source === '[[toc]]' || source === '[TOC]') return
      const text = plainText(source, options)
      const trimmed = text.trim()
      if (trimmed !== '') lines.push(`${prefix}${trimmed}`)
    },
    row: (cells: readonly string[]) => {
      const texts = cells.map((cell) => plainText(cell, options).replaceAll('\n', ' ').trim())
      if (texts.some((cell) => cell !== '')) lines.push(texts.join(' | '))
    },
    code: (line: string) => {
      lines.push(line)
    },
    anchor: (id: string) => {
      anchors.add(id)
    },
    /** The term of a definition list, to which Hugo gives an id as to a heading. */
    term: (source: string) => {
      anchors.add(slugify(slugText(source, slugOptions, dialect), dialect.slugs))
    },
    blank: () => {
      lines.push('')
    },
    /** @param element of a heading in HTML, which has no other id than its own */
    heading: (level: number, source: string, element?: { id: string | undefined }) => {
      const written = element === undefined && attributeLists ? readHeadingId(source) : undefined
      const marked = written?.text ?? source
      const id = element?.id ?? written?.id
      const text = plainText(marked, headingOptions).replace(/\s+/g, ' ').trim()
      if (sections.length >= maxSections) {
        lines.push('', text)
        return
      }
      close()
      heading = { level, text }
      anchor = element?.id
      if (id !== undefined) {
        anchors.add(id)
        slugger.reserve(id)
      }
      if (element) return
      const named = slugText(marked, slugOptions, dialect)
      const name = id ?? slugger.next(named)
      anchors.add(name)
      const own = pageIds?.next(named) ?? name
      anchors.add(own)
      anchor = own === '' ? undefined : own
    },
    done: (): Scan => {
      close()
      return { sections, anchors }
    },
  }
}

function slugText(source: string, options: PlainTextOptions, dialect: Pick<Dialect, 'slugs'>): string {
  // There, the text of a component is not part of the id.
  const own = dialect.slugs === 'mintlify' ? source.replace(/<([A-Z]\w*)\b[^<>]*>[^<]*<\/\1>/g, '') : source
  const text = plainText(own, options).replaceAll('\n', ' ')
  // GitHub's ids keep the space that a removed tag leaves at the end of a heading; the heading itself is trimmed
  // before.
  return dialect.slugs === 'github' ? text : text.trim()
}

function mintlifyAnchors(name: string, attributes: ReadonlyMap<string, string>): string[] {
  const slug = (value: string) => createSlugger('mintlify').next(value)
  if (component.test(name)) {
    const title = attributes.get('id') ?? attributes.get('title') ?? attributes.get('label')
    return title === undefined ? [] : [slug(title), title]
  }
  if (name !== 'ParamField' && name !== 'ResponseField') return []
  return ['path', 'query', 'body', 'header', 'name'].flatMap((key) => {
    const value = attributes.get(key)
    return value === undefined ? [] : [`param-${slug(value)}`]
  })
}
