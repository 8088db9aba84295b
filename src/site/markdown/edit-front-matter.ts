import { type Pair, isCollection, isMap, isScalar } from 'yaml'
import { isHostileYaml } from '../../lib/text/hostile-yaml.ts'
import { parseYaml } from '../../lib/text/yaml.ts'
import { ToolError } from '../../lib/tool-error.ts'
import { type FrontMatterBlock, findFrontMatter } from './front-matter.ts'
import { type Edit, endingAt } from '../text/text-file.ts'
import { type ScalarStyle, yamlScalar } from '../text/yaml-scalar.ts'
import { endOf, lineStart, nextLine, openYaml, pairOf, startOf, styleOf } from '../text/yaml-source.ts'

// Fields that are texts even when their value looks like a number or a boolean.
const texts = /^(?:title|description|summary|name|label|sidebarTitle|sidebar_label|slug|id|tagline|version)$/

/**
 * The edits that set one field of a page's front matter, or remove it when the value is undefined. Other lines, comments and
 * line ends stay; a value keeps the quotes that it had.
 * @throws ToolError `unreadable` for front matter that is TOML or not valid
 */
export function editFrontMatter(text: string, name: string, value: string | undefined): Edit[] {
  const block = findBlock(text)
  if (block === undefined) return value === undefined ? [] : [create(text, name, value)]
  const source = text.slice(block.start, block.end)
  const document = openYaml(source)
  const contents = document?.contents
  if (
    document === undefined ||
    !(contents === null || contents === undefined || isMap(contents)) ||
    (isMap(contents) && contents.flow === true)
  ) {
    throw new ToolError(
      'unreadable',
      'The front matter is not valid YAML with one field a line: repair it with edit_file',
    )
  }
  const pair = pairOf(contents, name)
  const items = isMap(contents) ? contents.items : []
  const at = (edit: Edit): Edit => ({ ...edit, start: edit.start + block.start, end: edit.end + block.start })
  if (pair === undefined) {
    return value === undefined ? [] : [at(insert(source, items, name, value, endingAt(text, 0)))]
  }
  if (value === undefined) return [at({ ...linesOf(source, pair, items), text: '' })]
  return [at(replace(source, pair, name, value))]
}

function findBlock(text: string): FrontMatterBlock | undefined {
  const block = findFrontMatter(text)
  if (block?.language === 'toml')
    throw new ToolError('unreadable', 'The front matter is TOML: change it with edit_file')
  return block
}

function create(text: string, name: string, value: string): Edit {
  const end = endingAt(text, 0)
  const start = text.startsWith('\uFEFF') ? 1 : 0
  const rest = text.slice(start)
  const gap = rest === '' || /^\r?\n/.test(rest) ? '' : end
  return { start, end: start, text: `---${end}${name}: ${write(name, value, 'plain')}${end}---${end}${gap}` }
}

/** A title goes first, a description behind the title, everything else last. */
function insert(source: string, items: readonly Pair[], name: string, value: string, end: string): Edit {
  const line = `${name}: ${write(name, value, usualStyle(items))}`
  const [first] = items
  const title = items.find((pair) => isScalar(pair.key) && pair.key.value === 'title')
  const before =
    name === 'title' ? undefined : name === 'description' ? (title ?? items.at(-1)) : items.at(-1)
  const at =
    before === undefined
      ? first === undefined
        ? 0
        : lineStart(source, startOf(first))
      : linesOf(source, before, items).end
  const complete = at === 0 || source[at - 1] === '\n'
  return { start: at, end: at, text: complete ? `${line}${end}` : `${end}${line}` }
}

/** The whole lines of a field, up to the comments and blank lines before the next field. */
function linesOf(source: string, pair: Pair, items: readonly Pair[]): { start: number; end: number } {
  const start = lineStart(source, startOf(pair))
  const end = valueEnd(source, pair)
  const next = items[items.indexOf(pair) + 1]
  const limit = next === undefined ? source.length : lineStart(source, startOf(next))
  return {
    start,
    end: Math.min(limit, source[end - 1] === '\n' && end > start ? end : nextLine(source, end)),
  }
}

// A block scalar ends at the start of the line after it.
function valueEnd(source: string, pair: Pair): number {
  const end = Math.max(endOf(pair), startOf(pair))
  const isBlock =
    isScalar(pair.value) && (pair.value.type === 'BLOCK_LITERAL' || pair.value.type === 'BLOCK_FOLDED')
  if (!isBlock) return end
  const lines = source.slice(0, end).replace(/(?<![ \t\n]|\r(?=\n))(?:[ \t]*\r?\n)+$/, '')
  return nextLine(source, lines.length)
}

function replace(source: string, pair: Pair, name: string, value: string): Edit {
  const colon = source.indexOf(':', endOf(pair.key)) + 1
  const current = pair.value
  const style = isScalar(current) ? styleOf(current) : 'plain'
  const wasText = isScalar(current) && typeof current.value === 'string'
  const written = isCollection(current) && isFlowList(value) ? value : write(name, value, style, wasText)
  const end = valueEnd(source, pair)
  const isBlock = end > colon && source[end - 1] === '\n'
  const stop = isBlock ? end - (source[end - 2] === '\r' ? 2 : 1) : Math.max(end, colon)
  const space = /^[ \t]+(?=[^\s])/.exec(source.slice(colon, stop))?.[0] ?? ' '
  return { start: colon, end: stop, text: `${space}${written}` }
}

function write(name: string, value: string, style: ScalarStyle, wasText = false): string {
  const isLiteral = /^(?:true|false|-?\d{1,15}(?:\.\d{1,10})?)$/.test(value)
  if (isLiteral && !wasText && !texts.test(name)) return value
  if (!texts.test(name) && !wasText && isFlowList(value)) return value
  return yamlScalar(value, style)
}

function isFlowList(value: string): boolean {
  // Names for values and what refers to them are text here.
  if (!/^\[[^\n]*\]$/.test(value) || /[[,]\s*[&*]/.test(value) || isHostileYaml(value)) return false
  try {
    return Array.isArray(parseYaml(value, { lenient: true }))
  } catch {
    return false
  }
}

function usualStyle(items: readonly Pair[]): ScalarStyle {
  const styles = items.flatMap(({ value }) =>
    isScalar(value) && typeof value.value === 'string' ? styleOf(value) : [],
  )
  const quoted = styles.filter((style) => style !== 'plain')
  return quoted.length * 2 > styles.length ? (quoted[0] ?? 'plain') : 'plain'
}
