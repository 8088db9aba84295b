import { startEsm } from '../../../site/markdown/esm.ts'
import { closesFence, createFences, type Fence, readFence } from '../../../site/markdown/fence.ts'
import { createProperties, readCallout, readLine, shownProperty } from '../../../site/markdown/line.ts'
import { componentKind, escapeAttribute, type ComponentKind } from './component-kinds.ts'
import { tidyLine, withoutIcons } from './tidy-line.ts'

const kinds: ReadonlyMap<string, string> = new Map(
  Object.entries({
    NOTE: 'note info details abstract example question quote aside callout admonition',
    TIP: 'tip hint check success',
    IMPORTANT: 'important',
    WARNING: 'warning attention',
    CAUTION: 'caution danger error failure bug',
  }).flatMap(([kind, words]) => words.split(' ').map((word) => [word, kind] as const)),
)

/** The kind of note that a word such as `tip` or `Warning` names; undefined when it names none. */
export function noteKind(word: string): string | undefined {
  return kinds.get(word.toLowerCase())
}

/** Deeper nesting than any honest page has. */
const maximumDepth = 24

interface Block {
  /** What ends the block: a line of colons, a fence, or a line with less indentation than its content. */
  end: 'colons' | 'indentation' | Fence
  /** How many colons open it and end it. */
  colons: number
  /** Written before each of its lines in the result. */
  prefix: string
  /** Columns of indentation that are removed from each of its lines. */
  columns: number
  /** Written before the tag that ends a component; undefined for other blocks. */
  outer: string | undefined
}

/**
 * How the page is parsed afterwards: as MDX, as Markdown, or (`loose`) as Markdown because it does not parse as
 * MDX.
 */
export type Reading = 'mdx' | 'markdown' | 'loose'

/**
 * Turns the admonitions of the frameworks (`:::note`, `!!! note`) into block quotes that start with `[!NOTE]`, and
 * the components of MDC (`::card`) and the tabs of MkDocs (`=== "Title"`) into their content below their title. For Markdown, tags on lines of their own
 * (components, and elements that hold Markdown) become separate paragraphs, and MDX imports are removed.
 * `lines` says from which line of `body`, counted from 1, each line of the result comes.
 */
