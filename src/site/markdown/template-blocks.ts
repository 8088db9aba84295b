import { createFences } from './fence.ts'
import { readLine } from './line.ts'

/** Longer than any fence in the code that it is put around. */
const fence = '`'.repeat(20)
const maxTag = 2000
const mostLines = 20
const shownNames = /^(?:title|header|heading|caption|summary|label|text|content|description|alt)$/

/** What has been opened, and what ends it. */
type Open = 'comment' | 'code' | 'raw' | undefined

/** A page's text without the blocks of Liquid: comments are gone, highlighted code is a fence, raw text stands as it is. */
export function withoutLiquid(text: string): string {
  if (!text.includes('{%')) return text
  const out: string[] = []
  let open: Open
  for (const line of text.split('\n')) {
    let rest = line
    let kept = ''
    for (let tags = 0; tags < 50; tags++) {
      const tag = nextTag(rest)
      const ends = tag !== undefined && open !== undefined && tag.name === endNames[open]
      if (tag === undefined || (open !== undefined && !ends)) {
        if (tag === undefined || open === 'raw' || open === 'code') {
          if (open !== 'comment') kept += tag === undefined ? rest : rest.slice(0, tag.end)
          rest = tag === undefined ? '' : rest.slice(tag.end)
        } else rest = rest.slice(tag.end)
        if (tag === undefined) break
        continue
      }
      if (open !== 'comment') kept += rest.slice(0, tag.start)
      rest = rest.slice(tag.end)
      if (ends) {
        if (open === 'code') kept += kept.trim() === '' ? fence : `\n${fence}`
        open = undefined
      } else if (tag.name === 'comment') open = 'comment'
      else if (tag.name === 'raw') open = 'raw'
      else if (tag.name === 'highlight' && kept.trim() === '') {
        kept += `${fence}${/^\s*([\w+#-]*)/.exec(tag.rest)?.[1] ?? ''}${rest.trim() === '' ? '' : '\n'}`
        open = 'code'
      } else if (tag.name.startsWith('include')) kept += shownIn(tag.rest)
      else kept += tag.source
    }
    out.push(kept)
  }
  return out.join('\n')
}

const endNames = { comment: 'endcomment', code: 'endhighlight', raw: 'endraw' } as const

function nextTag(
  text: string,
): { start: number; end: number; name: string; rest: string; source: string } | undefined {
  for (let from = 0, close = text.indexOf('%}'); close !== -1; close = text.indexOf('%}', from)) {
    // Tags are not nested: the one that is closed is the last one that was opened.
    const start = from + text.slice(from, close).lastIndexOf('{%')
    if (start >= from && close - start <= maxTag) {
      const source = text.slice(start, close + 2)
      const [, name = '', rest = ''] = /^\{%-?\s*(\w+)([^]*?)-?%\}$/.exec(source) ?? []
      if (name !== '') return { start, end: close + 2, name, rest, source }
    }
    from = close + 2
  }
  return undefined
}

/**
 * A page's text without the shortcodes of Hugo: their comments are gone, highlighted code is a fence, and of all others what
 * their arguments show is left.
 */
export function withoutShortcodes(text: string): string {
  if (!text.includes('{{')) return text
  const fences = createFences()
  const out: string[] = []
  const lines = text.split('\n')
  for (let at = 0; at < lines.length; at++) {
    let line = lines[at] ?? ''
    if (fences.holds(readLine(line))) {
      out.push(line)
      continue
    }
    // A call may be written over several lines.
    for (let more = 1; more < mostLines && isOpenCall(line) && at + 1 < lines.length; more++)
      line += ` ${lines[++at]?.trim() ?? ''}`
    const call = /^\{\{[<%]\s{0,20}highlight([^{}]{0,600})\}\}/.exec(line.trimStart())
    if (call === null) {
      out.push(withoutCalls(line))
      continue
    }
    const language = /^[\w+#-]{1,50}/.exec((call[1] ?? '').trimStart())?.[0] ?? ''
    const code = line.trimStart().slice(call[0].length)
    const block = [code]
    const isEnd = (one: string) => /\{\{[<%]\s*\/\s*highlight\s*[>%]\}\}/.exec(one)
    let end = isEnd(code)
    while (end === null && at + 1 < lines.length) {
      const next = lines[++at] ?? ''
      end = isEnd(next)
      block.push(next)
    }
    const last = block.pop() ?? ''
    block.push(end === null ? last : last.slice(0, end.index))
    out.push(
      `${fence}${language}`,
      ...block.filter((one, index) => one !== '' || (index > 0 && index < block.length - 1)),
      fence,
    )
  }
  return out.join('\n')
}

function isOpenCall(line: string): boolean {
  const start = Math.max(line.lastIndexOf('{{<'), line.lastIndexOf('{{%'), line.lastIndexOf('{{/*'))
  return start !== -1 && line.length < maxTag && !line.includes('}}', start)
}

function withoutCalls(line: string): string {
  if (!line.includes('{{')) return line
  let kept = ''
  let from = 0
  for (;;) {
    const start = line.indexOf('{{', from)
    const close = start === -1 ? -1 : line.indexOf('}}', start)
    if (close === -1) return kept + line.slice(from)
    const source = line.slice(start + 2, close)
    kept += line.slice(from, start)
    if (/^[<%]\s*\/\*/.test(source)) kept += `{{${source.replace('/*', '').replace('*/', '')}}}`
    else if (/^[<%]/.test(source)) kept += shownIn(source.slice(0, maxTag))
    else if (!/^(?:- )?\/\*/.test(source)) kept += line.slice(start, close + 2)
    from = close + 2
  }
}

/** What a reader sees of the arguments of a call. */
function shownIn(text: string): string {
  const values: string[] = []
  for (const [, name = '', double, single, tick] of text.matchAll(
    /([\w-]{1,40})\s{0,5}=\s{0,5}(?:"([^"]{0,1000})"|'([^']{0,1000})'|`([^`]{0,1000})`)/g,
  ))
    if (shownNames.test(name)) values.push(double ?? single ?? tick ?? '')
  return values.join(' ')
}
