import { lineAt, type Part, partOf } from './text-parts.ts'

/** What turns the direction of a text around, and control characters. */
const turning = /[\u202a-\u202e\u2066-\u2069]|[^\P{Cc}\t\n\r\f]/gu
/** A style of a terminal by which a text can still be read. */
const color = /^\u001b\[(?:(?:0|[1-4]|7|2[2-479]|3[1-79]|49|9[0-7])?(?:;(?!\D)|(?=m)))*m/
/** Letters that take no place, and those that are blank. */
const unseen = /[\p{Default_Ignorable_Code_Point}\u2800\ufff9-\ufffb]+/gu
const maxParts = 1000
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
    if (color.test(text.slice(index, index + 30))) continue
    add(index)
    if (parts.length > maxParts) return parts
  }
  let [line, single, all] = [0, 0, 0]
  for (const { 0: letters, index } of text.matchAll(unseen)) {
    if (parts.length > maxParts) break
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
