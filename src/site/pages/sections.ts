import { readHeadingId } from '../markdown/heading-id.ts'
import { plainText, type PlainTextOptions } from '../markdown/plain-text.ts'
import type { Dialect, Scan, ScannedSection } from './dialect.ts'
import { createSlugger, slugify } from '../markdown/slug.ts'

const maxSections = 5000
const definition = /^\[([^\]\n]{1,300})\]:[ \t]*(?:<[^<>\n]*>|\S+)[ \t]*(?:["'(].*)?$/m
const component = /^(?:Step|Accordion|Tab|Update|Expandable|AccordionItem)$/

/** Collects a page's blocks into sections. */
export function createSections(dialect: Pick<Dialect, 'mdx' | 'slugs'>, references: ReadonlySet<string>) {
  const sections: ScannedSection[] = []
  const anchors = new Set<string>()
  const slugger = createSlugger(dialect.slugs)
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
  const headingOptions: PlainTextOptions = { ...options, ticks: false }
  const slugOptions: PlainTextOptions = { ...headingOptions, attributes: false, onTag: undefined }

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
    heading: (level: number, source: string) => {
      const { text: marked, id } = readHeadingId(source)
      const text = plainText(marked, headingOptions).replace(/\s+/g, ' ').trim()
      if (sections.length >= maxSections) {
        lines.push('', text)
        return
      }
      close()
      const own = id ?? slugger.next(slugText(marked, slugOptions, dialect))
      if (id !== undefined) slugger.reserve(id)
      anchors.add(own)
      heading = { level, text }
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
