import { type Block, type Cell, type Directive, type Item, type Lines } from './blocks.ts'
import { holds, isHtml } from './conditions.ts'
import { kindOf } from './directive-kinds.ts'
import { joined, textIn } from './document.ts'
import { atStart, code, escaped, link } from '../markdown/write-text.ts'
import { blankAt, fence, type OutLine, prefixed, writeTable } from '../markdown/write-blocks.ts'
import { type PrintContext, printInline, printText } from './print-inline.ts'
import { readInline } from './inline.ts'
import { cellsOf } from './table-directives.ts'
import { toctreeEntries } from './toctree-entries.ts'

/** A page in reStructuredText as Markdown. */
export function printDocument(context: PrintContext): OutLine[] {
  return printBlocks(context.document.blocks, context)
}

function printBlocks(blocks: readonly Block[], context: PrintContext): OutLine[] {
  const out: OutLine[] = []
  for (const block of blocks) {
    const own = printBlock(block, context)
    if (own.length === 0) continue
    if (out.length > 0) out.push({ text: '', index: own[0]?.index ?? 0 })
    // One by one: a page may have more lines than a call has arguments.
    for (const line of own) out.push(line)
  }
  return out
}

function printBlock(block: Block, context: PrintContext): OutLine[] {
  switch (block.kind) {
    case 'heading': {
      const [own, ...others] = context.document.idsOf(block)
      const text = printInline([block.text], context).replaceAll('\n', ' ')
      const { index } = block.text
      const id = own === undefined ? '' : ` {#${own}}`
      const title = { text: `${'#'.repeat(Math.min(6, block.level))} ${text}${id}`, index }
      if (others.length === 0) return [title]
      return [{ text: others.map((other) => `{#${other}}`).join(' '), index }, { text: '', index }, title]
    }
    case 'paragraph':
      return withIds(block, printParagraph(block.text, context), context)
    case 'list': {
      let number = typeof block.marker === 'number' ? block.marker : 0
      const out = block.items.flatMap((item, at) => {
        const mark = block.marker === '-' ? '- ' : `${number++}. `
        const body = printBlocks(item.body, context)
        const isLoose = at > 0 && (body.length > 1 || item.body.length > 1)
        return [...(isLoose ? [blankAt(body)] : []), ...prefixed(body, mark, ' '.repeat(mark.length))]
      })
      return withIds(block, out, context)
    }
    case 'definitions':
      return withIds(
        block,
        block.items.flatMap((item) => printItem(item, printTerm(item.head, context), context)),
        context,
      )
    case 'fields':
      return printFields(block.items, context)
    case 'options':
      return block.items.flatMap((item) => printItem(item, code(joined(item.head)), context))
    case 'quote':
      return prefixed(printBlocks(block.body, context), '> ', '> ')
    case 'literal':
      return withIds(block, fence(block.text, block.language ?? ''), context)
    case 'lines':
      return block.text.map((line) => ({
        text: `${atStart(printText(line.text.replace(/^\|? ?/, '').trimStart(), context))}  `,
        index: line.index,
      }))
    case 'table':
      return withIds(block, printTable(block.rows, block.head, block.start.index, context), context)
    case 'footnote':
    case 'citation': {
      const body = printBlocks(block.body, context)
      const label = block.label.replace(/^#$/, '').replace('*', '')
      return label === '' ? body : prefixed(body, `[^${label}]: `, '    ')
    }
    case 'directive':
      return block.substitution === undefined ? printDirective(block, context) : []
    default:
      return block.kind === 'rule' ? [{ text: '---', index: block.line.index }] : []
  }
}

function printParagraph(lines: Lines, context: PrintContext): OutLine[] {
  const first = lines[0]?.index ?? 0
  return printInline(lines, context)
    .split('\n')
    .map((text, at) => ({ text: atStart(text.trim()), index: lines[at]?.index ?? first }))
    .filter(({ text }) => text !== '')
}

/** The ids of a block stand above it, in marks that nothing shows. */
function withIds(block: Block, out: OutLine[], { document }: PrintContext): OutLine[] {
  const ids = document.idsOf(block)
  const [first] = out
  if (ids.length === 0) return out
  const text = ids.map((id) => `{#${id}}`).join(' ')
  return [{ text, index: first?.index ?? 0 }, ...(first === undefined ? [] : [blankAt(out)]), ...out]
}

/** A term or the like in bold letters, with what is said of it below. */
function printItem({ head, body }: Item, title: string, context: PrintContext): OutLine[] {
  const index = head[0]?.index ?? 0
  const inner = printBlocks(body, context)
  return prefixed(
    [{ text: title, index }, ...(inner.length > 0 ? [blankAt(inner), ...inner] : [])],
    '- ',
    '  ',
  )
}

function printTerm(head: Lines, context: PrintContext): string {
  return strong(printText(joined(head).replaceAll(' : ', ' '), context))
}

function strong(markdown: string): string {
  const text = markdown.replaceAll('\n', ' ').trim()
  if (text === '') return ''
  return text.includes('**') ? text : `**${text}**`
}

const fieldNames: ReadonlyMap<string, string> = new Map(
  Object.entries({
    param: '',
    parameter: '',
    arg: '',
    argument: '',
    keyword: '',
    kwarg: '',
    key: '',
    raises: 'Raises',
    raise: 'Raises',
    except: 'Raises',
    exception: 'Raises',
    returns: 'Returns',
    return: 'Returns',
    rtype: 'Return type',
    type: 'Type',
    var: '',
    ivar: '',
    cvar: '',
  }),
)
/** Fields that Sphinx keeps for itself. */
const silentFields = /^(?:orphan|nocomments|tocdepth|nosearch|no-index|noindex)$/

function printFields(items: readonly Item[], context: PrintContext): OutLine[] {
  return items.flatMap((item) => {
    const name = joined(item.head)
    if (silentFields.test(name)) return []
    const [kind = '', ...rest] = name.split(/\s+/)
    const known = fieldNames.get(kind)
    const own = rest.at(-1) ?? ''
    const title =
      known === undefined
        ? `**${escaped(name)}**`
        : own === ''
          ? `**${known}**`
          : `${known === '' ? '' : `**${known}** `}${code(own)}`
    return printItem(item, title, context)
  })
}

function printTable(
  rows: readonly (readonly Cell[])[],
  head: number,
  index: number,
  context: PrintContext,
): OutLine[] {
  const texts = rows.map((row) => ({
    index: row[0]?.lines[0]?.index ?? index,
    cells: row.map(({ body }) =>
      printBlocks(body, context)
        .map(({ text }) => text.trim())
        .filter((text) => text !== '' && !/^`{3,}\w*$/.test(text))
        .join(' ')
        .replace(/(?<!\\)\|/g, '\\|'),
    ),
  }))
  return writeTable(texts, head > 0, index)
}

function printDirective(block: Directive, context: PrintContext): OutLine[] {
  const kind = kindOf(block.name)
  const index = block.start.index
  const { document } = context
  const argument = joined(block.argument)
  const body = () => printBlocks(document.bodyOf(block), context)
  const one = (text: string): OutLine[] => (text === '' ? [] : [{ text, index }])
  const parts = (...all: OutLine[][]): OutLine[] =>
    withIds(
      block,
      all
        .filter((some) => some.length > 0)
        .flatMap((some, at) => (at === 0 ? some : [blankAt(some), ...some])),
      context,
    )
  switch (kind?.shows) {
    case 'note': {
      const title = kind.title === undefined ? printText(argument, context) : kind.title
      const inner = body()
      const head = `[!${markOf(block, kind.mark)}]${title === '' ? '' : ` ${title.replaceAll('\n', ' ')}`}`
      return parts(prefixed([{ text: head, index }, ...inner], '> ', '> '))
    }
    case 'change': {
      const [version = '', ...more] = argument.split(/\s+/)
      const words = printText(more.join(' '), context)
      const title = `*${kind.title ?? ''} ${escaped(version)}${words === '' && block.content.length === 0 ? '.' : ':'}*${words === '' ? '' : ` ${words}`}`
      const inner = body()
      const [first, ...rest] = inner
      const joins = words === '' && first !== undefined && document.bodyOf(block)[0]?.kind === 'paragraph'
      return joins ? parts([{ text: `${title} ${first.text}`, index }, ...rest]) : parts(one(title), inner)
    }
    case 'code': {
      const caption = block.options.get('caption')?.value
      const language = /^(?:parsed-literal|productionlist)$/.test(block.name)
        ? ''
        : /^(?:doctest|ipython3)$/.test(block.name)
          ? 'pycon'
          : block.name.startsWith('test')
            ? 'python'
            : block.name === 'prompt'
              ? (argument.split(/\s+/)[0] ?? '')
              : argument.trim()
      const lines = block.content.length > 0 ? block.content : []
      return lines.length === 0
        ? []
        : parts(fence(lines, language, caption === undefined ? undefined : printText(caption, context)))
    }
    case 'image': {
      const alt = block.options.get('alt')?.value.replaceAll('\n', ' ') ?? ''
      const target = block.options.get('target')?.value
      const image = `![${escaped(alt)}](${argument.replaceAll(/[\s()<>]/g, '')})`
      const isLink = target !== undefined && /^https?:/.test(target)
      return parts(one(isLink ? link(image, target) : image), body())
    }
    case 'table':
      return parts(one(strong(printText(argument, context))), tableOf(block, context))
    case 'titled':
      return parts(one(strong(printText(argument, context))), body())
    case 'rubric':
      return parts(one(strong(printText(argument, context))))
    case 'math':
      return parts(fence([...block.argument, ...block.content], 'math'))
    case 'toctree':
      return printToctree(block, context)
    case 'glossary':
      return parts(printGlossary(block, context))
    case 'only':
      return (block.name === 'only' ? isHtml(argument) : holds(argument, context.settings.config) !== false)
        ? parts(body())
        : []
    case 'object':
      return parts(
        block.argument.map((line) => ({
          text: `${code(line.text.replace(/\\$/, ''))}  `,
          index: line.index,
        })),
        body(),
      )
    case 'made':
      return block.name.startsWith('auto') && argument !== '' ? parts(one(code(argument)), body()) : []
    case 'nothing':
      return parts()
    case 'include':
      return []
    default: {
      // What extensions bring mostly holds text, and tells what it is in its argument.
      const isTitle = kind === undefined && /\s/.test(argument.trim()) && !/[=/\\{}<>]/.test(argument)
      return parts(isTitle ? one(strong(printText(argument, context))) : [], body())
    }
  }
}

function markOf(block: Directive, mark: string | undefined): string {
  const [own = ''] = block.options.get('class')?.value.split(/\s+/) ?? []
  const named = kindOf(own)?.mark
  return block.name === 'admonition' ? (named ?? mark ?? 'NOTE') : (mark ?? 'NOTE')
}

function tableOf(block: Directive, context: PrintContext): OutLine[] {
  const cells = cellsOf(block, context.document.bodyOf(block))
  if (cells === undefined) return printBlocks(context.document.bodyOf(block), context)
  return printTable(cells.rows, cells.head, block.start.index, context)
}

function printGlossary(block: Directive, context: PrintContext): OutLine[] {
  const ids = new Map(context.document.terms)
  return context.document.bodyOf(block).flatMap((one) =>
    one.kind === 'definitions'
      ? one.items.flatMap((item) => {
          const [name = ''] = joined(item.head).split(' : ')
          const id = ids.get(textIn(readInline(name)))
          return printItem(
            item,
            `${id === undefined ? '' : `{#${id}} `}${strong(printText(name, context))}`,
            context,
          )
        })
      : one.kind === 'paragraph'
        ? one.text.map((line): OutLine => ({
            text: `- ${strong(printText(line.text, context))}`,
            index: line.index,
          }))
        : printBlock(one, context),
  )
}

/** The titles of the pages that are listed, as links. */
function printToctree(block: Directive, context: PrintContext): OutLine[] {
  if (block.options.has('hidden')) return []
  const caption = block.options.get('caption')?.value ?? ''
  const entries = toctreeEntries(block).flatMap(({ name, label, line }): OutLine[] => {
    const isAddress = /^https?:/.test(name)
    const path = isAddress ? undefined : context.documentOf(name)
    const href = isAddress ? name : path === undefined ? undefined : context.urlOf(path)
    const text = label ?? (path === undefined ? undefined : context.references.titleOf(path))
    return text === undefined ? [] : [{ text: `- ${link(escaped(text), href ?? '')}`, index: line.index }]
  })
  if (entries.length === 0) return []
  const head =
    caption === '' ? [] : [{ text: `**${escaped(caption)}**`, index: block.start.index }, blankAt(entries)]
  return [...head, ...entries]
}
