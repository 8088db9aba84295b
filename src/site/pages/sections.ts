import { readHeadingId } from '../markdown/heading-id.ts'
import { inlineTarget } from '../markdown/inline-target.ts'
import { plainText, type PlainTextOptions } from '../markdown/plain-text.ts'
import type { Dialect, Scan, ScannedSection } from './dialect.ts'
import type { HeadingRules } from './heading-rules.ts'
import { createSlugger, slugify } from '../markdown/slug.ts'

const maxSections = 5000
const definition = /^\[([^\]\n]{1,300})\]:[ \t]*(?:<[^<>\n]*>|\S+)[ \t]*(?:["'(].*)?$/m
/** How the ids of headings are made. */
export type IdRules = Pick<Dialect, 'mdx' | 'slugs' | 'pageIds' | 'headings' | 'tabIds' | 'boxes'>

interface Written {
  element?: { id: string | undefined }
  id?: string | undefined
  isNested?: boolean
  isInside?: boolean
}

const component = /^(?:Step|Accordion|Tab|Update|Expandable|AccordionItem)$/

/** Collects a page's blocks into sections. */
export function createSections(dialect: IdRules, references: ReadonlySet<string>) {
  const sections: ScannedSection[] = []
  const anchors = new Set<string>()
  const rules = dialect.headings
  const slugger = createSlugger(dialect.slugs)
  const pageIds = dialect.pageIds === undefined ? undefined : createSlugger(dialect.pageIds)
  const footnotes = new Map<string, number>()
  let lines: string[] = []
  let heading: ScannedSection['heading']
  let anchor: string | undefined
  /** The id of the label that was read last, where the next heading has it. */
  let labelled: string | undefined

  const onTag = (name: string, attributes: ReadonlyMap<string, string>) => {
    for (const key of ['id', 'name']) {
      const value = attributes.get(key)
      if (value !== undefined && (key === 'id' || name === 'a')) {
        anchors.add(value)
        // Of elements that Markdown makes; those in HTML are not looked at.
        if (name === '' && rules.lines === 'python') slugger.reserve(value)
      }
    }
    if (dialect.slugs === 'mintlify') for (const id of mintlifyAnchors(name, attributes)) anchors.add(id)
  }
  /** Footnotes have the numbers of their first references. */
  const numberOf = (label: string) => {
    pageIds?.skip()
    const number = footnotes.get(label) ?? footnotes.size + 1
    footnotes.set(label, number)
    return number
  }
  const footnote = (label: string) => {
    numberOf(label)
    return ''
  }
  const options: PlainTextOptions = {
    mdx: dialect.mdx,
    ticks: true,
    attributes: true,
    references,
    onTag,
    footnote,
    hasRoles: rules.hasRoles === true,
    marksImages: true,
  }
  const attributeLists = rules.ownIds !== 'none'
  const headingOptions: PlainTextOptions = { ...options, ticks: false, attributeLists, marksImages: false }
  const slugOptions: PlainTextOptions = {
    ...headingOptions,
    ...rules,
    attributeLists: rules.ownIds === 'any',
    attributes: false,
    alt: rules.alt === true,
    footnote: (label) => {
      if (rules.footnotes === undefined) return ''
      return rules.footnotes === 'mark' ? `[^${label}]` : String(footnotes.get(label) ?? '')
    },
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
  /** The names of a heading in links, and last its id on the page. */
  const idsOf = (
    level: number,
    text: string,
    { own, isNested, isInside }: Written & { own: string | undefined },
  ): string[] => {
    if (rules.namedTo !== undefined && isInside === true) return []
    const name = own ?? slugger.next(text)
    const isNamed = own !== undefined || rules.namedTo === undefined || level <= rules.namedTo
    const names = isNamed && name !== '' ? [name] : []
    if ((rules.leavesFirstOut === true && level === 1) || level > (rules.deepest ?? level)) return []
    if (pageIds === undefined || (rules.namedTo !== undefined && isNested === true)) return names
    const id = pageIds.next(text)
    return id === '' ? names : [...names, id]
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
      labelled = undefined
      const text = plainText(source, options)
      const trimmed = text.trim()
      if (trimmed === '') return
      // What only leads on stays marked, so that a list of links is known as one.
      lines.push(prefix !== '' && isOnlyLink(source.trim()) ? `${prefix}[${trimmed}]` : `${prefix}${trimmed}`)
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
    /** The term of a definition list, to which Hugo may give an id as to a heading. */
    term: (source: string) => {
      const text = slugText(source, slugOptions, dialect)
      anchors.add(rules.termsHaveIds === true ? slugger.next(text) : slugify(text, dialect.slugs))
    },
    blank: () => {
      lines.push('')
    },
    /** A name for what follows. */
    label: (name: string) => {
      anchors.add(name)
      if (rules.labelsAreIds === true) labelled = slugify(name, dialect.slugs)
      if (dialect.pageIds === undefined) return
      const id = slugify(name, dialect.pageIds)
      anchors.add(id)
      pageIds?.reserve(id)
    },
    /** The label of a tab. */
    tab: (label: string) => {
      if (dialect.tabIds !== undefined) anchors.add(slugify(plainText(label, slugOptions), dialect.tabIds))
    },
    /**
     * @param source lines of the heading
     * @param written.element of a heading in HTML, which has no other id than its own
     * @param written.id in a line of its own
     * @param written.isNested in a list or a quote
     * @param written.isInside in a directive
     */
    heading: (level: number, source: string, written: Written = {}) => {
      const { element } = written
      const read = element === undefined ? readOwnId(source, rules) : undefined
      const marked = read?.text ?? source
      const isBare = rules.leavesFirstOut === true && level === 1
      const own = element?.id ?? (isBare ? undefined : (written.id ?? labelled ?? read?.id))
      labelled = undefined
      const text = plainText(marked, headingOptions).replace(/\s+/g, ' ').trim()
      if (sections.length >= maxSections) {
        lines.push('', text)
        return
      }
      close()
      heading = { level, text }
      anchor = own
      if (own !== undefined) {
        anchors.add(own)
        slugger.reserve(own)
      }
      if (element !== undefined && (own !== undefined || rules.slugsHtml !== true)) return
      const ids = idsOf(level, slugText(marked, slugOptions, dialect), { ...written, own })
      for (const id of ids) anchors.add(id)
      const isKnown = own !== undefined || rules.hasTemplates !== true || !marked.includes('{{')
      anchor = isKnown ? ids.at(-1) : undefined
    },
    done: (): Scan => {
      close()
      return { sections, anchors }
    },
  }
}

function isOnlyLink(source: string): boolean {
  const close = source.indexOf('](')
  if (!source.startsWith('[') || close < 0 || source.lastIndexOf('[', close) > 0) return false
  return inlineTarget(source, close + 1)?.end === source.length
}

function readOwnId(source: string, { ownIds, idDelimiters }: HeadingRules): ReturnType<typeof readHeadingId> {
  if (idDelimiters === undefined) return readHeadingId(source, ownIds)
  const [open, close] = idDelimiters
  const at = source.endsWith(close) ? source.lastIndexOf(open) : -1
  if (at === -1) return { text: source, id: undefined }
  return readHeadingId(`${source.slice(0, at)}{${source.slice(at + open.length, -close.length)}}`, ownIds)
}

function slugText(
  source: string,
  options: PlainTextOptions,
  { slugs, headings: { breaks } }: Pick<Dialect, 'slugs' | 'headings'>,
): string {
  // There, the text of a component is not part of the id.
  const own = slugs === 'mintlify' ? source.replace(/<([A-Z]\w*)\b[^<>]*>[^<]*<\/\1>/g, '') : source
  const lines = plainText(breaks === 'last' ? (own.split('\n').at(-1) ?? '') : own, options)
  const text = lines.replaceAll('\n', breaks === 'space' ? ' ' : '')
  // Some ids keep the space that a removed tag or image leaves at the ends of a heading.
  return slugs === 'github' || slugs === 'kramdown-gfm' ? text : text.trim()
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
