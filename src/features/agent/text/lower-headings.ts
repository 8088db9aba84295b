/** Stands before or after a sign, unseen, so that it is only text. */
const gap = '\u{200B}'

/** Languages of code blocks that hosts do not show as code: they draw, ask, or offer a change. */
const drawn =
  /^[ \t]*(?:mermaid|geojson|topojson|stl|math|plantuml|puml|dot|graphviz|glql|json:table|suggestion)\b/i
const fenceLine = /^([ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*)(`{3,}(?!`)|~{3,}(?!~))(.*)$/
// Without the space it is one on some hosts.
const heading = /^([ \t]*(?:(?:[-*+>]|\d{1,9}[.)])[ \t]+|>)*)(#{1,6})(?=[ \t]|$|(?<=##)[^#])/
// A rule, or what makes the line above a heading.
const line = /^([ \t]*\d{1,9}[.)][ \t]|)([ \t>+*_=-]+)$/
// GitLab's quotes over lines, and what opens front matter at the top of a text.
const opener = /^([ \t]*)(?=>>>|(?:---|\+\+\+|;;;)\S{0,50}[ \t]*$)/

/**
 * Markdown whose headings are of the fourth level or below, without rules, and with its fences closed: what stands
 * around it, with headings of its own, cannot be taken for a part of it, nor the other way round.
 */
export function lowerHeadings(text: string): string {
  let open: { fence: string; indent: number } | undefined
  const lines = text.split('\n').map((one) => {
    const indent = /^[ \t]*/.exec(one)?.[0].length ?? 0
    // A fence within a list ends with its item; what stands further out could be a heading.
    if (open !== undefined && indent < open.indent && one.trim() !== '') open = undefined
    const [, lead = '', fence, rest = ''] = fenceLine.exec(one) ?? []
    if (open !== undefined) {
      const isSame = fence !== undefined && fence[0] === open.fence[0] && fence.length >= open.fence.length
      const ends = lead.trim() === '' && !lead.includes('\t') && lead.length <= open.indent + 3
      if (isSame && ends && rest.trim() === '') open = undefined
      return one
    }
    if (fence === undefined || (fence.startsWith('`') && rest.includes('`'))) return lowered(one)
    open = { fence, indent: lead === '' ? 0 : Math.max(4, lead.length) }
    // Within a list this is still a fence of its item, and elsewhere none that could stay open.
    const pushed = lead !== '' && lead.trim() === '' ? lead.padEnd(4) : lead
    return `${pushed}${fence}${drawn.test(rest) ? gap : ''}${rest}`
  })
  return open?.indent === 0 ? [...lines, open.fence].join('\n') : lines.join('\n')
}

function lowered(text: string): string {
  return text
    .replace(
      heading,
      (_, lead: string, signs: string) => lead + '#'.repeat(Math.min(6, Math.max(4, signs.length + 2))),
    )
    .replace(line, (whole, lead: string, signs: string) => {
      const at = signs.search(/[^ \t>]/)
      const isText = at === -1 || /^[+*]$/.test(signs.trim())
      return isText ? whole : `${lead}${signs.slice(0, at)}${gap}${signs.slice(at)}`
    })
    .replace(opener, `$1${gap}`)
}
