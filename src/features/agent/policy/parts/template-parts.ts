import { parseValue } from '../../../../site/code-config/parse-script.ts'
import { readEntities } from '../addresses.ts'
import { expressionParts } from './element-parts.ts'
import { blanked, hostParts, lineAt, type Part, partOf, shown } from './part.ts'
import { hasPlainArguments, runningName } from './plain-arguments.ts'
import type { Reading } from './reading.ts'
import { isNode, siteAddress } from './text-parts.ts'

type Range = [start: number, end: number]

const maxParts = 500

/** Calls of a template language that runs over the page before it is Markdown. Ones that only differ in plain arguments are the same. */
export function templateParts(
  source: string,
  reading: Reading,
  { code: shownCode, comments }: Record<'code' | 'comments', Range[]>,
): Part[] {
  const { dialect } = reading
  const parts: Part[] = []
  if (dialect.vue) {
    const text = withoutRanges(source, [...shownCode, ...comments])
    for (const one of new Set([text, readEntities(text).replaceAll(/\\([{}])/g, '$1')]))
      parts.push(...mustacheParts(one, reading))
  }
  if (dialect.templates === 'none') return parts
  const text = dialect.templates === 'live' ? withoutRanges(source, shownCode) : source
  const isInCode = (at: number) => shownCode.some(([start, end]) => at >= start && at < end)
  const isShown = rawTest(text)
  let line = 1
  let counted = 0
  for (const match of text.matchAll(
    /\{\{[<%]?([^{}]{0,2000})|\{%-?([^%]{0,2000})|\{#|#\}|<[%#][^%]{0,2000}|\{::/g,
  )) {
    for (
      let end = text.indexOf('\n', counted);
      end !== -1 && end < match.index;
      end = text.indexOf('\n', counted)
    ) {
      line++
      counted = end + 1
    }
    const [whole, mustache, statement] = match
    if (dialect.templates === 'shortcodes' && !/^\{\{[<%]/.test(whole) && isInCode(match.index)) continue
    if (
      isShown(match.index) ||
      (whole === '{#' && /^\{#[\p{L}\p{N}_.:-]+\}/u.test(text.slice(match.index, match.index + 200)))
    )
      continue
    // A shortcode that is shown.
    if (/^\{\{[<%]\s{0,20}\/\*[^{}]*\*\/\s{0,20}[>%]$/.test(whole)) continue
    const inner = (mustache ?? statement ?? whole).replace(/[%>-]$/, '')
    const name = siteAddress.exec(`${whole}}}`)?.[1] ?? nameOfCall(inner)
    if (name !== undefined && reading.ships('call', name)) {
      parts.push(...hostsInCall(inner, line))
      continue
    }
    const what = `a call of the site's templates that no page makes: ${shown(whole)}`
    const plain = partOf('template', what, whole, line)
    // A shortcode of the repository that no page calls.
    const isOwn = ['shortcodes', '_shortcodes'].some(
      (folder) => reading.fileOf(`layouts/${folder}/${name}.html`) !== undefined,
    )
    parts.push({
      ...plain,
      ...(name !== undefined && { key: `template ${name}`, words: name }),
      ...(name !== undefined && isOwn && !takesIn(name) && { degree: 'look' as const }),
    })
    parts.push(...hostsInCall(inner, line))
  }
  return parts
}

/** The name of a call whose arguments are plain. */
function nameOfCall(inner: string): string | undefined {
  const call = inner
    .trim()
    .replace(/\/[%>-]?$/, '')
    .trim()
  const [, name, list = ''] =
    /^(?:\/\s*)?(#?[\w.:-]{1,100}(?:\/[\w:-]{1,50}){0,5})(?:\s([^]*))?$/.exec(call) ?? []
  if (name !== undefined) return !name.includes('__') && hasPlainArguments(list) ? name : undefined
  // A macro of the site that no name of shows that it reads or runs what it is given.
  const [, macro, given = ''] = /^([a-z]\w{0,60})\s?\(([^()]*)\)$/i.exec(call) ?? []
  if (macro === undefined || macro.includes('__') || takesIn(macro)) return undefined
  const isPlain = !/\.\.|["']\//.test(given) && hasPlainArguments(given.replaceAll(/,(?=\s*[\w"'])/g, ' '))
  return isPlain ? `${macro}()` : undefined
}

/** Whether a name says that it runs or reads what it is given. */
function takesIn(name: string): boolean {
  return runningName.test(name) || /read|file|open|load|get|env|secret|config/i.test(name)
}

function hostsInCall(inner: string, line: number): Part[] {
  return [...inner.matchAll(/(?:([\w-]{1,50})[ \t]*[=:][ \t]*)?["'`]([^"'`\n]{1,2000})["'`]/g)].flatMap(
    ([, field = '', value = '']) =>
      /^(?:href|link|relref|ref|alt|title|caption|text|attrlink)$/i.test(field) ? [] : hostParts(value, line),
  )
}

/** Expressions between `{{` and `}}` in a page that is a Vue template. */
function mustacheParts(text: string, reading: Reading): Part[] {
  const parts: Part[] = []
  for (let at = text.indexOf('{{'); at !== -1;) {
    const close = text.indexOf('}}', at + 2)
    const source = text.slice(at, close === -1 ? at + 200 : close + 2)
    const value = close === -1 ? undefined : parseValue(source.slice(2, -2).trim())
    parts.push(
      ...expressionParts(isNode(value) ? value : 'none', {
        source,
        line: lineAt(text, at),
        field: '',
        reading,
      }),
    )
    if (close === -1 || parts.length > maxParts) break
    at = text.indexOf('{{', close + 2)
  }
  return parts
}

/** Whether an offset lies between `{% raw %}` and its end; for offsets that grow. In comments neither would count. */
function rawTest(text: string): (at: number) => boolean {
  const end = /\{%-?\s{0,20}endraw\b/g
  const ranges: number[] = []
  if (!text.includes('{#'))
    for (const { index } of text.matchAll(/\{%-?\s{0,20}raw\s{0,20}-?%\}/g)) {
      if (index < (ranges.at(-1) ?? 0)) continue
      end.lastIndex = index
      const stop = end.exec(text)?.index
      if (stop === undefined) break
      ranges.push(index + 1, stop)
    }
  let next = 0
  return (at) => {
    while ((ranges[next] ?? Infinity) <= at) next++
    return next % 2 === 1
  }
}

function withoutRanges(text: string, ranges: readonly (readonly [number, number])[]): string {
  const pieces: string[] = []
  let at = 0
  for (const [start, end] of ranges.toSorted(([one], [other]) => one - other)) {
    if (start < at) continue
    pieces.push(text.slice(at, start), blanked(text.slice(start, end)))
    at = end
  }
  return pieces.join('') + text.slice(at)
}
