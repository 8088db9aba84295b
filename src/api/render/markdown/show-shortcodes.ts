import { createFences } from '../../../site/markdown/fence.ts'
import { readLine } from '../../../site/markdown/line.ts'
import { componentKind, escapeAttribute } from './component-kinds.ts'
import { noteKind } from './show-admonitions.ts'

/** How a template language of a site generator opens and ends its tags in Markdown. */
const languages = [
  { open: '{{<', close: '>}}' },
  { open: '{{%', close: '%}}' },
  { open: '{%', close: '%}' },
] as const

interface Tag {
  name: string
  isEnd: boolean
  named: ReadonlyMap<string, string>
  /** Values without a name. */
  bare: readonly string[]
  end: number
}

const longest = 2000
/** Names that differ from those of components elsewhere. */
const others: ReadonlyMap<string, string> = new Map(
  Object.entries({
    tabpane: 'Tabs',
    tabset: 'Tabs',
    cardpane: 'Cards',
    'blocks/feature': 'Card',
    feature: 'Card',
    expand: 'Details',
    stepper: 'Steps',
    alert: 'Note',
    notice: 'Note',
    pageinfo: 'Note',
  }),
)
/** What a style of such a note is elsewhere. */
const styles: ReadonlyMap<string, string> = new Map([
  ['primary', 'note'],
  ['secondary', 'note'],
])

/**
 * Replaces the tags of template languages (Hugo's shortcodes, the blocks of GitBook, Liquid and Markdoc) by components
 * that mean the same, or by nothing. The lines of the text stay where they are, and code as it is.
 */
export function showShortcodes(body: string): string {
  if (!languages.some(({ open }) => body.includes(open))) return body
  const code = codeRanges(body)
  const closed = new Set<string>()
  for (const { tag } of tagsIn(body, code)) if (tag.isEnd) closed.add(tag.name)
  let shown = ''
  let from = 0
  let comments = 0
  /** Titles that a group of tabs names for its tabs. */
  let titles: string[] = []
  for (const { start, tag } of tagsIn(body, code)) {
    const before = body.slice(from, start)
    const written = body.slice(start, tag.end)
    const breaks = '\n'.repeat(written.split('\n').length - 1)
    shown += comments > 0 ? before.replaceAll(/[^\n]/g, '') : before
    from = tag.end
    if (tag.name === 'comment') comments = Math.max(0, comments + (tag.isEnd ? -1 : 1))
    else if (comments === 0) {
      const items = tag.named.get('items')
      if (items !== undefined) titles = items.split(',').map((title) => title.trim())
      const title = tag.name === 'tab' && !tag.isEnd && tag.named.size === 0 ? titles.shift() : undefined
      shown += shownTag(tag, closed.has(tag.name), title)
    }
    shown += breaks
  }
  return shown + body.slice(from)
}

function shownTag({ name, isEnd, named, bare }: Tag, isClosed: boolean, given: string | undefined): string {
  const [first = ''] = bare
  // `[page]({{< ref "docs/page.md" >}})`
  if (name === 'ref' || name === 'relref') return isEnd ? '' : first
  if (name === 'highlight' || name === 'prism')
    return isEnd ? '```' : `\`\`\`${/^[\w+#-]*/.exec(first)?.[0] ?? ''}`
  if (name === 'figure' || name === 'image') {
    const src = named.get('src') ?? named.get('url') ?? first
    const words = named.get('alt') ?? named.get('caption') ?? ''
    return isEnd || src === '' ? '' : `<img src="${escapeAttribute(src)}" alt="${escapeAttribute(words)}" />`
  }
  const style = named.get('color') ?? named.get('type') ?? named.get('style') ?? first
  const note = noteKind(name) ?? (name === 'hint' || others.get(name) === 'Note' ? 'NOTE' : undefined)
  if (note !== undefined && componentKind(name) === undefined) {
    if (isEnd) return '</Note>'
    const kind = noteKind(styles.get(style) ?? style) ?? note
    return isClosed ? `<Note type="${kind.toLowerCase()}"${attribute('title', named.get('title'))}>` : ''
  }
  const component = others.get(name) ?? componentOf(name)
  if (component === undefined || (isEnd && !isClosed)) return ''
  if (isEnd) return `</${component}>`
  const title = ['title', 'header', 'name', 'summary'].map((key) => named.get(key)).find((text) => text)
  const link = ['link', 'url', 'href'].map((key) => named.get(key)).find((text) => text)
  const words = attribute('title', title ?? given ?? first) + attribute('href', link)
  return `<${component}${words}${isClosed ? '' : ' /'}>`
}

