import type { ActivePart } from './active-part.ts'
import { firstLine, shown, withLines } from './active-part.ts'
import { hostsOf } from './address.ts'
import { decodeEntities } from './decode-entities.ts'
import { directivePart } from './directives.ts'
import { imagePart } from './tag-parts.ts'
import { valueParts } from './value-parts.ts'

type Part = Omit<ActivePart, 'line'> & { at: number }

const opening = /^[ \t>*+\-\d.)]{0,200}(`{3,}|~{3,}(?!~(?!$))|:{3,}(?!:(?!$)))([^\n`]{1,2000})$/gm
const maxContent = 5000
/** `exec` runs at the build, `live` in the reader's browser. */
const running =
  /(?:^|[\s{])(?:exec\s*=\s*["']?(?!(?:0|false|off|no)?(?:["'\s}]|$))|(?:live|pyodide)(?=[\s={]|$))/i
const directive = /^\{\s*(=?[A-Za-z][\w:+-]{0,60})[\s,}]([^\n]*)$/
/** What these hold is drawn, and may lead and load as pages do. */
const drawn =
  /^(?:\{\s*\.)?(?:mermaid|math|katex|latex|plantuml|puml|uml|d2|dot|graphviz|kroki|vega|vega-lite|markmap|echarts|plotly)\b/i

/** Code blocks that are not only shown, and blocks of directives. */
export function fenceParts(text: string): Part[] {
  return [...text.matchAll(opening)].flatMap((match) => {
    const [whole, marker = '', info = ''] = match
    const words = info.trim()
    const start = match.index + whole.length
    const isRunning =
      // A title may say anything.
      running.test(words) && running.test(words.replaceAll(/(?<!exec\s?=\s?)"[^"]*"|'[^']*'/g, '""'))
    const [, name, rest = ''] = directive.exec(words) ?? []
    const isDrawn = drawn.test(words)
    if (!isRunning && name === undefined && !isDrawn) return []
    const stop = text.slice(start, start + maxContent).indexOf(`\n${marker}`)
    const content = text.slice(start, stop === -1 ? start + maxContent : start + stop)
    if (name !== undefined) {
      const address = rest.replace(/^\}/, '').trim()
      const hosts = /^(?:figure|image)$/.test(name) ? hostsOf(address) : []
      return [
        ...directivePart(name, address + content, match.index),
        ...hosts.map((host) => imagePart(host, match.index)),
      ]
    }
    if (isDrawn) return drawnParts(content, match.index)
    const what = `a code block that runs: ${shown(words)}`
    return [{ key: `fence ${words}\n${withLines(content)}`, what, search: firstLine(words), at: match.index }]
  })
}

/** Spans of code that are taken for HTML, or run: `` `<b>`{=html} ``, `` {eval}`x` ``. */
export function spanParts(text: string): Part[] {
  const spans = /`([^`\n]{1,2000})`\{=[\w-]{1,20}\}|\{(?:raw|eval|exec)[\w:-]{0,30}\}`([^`\n]{1,2000})`/g
  return [...text.matchAll(spans)].map((match) => ({
    key: `span ${withLines(match[0])}`,
    what: `code that is put into the page as it is, or runs: ${shown(match[0])}`,
    search: firstLine(match[0]),
    at: match.index,
  }))
}

function drawnParts(content: string, at: number): Part[] {
  const plain = decodeEntities(content)
  const parts = valueParts(plain, at, [])
  for (const [, name = '', address = ''] of plain.matchAll(
    /["']?(\w{1,30})["']?[ \t]*[:=][ \t]*["']([^"'\n]{1,2000})["']/g,
  ))
    if (/^(?:img|icon|image|src|url)$/i.test(name))
      parts.push(...hostsOf(address).map((host) => imagePart(host, at)))
  for (const [line] of plain.matchAll(
    /^[ \t]*!(?:include\w*|import|theme\b.{0,100}\bfrom)\b[^\n]{1,500}|["'\s([:](?:java|vb)script:[^\n]{0,500}|\$(?:load\w+|getenv)\s*\(/gim,
  )) {
    const what = `a drawing that leads or reads elsewhere: ${shown(line)}`
    parts.push({ key: `drawing ${withLines(line)}`, what, search: firstLine(line), at })
  }
  return parts
}
