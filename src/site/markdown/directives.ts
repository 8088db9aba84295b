import { closesFence, type Fence, readFence } from './fence.ts'
import { type Line, readLine } from './line.ts'

/** Directives whose text is code. */
const code =
  /^(?:code|code-block|code-cell|sourcecode|literalinclude|parsed-literal|eval-rst|raw|math|mermaid|graphviz|digraph|plantuml|doctest|testcode|testoutput|prompt|program-output|jupyter-execute|highlight)$/
/** Directives that show nothing of what they hold. */
const silent =
  /^(?:toctree|include|contents|tableofcontents|bibliography|index|meta|role|currentmodule|module|auto[\w:-]*|autodoc2[\w:-]*|click|typer|sphinx_argparse_cli|sectionauthor|codeauthor|ipython|thebe-button|tocdepth|default-role|video|iframe)$/
/** Directives whose argument names a file. */
const named = /^(?:figure|image|csv-table-file|download)$/

interface Open {
  fence: Fence
  kind: 'prose' | 'code' | 'silent'
  /** Whether its options may still follow. */
  head: 'start' | 'block' | 'done'
}

/**
 * A page's text in which the directives of MyST are what they show: options are gone, code is a fence, Markdown in them
 * stands between lines of colons, and what only builds something is gone.
 */
export function plainDirectives(text: string): string {
  if (!/(?:`{3}|~{3}|:{3})\s{0,3}\{/.test(text)) return text
  const out: string[] = []
  const open: Open[] = []
  let plain: Fence | undefined
  for (const raw of text.split('\n')) {
    const line = readLine(raw)
    // A fence ends with the first line that can end it: what is open within it is over as well.
    const ended = open.findIndex(({ fence }) => closesFence(line, fence))
    if (ended !== -1) {
      if (plain !== undefined) out.push(plain.marker.repeat(plain.length))
      plain = undefined
      for (const one of open.splice(ended).toReversed())
        out.push(one.kind === 'silent' ? '' : lineOf(raw, line, one, ''))
      continue
    }
    const inner = open.at(-1)
    if (plain !== undefined) {
      if (closesFence(line, plain)) plain = undefined
      out.push(raw)
      continue
    }
    if (inner !== undefined && inner.kind !== 'prose') {
      out.push(inner.kind === 'silent' || isOption(inner, line.text) ? '' : raw)
      continue
    }
    if (inner !== undefined && isOption(inner, line.text)) {
      out.push('')
      continue
    }
    const fence = readDirective(line)
    if (fence === undefined) {
      plain = readFence(line)
      out.push(raw)
      continue
    }
    const [, name = '', argument = ''] = /^\{([\w:-]{1,60})\}\s*([^]*)$/.exec(fence.info) ?? []
    const kind = code.test(name) ? 'code' : silent.test(name) ? 'silent' : 'prose'
    const opened: Open = { fence, kind, head: 'start' }
    open.push(opened)
    const words = named.test(name) ? '' : argument
    out.push(
      kind === 'silent'
        ? ''
        : lineOf(raw, line, opened, kind === 'code' ? argument : `{${name}} ${words}`.trim()),
    )
  }
  return out.join('\n')
}

/** The line that opens or closes a directive, as the marks of what it is. */
function lineOf(raw: string, { text }: Line, { fence, kind }: Open, info: string): string {
  const mark = kind === 'code' ? (fence.marker === ':' ? '`' : fence.marker) : ':'
  return `${raw.slice(0, raw.length - raw.trimStart().length)}${text.startsWith('>') ? '> ' : ''}${mark.repeat(fence.length)}${info}`
}

function isOption(open: Open, text: string): boolean {
  if (open.head === 'done') return false
  if (text === '---') {
    open.head = open.head === 'block' ? 'done' : 'block'
    return true
  }
  if (open.head === 'block' || /^:[\w-]{1,60}:(?:\s|$)/.test(text)) return true
  open.head = 'done'
  return false
}

/** A fence of backticks, tildes or colons that opens a directive. */
function readDirective(line: Line): Fence | undefined {
  const { text, indent, quotes } = line
  const length = /^:{3,}/.exec(text)?.[0].length
  if (length === undefined) {
    const fence = readFence(line)
    return fence?.info.startsWith('{') === true && /^\{[\w:-]{1,60}\}/.test(fence.info) ? fence : undefined
  }
  const info = text.slice(length).trim()
  return /^\{[\w:-]{1,60}\}/.test(info)
    ? { marker: ':', length, info, indent, quotes, mdx: false }
    : undefined
}
