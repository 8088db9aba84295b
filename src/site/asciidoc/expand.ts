import type { ReadFile } from '../files.ts'
import type { PageLine } from '../pages/page.ts'
import { resolvePath, folderOf } from '../text/paths.ts'
import { type Attributes, attributesFor, listOf } from './attributes.ts'
import { partOf } from './include-part.ts'
import type { AsciidocSettings, Family } from './settings.ts'

/** A line of a page, and by how much the levels of its headings are greater than they are written. */
export interface ExpandedLine extends PageLine {
  offset: number
}

const maxDepth = 20
const maxIncludes = 500
const maxCharacters = 4_000_000
const opensCode = /^(?:-{4,}|\.{4,}|\+{4,}|`{3,})(?=\w{0,20}$)/

/** A page with the texts of the files that it includes, without what its conditions leave out. */
export async function expandLines(
  { path, settings }: { path: string; settings: AsciidocSettings },
  source: string,
  read: ReadFile,
): Promise<{ lines: ExpandedLine[]; included: Set<string> }> {
  const attributes = attributesFor(settings, path)
  const included = new Set<string>()
  const lines: ExpandedLine[] = []
  let [count, length] = [0, 0]
  /** The sign that ends a block whose lines are as they are, and whether it is a comment. */
  let open: string | undefined
  const conditions: boolean[] = []

  const fileOf = (from: string, target: string): string | undefined => {
    if (/^[a-z][a-z\d+.-]*:\/\//i.test(target)) return undefined
    const [, family] = /(?:^|:)(partial|example|page|attachment|image)\$/.exec(target) ?? []
    if (!settings.isPlain && family !== undefined) return settings.fileOf(path, target, family as Family)
    return resolvePath(folderOf(from), target)
  }
  const include = async (line: ExpandedLine, within: readonly string[]): Promise<void> => {
    const [, target = '', options = ''] =
      /^include::([^[\]]{1,1000})\[(.*)\]$/.exec(line.text.trimEnd()) ?? []
    const file = fileOf(line.path, attributes.fill(target).trim())
    if (file === undefined || within.includes(file) || within.length >= maxDepth) return
    if (count++ >= maxIncludes || length >= maxCharacters) return
    included.add(file)
    const text = await read(file)
    if (text === undefined) return
    const { named } = listOf(attributes.fill(options))
    const level = named.get('leveloffset')
    const offset =
      level === undefined
        ? line.offset
        : /^[+-]/.test(level)
          ? line.offset + (Number(level) || 0)
          : Number(level) || 0
    await take(
      partOf(numbered(file, text), named).map((one) => ({ ...one, offset })),
      [...within, file],
    )
  }
  const take = async (some: readonly ExpandedLine[], within: readonly string[]): Promise<void> => {
    const outside = conditions.length
    for (const line of some) {
      const text = line.text.trimEnd()
      const isComment = open?.startsWith('//') === true
      if (!isComment && /^(?:if(?:n?def|eval)|endif)::/.test(text) && text.endsWith(']')) {
        const content = decide(text, attributes, conditions)
        if (content !== undefined && !conditions.includes(false)) lines.push({ ...line, text: content })
        continue
      }
      if (conditions.includes(false)) continue
      if (!isComment && text.startsWith('include::') && text.endsWith(']')) {
        await include(line, within)
        continue
      }
      length += text.length + 1
      if (length > maxCharacters) break
      if (open !== undefined) {
        if (text === open) open = undefined
      } else if (/^\/{4,}$/.test(text)) open = text
      else if (opensCode.test(text)) open = opensCode.exec(text)?.[0]
      else attributes.read(text)
      lines.push({ ...line, text: /^\\(?:include|ifn?def|ifeval|endif)::/.test(text) ? text.slice(1) : text })
    }
    conditions.length = Math.min(conditions.length, outside)
  }
  await take(
    numbered(path, source.slice(0, maxCharacters)).map((line) => ({ ...line, offset: 0 })),
    [path],
  )
  return { lines, included }
}

/** Follows a condition. The text that a condition of one line shows, if it does. */
function decide(text: string, attributes: Attributes, conditions: boolean[]): string | undefined {
  const [, kind = '', target = '', content = ''] = /^(\w+)::([^[]{0,500})\[(.*)\]$/.exec(text) ?? []
  if (kind === 'endif') {
    conditions.pop()
    return undefined
  }
  if (kind === 'ifeval') {
    conditions.push(compares(content, attributes))
    return undefined
  }
  const isSet = (name: string) => attributes.get(name.trim().toLowerCase()) !== undefined
  const names = target.split(/[,+]/)
  const isAny = target.includes(',')
  const matches =
    kind === 'ifdef'
      ? isAny
        ? names.some(isSet)
        : names.every(isSet)
      : isAny
        ? !names.every(isSet)
        : !names.some(isSet)
  if (content !== '') return matches ? content : undefined
  conditions.push(matches)
  return undefined
}

/** `"{name}" == "value"` */
function compares(content: string, attributes: Attributes): boolean {
  const [, left = '', sign = '', right = ''] =
    /^([^=<>!]{0,500})(==|!=|<=|>=|<|>)(.{0,500})$/.exec(content) ?? []
  const value = (side: string): string | number => {
    const text = attributes.fill(side.trim())
    const [, quoted] = /^["'](.*)["']$/.exec(text) ?? []
    return quoted ?? (text !== '' && Number.isFinite(Number(text)) ? Number(text) : text)
  }
  const [one, other] = [value(left), value(right)]
  if (sign === '==') return one === other
  if (sign === '!=') return one !== other
  if (typeof one !== typeof other) return false
  return sign === '<'
    ? one < other
    : sign === '>'
      ? one > other
      : sign === '<='
        ? one <= other
        : sign === '>=' && one >= other
}

function numbered(path: string, source: string): PageLine[] {
  return source
    .replace(/^\uFEFF/, '')
    .replaceAll(/\r\n?/g, '\n')
    .split('\n')
    .map((text, index) => ({ text: text.slice(0, 100_000), path, line: index + 1 }))
}
