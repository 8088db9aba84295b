import { hidingClasses, hidingStyle } from './hiding-names.ts'
import { lineAt, partOf, type Part } from './text-parts.ts'

const what = 'what hides text from readers'

/** An attribute of an element that hides what is in it. */
export function hidingParts(name: string, value: string, line: number): Part[] {
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
  const fallbacks = [...text.matchAll(unshown)].flatMap(
    ({ 0: source, 1: name = '', 2: content = '', index }) =>
      content.trim().length > (longestFallback[name.toLowerCase()] ?? 0)
        ? [partOf('hiding', what, source, lineAt(text, index))]
        : [],
  )
  return [...classes, ...fallbacks]
}