export function showAdmonitions(body: string, reading: Reading): { text: string; lines: number[] } {
  const out: string[] = []
  const lines: number[] = []
  let current = 0
  const blocks: Block[] = []
  const fences = createFences(reading === 'mdx')
  let esm: ReturnType<typeof startEsm>
  let afterBlank = true
  /** Whether the options of a directive may stand here. */
  let mayBeOption = false
  /** Whether the open fence is not shown. */
  let isHidden = false
  const properties = createProperties()

  const push = (...texts: string[]): void => {
    for (const text of texts) {
      out.push(text)
      lines.push(current)
    }
  }
  const put = (line: string): void => {
    const { prefix = '', columns = 0 } = blocks.at(-1) ?? {}
    push(prefix + withoutColumns(line, columns))
  }
  const open = (
    { indent, kind, heading, component }: Admonition,
    column: number,
    end: Fence | number,
  ): void => {
    if (!afterBlank) put('')
    const { prefix = '', columns = 0 } = blocks.at(-1) ?? {}
    const outer = prefix + ' '.repeat(Math.max(0, column - columns))
    const inner = kind === undefined ? outer : `${outer}> `
    if (component !== undefined) push(outer + component, outer)
    if (heading !== '') push(inner + heading, inner)
    blocks.push({
      end: typeof end === 'object' ? end : indent === 0 ? 'colons' : 'indentation',
      colons: typeof end === 'object' ? 0 : end,
      prefix: inner,
      columns: column + indent,
      outer: component === undefined ? undefined : outer,
    })
  }
  const close = (left: number): void => {
    for (const { outer } of blocks.splice(left).reverse())
      if (outer !== undefined) push(outer, `${outer}</div>`, outer)
  }

  for (const raw of body.split(/\r\n?|\n/)) {
    current++
    const bare = raw.trim()
    if (mayBeOption && /^:[\w-]{1,50}:/.test(bare)) continue
    mayBeOption = false
    const line = readLine(raw)
    const code = fences.inside(line)
    if (code && !isHidden) put(raw)
    if (code !== 'content') isHidden = false
    if (code) continue
    const around = blocks.findLastIndex(({ end }) => typeof end === 'object' && closesFence(line, end))
    if (around !== -1) {
      close(around)
      put('')
      continue
    }
    if (esm?.goesOn(raw) === true) continue
    esm = reading === 'loose' && afterBlank ? startEsm(raw) : undefined
    if (esm) continue
    const part = properties.read(raw)
    const property = part === 'property' ? shownProperty(raw) : undefined
    if (property !== undefined) {
      put(`**${property}**`)
      put('')
    }
    if (part !== undefined) continue
    const column = columnsBefore(raw)
    const staying = bare === '' ? blocks.length : stillOpen(blocks, column)
    if (staying < blocks.length) {
      close(staying)
      put('')
    }
    const admonition = readAdmonition(reading === 'mdx' ? bare : withoutIcons(bare))
    const colons = /^:*/.exec(bare)?.[0].length ?? 0
    if (admonition === 'end') {
      const at = closedBy(blocks, colons, column)
      if (at !== -1) close(at)
      put('')
    } else if (admonition) {
      if (blocks.length < maximumDepth) open(admonition, column, colons)
    } else {
      const fence = readFence(line)
      const directive = fence && reading !== 'mdx' ? readDirective(fence) : undefined
      if (fence && directive?.block === undefined) fences.open(line)
      if (fence && directive) {
        mayBeOption = true
        isHidden = directive.code === ''
        if (isHidden) put('')
        else if (directive.block === undefined)
          put(`${raw.slice(0, raw.indexOf(fence.marker))}${directive.code}`)
        else if (blocks.length < maximumDepth) open(directive.block, column, fence)
        afterBlank = false
        continue
      }
      const isAlone = reading !== 'mdx' && isLoneTag(bare)
      if (isAlone) put('')
      // The title of a heading keeps its id, which is read later.
      if (fence || reading === 'mdx') put(raw)
      else put(bare.startsWith('#') ? withoutIcons(raw) : tidyLine(raw))
      if (isAlone) put('')
    }
    afterBlank = bare === '' || admonition !== undefined
  }
  close(0)
  return { text: out.join('\n'), lines }
}

/**
 * Which block a line of colons ends, with all in it: as markdown-it-container and remark-directive have it, the outermost
 * with no more colons; where `::` opened one, it is MDC, which counts: the innermost with as many.
 */
function closedBy(blocks: readonly Block[], colons: number, column: number): number {
  if (blocks.some((block) => block.end === 'colons' && block.colons === 2)) {
    const same = blocks.findLastIndex((block) => block.end === 'colons' && block.colons === colons)
    return same === -1 ? blocks.findLastIndex(({ end }) => end === 'colons') : same
  }
  return blocks.findIndex(
    (block) => block.end === 'colons' && block.colons <= colons && column < block.columns + 4,
  )
}

/** How many blocks stay open before a line: those end whose content is indented deeper. */
function stillOpen(blocks: readonly Block[], column: number): number {
  let open = blocks.length
  for (let top = blocks[open - 1]; top?.end === 'indentation' && column < top.columns; top = blocks[open - 1])
    open--
  return open
}

/** Whether a line is a tag of a component, or of an element that is marked to hold Markdown. */
function isLoneTag(line: string): boolean {
  return /^<\/?[A-Za-z][^<>]*>$/.test(line) && (/^<\/?[A-Z]/.test(line) || /\smarkdown[\s=>]/.test(line))
}

interface Admonition {
  /** Columns by which its content is indented; 0 where a line of colons ends it. */
  indent: number
  /** Undefined for a block that only groups others. */
  kind: string | undefined
  heading: string
  /** The tag that opens a component. */
  component?: string | undefined
}

