import { type BlockAttributes, listOf } from './attributes.ts'

/** A macro in running text; `url` is an address that stands there by itself. */
export interface Macro {
  name: string
  target: string
  body: string
  list: () => BlockAttributes
  start: number
  end: number
  /** Where its target stands. */
  targetAt: number
}

const names =
  /^(?:xref|link|mailto|image|icon|footnote|footnoteref|kbd|btn|menu|anchor|pass|stem|latexmath|asciimath|indexterm2?|counter2?)$/
const opens = /([a-z]\w{1,15}):(?!:)([^\s[\]]{0,1500})\[/y
const address = /(?:https?|ftp|irc|file):\/\/[^\s<>[\]]{1,2000}/y
const maxMenu = 100

/** @param unclosed signs that nothing closes from here on */
export function readMacro(text: string, at: number, unclosed: Set<string>): Macro | undefined {
  const isAngled = text[at] === '<'
  if (!/[a-z<]/.test(text[at] ?? '')) return undefined
  address.lastIndex = isAngled ? at + 1 : at
  const [url] = address.exec(text) ?? []
  if (url !== undefined) return readAddress(text, at, isAngled, url, unclosed)
  if (isAngled || unclosed.has(']')) return undefined
  opens.lastIndex = at
  const [whole, name = '', target = ''] = opens.exec(text) ?? menuIn(text, at) ?? []
  if (whole === undefined || !names.test(name)) return undefined
  const body = at + whole.length
  const end = closingBracket(text, body)
  if (end === undefined) {
    unclosed.add(']')
    return undefined
  }
  const inside = text.slice(body, end).replaceAll('\\]', ']')
  return {
    name,
    target: name === 'link' || name === 'xref' ? target.replace(/^\+\+(.*)\+\+$/, '$1') : target,
    body: inside,
    list: () => listOf(inside),
    start: at,
    end: end + 1,
    targetAt: at + name.length + 1,
  }
}

/** The names of menus have blanks in them. */
function menuIn(text: string, at: number): string[] | null {
  return text.startsWith('menu:', at) ? /^(menu):([^\n[\]]{1,60})\[/.exec(text.slice(at, at + maxMenu)) : null
}

function readAddress(
  text: string,
  at: number,
  isAngled: boolean,
  url: string,
  unclosed: Set<string>,
): Macro | undefined {
  const start = isAngled ? at + 1 : at
  const behind = start + url.length
  const own = { name: 'url', start: at, targetAt: start, list: () => listOf('') }
  if (!isAngled && text[behind] === '[' && !unclosed.has(']')) {
    const end = closingBracket(text, behind + 1)
    if (end === undefined) unclosed.add(']')
    else {
      const body = text.slice(behind + 1, end).replaceAll('\\]', ']')
      return { ...own, target: url, body, list: () => listOf(body), end: end + 1 }
    }
  }
  if (isAngled) return text[behind] === '>' ? { ...own, target: url, body: '', end: behind + 1 } : undefined
  const target = url.replace(/[.,;:!?)'"*_`]{1,10}$/, '')
  return { ...own, target, body: '', end: start + target.length }
}

/** The bracket that ends what begins at `from`. */
function closingBracket(text: string, from: number): number | undefined {
  let end = text.indexOf(']', from)
  while (end !== -1 && text[end - 1] === '\\') end = text.indexOf(']', end + 1)
  return end === -1 ? undefined : end
}
