import { hidingClasses, hidingStyle } from './hiding-names.ts'
import { lineAt, partOf, type Part } from './part.ts'

const what = 'what hides text from readers'

/** Those for whom a component shows its content, where they are no people. */
const machines = /^(?:agents?|ais?|llms?|bots?|crawlers?|machines?|robots?)$/i

/** An attribute of an element that hides what is in it. */
export function hidingParts(name: string, value: string, line: number): Part[] {
  if (/^(?:for|audience|visible\w*|only\w*)$/i.test(name) && machines.test(value.trim()))
    return [partOf('hiding', what, `${name} ${value}`, line)]
  if (/^hidden$/i.test(name)) return [{ ...partOf('hiding', what, 'hidden', line), words: 'hidden' }]
  if (/^class(?:name)?$/i.test(name)) return classParts(value, line)
  const style = /^color$/i.test(name) ? `color:${value}` : value
  if (!/^(?:style|color)$/i.test(name)) return []
  const declaration = hidingStyle(style)
  return declaration === undefined
    ? []
    : [{ ...partOf('hiding', what, `style ${declaration}`, line), words: '' }]
}

function classParts(classes: string, line: number): Part[] {
  return hidingClasses(classes.split(/[\s"'`{}]+/)).map((one) => partOf('hiding', what, `class ${one}`, line))
}

/** Classes that directives and blocks are given: `:class: x`, `.. container:: x`, `{div} x`, `[.x]`, `[role=x]`. */
const classesOfBlocks =
  /^[ \t]*:[\w-]{0,20}class[\w-]{0,20}:[ \t]*(.{1,500})$|(?:^|[\s|])(?:\.\.[ \t]{1,9}(?:rst-)?(?:class|container) ?::|[`~:]{3,}\{(?:div|container|class)\})[ \t]*(.{1,500})$|\[(?:role=["']?|\.)([\w. -]{1,200})["']?[\],]/gim
/** The same in a list of attributes: `{: .x}`, `{.x #y}`. */
const listed = /\{:?([^{}<>"'`\n]{1,200})\}/g
/** Elements whose text only readers without the element see. */
const unshown = /<(rp|progress|meter|video|audio)\b[^<>]{0,1000}>([^<]{4,2000})/gi
const longestFallback: Readonly<Record<string, number>> = {
  rp: 3,
  progress: 12,
  meter: 12,
  video: 100,
  audio: 100,
}

/** What hides text in the notations of a page. */
export function hidingTextParts(text: string): Part[] {
  const classes = [...text.matchAll(classesOfBlocks)].flatMap((match) => {
    const names = match[1] ?? match[2] ?? match[3]?.replaceAll('.', ' ') ?? ''
    return classParts(names, lineAt(text, match.index))
  })
  for (const { 1: list = '', index } of text.matchAll(listed)) {
    const names = [...list.matchAll(/(?:^|[\s#.\w-])\.([\w-]+)/g)].map(([, name = '']) => name)
    classes.push(...classParts(names.join(' '), lineAt(text, index)))
  }
  const fallbacks = [...text.matchAll(unshown)].flatMap(
    ({ 0: source, 1: name = '', 2: content = '', index }) =>
      content.trim().length > (longestFallback[name.toLowerCase()] ?? 0)
        ? [partOf('hiding', what, source, lineAt(text, index))]
        : [],
  )
  return [...classes, ...fallbacks]
}

/** What turns the direction of a text around, and control characters. */
const turning = /[\u202a-\u202e\u2066-\u2069]|[^\P{Cc}\t\n\r\f]/gu
/** A style of a terminal by which a text can still be read. */
const color = /^\[(?:(?:0|[1-4]|7|2[2-479]|3[1-79]|49|9[0-7])?(?:;(?!\D)|(?=m)))*m/
/** Letters that take no place, and those that are blank. */
const unseen = /[\p{Default_Ignorable_Code_Point}\u2800\ufff9-\ufffb]+/gu
const maxUnseen = 1000
/** So many single ones in a line can be a text of their own. */
const mostSingle = 4
/** And so many in a text. */
const mostInText = 40

/** Text that readers and reviewers cannot see as machines read it. */
export function hiddenParts(text: string): Part[] {
  const parts: Part[] = []
  const add = (at: number): void => {
    const start = text.lastIndexOf('\n', at) + 1
    const source = text.slice(start, start + 2000).split('\n', 1)[0] ?? ''
    const what = 'characters that hide text or turn its direction around'
    parts.push(partOf('hidden', what, source, lineAt(text, at)))
  }
  for (const { index } of text.matchAll(turning)) {
    if (text[index] === '\u001b' && color.test(text.slice(index + 1, index + 30))) continue
    add(index)
    if (parts.length > maxUnseen) return parts
  }
  let [line, single, all] = [0, 0, 0]
  for (const { 0: letters, index } of text.matchAll(unseen)) {
    if (parts.length > maxUnseen) break
    const [before = ''] = text.slice(Math.max(0, index - 2), index).match(/.$/su) ?? []
    const [after = ''] = text.slice(index + letters.length, index + letters.length + 2).match(/^./su) ?? []
    if (isPartOfSign(letters, before, after)) continue
    if (index === 0 && letters === '\ufeff') continue
    // Soft hyphens say where a word may be divided.
    if (letters === '\u00ad') continue
    const start = text.lastIndexOf('\n', index) + 1
    if (start !== line) [line, single] = [start, 0]
    // What was copied from a translator has one of them twice: the same letters say nothing.
    const isSame = /^(.)\1{0,2}$/su.test(letters)
    const isText = !isSame || /[\u3164\uffa0\u115f\u1160\u{e0000}-\u{e007f}]/u.test(letters)
    single++
    all += letters.length
    if (isText || single > mostSingle || all > mostInText) add(index)
  }
  return parts
}

/** Emoji of several signs, flags, variants of a sign, joiners of scripts that need them, and braille. */
function isPartOfSign(letters: string, before: string, after: string): boolean {
  if (/^[\ufe0e\ufe0f]$/.test(letters)) return /[\p{Emoji}\p{S}\p{P}\p{Ideographic}]/u.test(before)
  if (
    /^\ufe0f?\u200d$|^\u200d$/.test(letters) &&
    /\p{Emoji}/u.test(before) &&
    /\p{Extended_Pictographic}|[\u2640\u2642\u2695]/u.test(after)
  )
    return true
  if (/^[\u{e0020}-\u{e007e}]{1,10}\u{e007f}$/u.test(letters)) return before === '\u{1f3f4}'
  if (/^[\u{e0100}-\u{e01ef}]$/u.test(letters)) return /\p{Ideographic}/u.test(before)
  if (/^[\u200c\u200d]$/.test(letters))
    return /[\p{L}\p{M}]/u.test(before) && !/\p{Script=Latin}/u.test(before)
  if (/^\u2800+$/.test(letters))
    return (
      /[\u2800-\u28ff]/.test(before + after) ||
      (letters.length === 1 && /[ ]/.test(before + after) && /[\u2801-\u28ff]/.test(before + after))
    )
  return false
}