/** A line that opens (`:::note Title`, `!!! note "Title"`) or ends (`:::`) an admonition. */
function readAdmonition(line: string): Admonition | 'end' | undefined {
  if (line.length > 500) return undefined
  if (line === '::') return 'end'
  if (line.startsWith('::') && line[2] !== ':') {
    const label = readCallout(line)
    const kind = label === undefined ? undefined : noteKind(/^[\w-]+/.exec(line.slice(2))?.[0] ?? '')
    if (label === undefined) return undefined
    if (kind !== undefined) return noteOf(0, kind, label)
    const component = componentKind(/^[\w-]+/.exec(line.slice(2))?.[0] ?? '')
    if (component !== undefined) return componentOf(0, component, label)
    return { indent: 0, kind, heading: label === '' ? '' : `**${label}**` }
  }
  if (line.startsWith(':::')) {
    // MyST has braces around the name.
    const rest = line
      .replace(/^:+/, '')
      .trim()
      .replace(/^\{([\w-]+)\}/, '$1')
    if (rest === '') return 'end'
    const word = /^[\w-]+/.exec(rest)?.[0] ?? ''
    if (line.endsWith(':::')) return undefined
    const title = rest.slice(word.length).replace(/\{[^{}]*\}$/, '')
    const text = title.replaceAll(/^\s*\[|\]\s*$/g, '').trim()
    const component = componentKind(word)
    if (component !== undefined) return componentOf(0, component, text)
    if (holders.has(word)) return { indent: 0, kind: undefined, heading: '' }
    return noteOf(0, noteKind(word) ?? 'NOTE', text)
  }
  const match = /^(!!!|\?\?\?\+?|===[!+]?) ([\w -]*)(?:"([^"]*)")?$/.exec(line)
  if (!match) return undefined
  const [, marker = '', words = '', title = ''] = match
  if (marker.startsWith('=')) return title === '' ? undefined : componentOf(4, 'tab', title)
  return words === '' ? undefined : noteOf(4, noteKind(words.split(' ', 1)[0] ?? '') ?? 'NOTE', title)
}

const hiddenDirectives = new Set(['toctree', 'tableofcontents', 'contents', 'index', 'meta'])

/** A directive of MyST that is written as a fence: the block that it is, or the fence of its code, `''` for none. */
function readDirective({ marker, length, info }: Fence): { block?: Admonition; code?: string } | undefined {
  const [, name = '', rest = ''] = /^\{([a-z][\w:-]{0,40})\}(.{0,300})$/.exec(info) ?? []
  const title = rest.trim()
  if (name === '' || title.startsWith('{')) return undefined
  const kind = noteKind(name) ?? (name === 'seealso' ? 'NOTE' : undefined)
  if (kind !== undefined) return { block: noteOf(0, kind, title) }
  const component = componentKind(name)
  if (component !== undefined) return { block: componentOf(0, component, title) }
  if (hiddenDirectives.has(name)) return { code: '' }
  if (/^(?:code|code-block|sourcecode|code-cell)$/.test(name))
    return { code: `${marker.repeat(length)}${title}` }
  return undefined
}

const holders = new Set(['raw', 'v-pre', 'columns', 'column', 'row'])

function componentOf(indent: number, kind: ComponentKind, title: string): Admonition {
  const marks = title === '' ? '' : ` data-title="${escapeAttribute(title)}"`
  return { indent, kind: undefined, heading: '', component: `<div data-component="${kind}"${marks}>` }
}

function noteOf(indent: number, kind: string, title: string): Admonition {
  return { indent, kind, heading: `[!${kind}] ${title}`.trimEnd() }
}

function columnsBefore(line: string): number {
  let columns = 0
  for (const sign of line) {
    if (sign !== ' ' && sign !== '\t') break
    columns += sign === '\t' ? 4 : 1
  }
  return columns
}

function withoutColumns(line: string, columns: number): string {
  let at = 0
  for (let taken = 0; taken < columns && (line[at] === ' ' || line[at] === '\t'); at++)
    taken += line[at] === '\t' ? 4 : 1
  return line.slice(at)
}