function componentOf(name: string): string | undefined {
  return componentKind(name) === undefined ? undefined : `${name.charAt(0).toUpperCase()}${name.slice(1)}`
}

function attribute(name: string, value: string | undefined): string {
  return value === undefined || value === '' ? '' : ` ${name}="${escapeAttribute(value)}"`
}

function* tagsIn(
  body: string,
  code: readonly (readonly [number, number])[],
): Generator<{ start: number; tag: Tag }> {
  let range = 0
  for (let at = body.indexOf('{'); at !== -1; at = body.indexOf('{', at)) {
    while ((code[range]?.[1] ?? Infinity) <= at) range++
    const [start, end] = code[range] ?? [Infinity, Infinity]
    const tag = at >= start && at < end ? undefined : readTag(body, at)
    if (tag) yield { start: at, tag }
    at = tag?.end ?? at + 1
  }
}

const part = /\s*(?:([\w-]{1,50})\s{0,5}=\s{0,5})?(?:"([^"]*)"|'([^']*)'|`([^`]*)`|([^\s"'`=]+))/y

function readTag(body: string, start: number): Tag | undefined {
  const language = languages.find(({ open }) => body.startsWith(open, start))
  if (!language) return undefined
  const whole = body.slice(start + language.open.length, start + longest)
  const length = whole.indexOf(language.close)
  if (length === -1) return undefined
  const close = start + language.open.length + length
  const inner = whole
    .slice(0, length)
    .replace(/^-/, '')
    .replace(/[/-]\s*$/, '')
    .trim()
  const [, slash = '', written = ''] = /^(\/?)\s*([A-Za-z_][\w/-]{0,60})/.exec(inner) ?? []
  if (written === '') return undefined
  const isLiquidEnd = language.open === '{%' && /^end[a-z]/.test(written)
  const named = new Map<string, string>()
  const bare: string[] = []
  part.lastIndex = inner.indexOf(written) + written.length
  for (let match = part.exec(inner); match; match = part.exec(inner)) {
    const [, name, double, single, raw, plain] = match
    const value = double ?? single ?? raw ?? plain ?? ''
    if (name === undefined) bare.push(value)
    else named.set(name, value)
  }
  return {
    name: (isLiquidEnd ? written.slice(3) : written).toLowerCase(),
    isEnd: slash !== '' || isLiquidEnd,
    named,
    bare,
    end: close + language.close.length,
  }
}

/** Where code stands, in blocks and in lines: it is shown as it is. */
function codeRanges(body: string): [number, number][] {
  const ranges: [number, number][] = []
  const fences = createFences()
  let start = 0
  for (const raw of body.split('\n')) {
    const end = start + raw.length
    if (fences.holds(readLine(raw))) ranges.push([start, end])
    else
      for (let at = raw.indexOf('`'); at !== -1;) {
        let width = 1
        while (raw[at + width] === '`') width++
        const close = raw.indexOf('`'.repeat(width), at + width)
        if (close !== -1) ranges.push([start + at, start + close + width])
        at = raw.indexOf('`', close === -1 ? at + width : close + width)
      }
    start = end + 1
  }
  return ranges
}
