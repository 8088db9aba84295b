/** Stands after a sign that would do something; nobody sees it, and what it separates is copied as two words at worst. */
const gap = '\u{200B}'

/**
 * Text of a model or a client as Markdown for a host's pages: it can be read, and does nothing. No mention, reference,
 * closing keyword, command, HTML, image, hidden text or switch for the host's machines is left, in code or outside of it:
 * hosts differ in what they take for code.
 */
export function defuse(text: string): string {
  return (
    withoutHidden(text)
      .replaceAll(/<(?=[A-Za-z/!?])/g, `<${gap}`)
      .replaceAll(/&(?=[#A-Za-z\d])/g, `&${gap}`)
      .replaceAll('![', `!${gap}[`)
      .replaceAll(']:', `]${gap}:`)
      // Where a link leads to stands beside its words: they could say anything.
      .replaceAll(/\](?=\(\s{0,20}<?(?:[A-Za-z][A-Za-z\d+.-]{0,30}:|[\\/]{2}))/g, `]${gap}`)
      .replaceAll(/(?<![A-Za-z0-9])@(?=[A-Za-z0-9_-])/g, `@${gap}`)
      .replaceAll(/([#!])(?=\d)/g, `$1${gap}`)
      .replaceAll(/\b(GH-)(?=\d)/gi, `$1${gap}`)
      .replaceAll(closing, (word) => `${word.slice(0, 2)}${gap}${word.slice(2)}`)
      // An address of an issue is a mention of it, wherever it is.
      .replaceAll(
        /\/(issues|pulls?|merge_requests|pull-requests|discussions|work_items|epics)\/(?=\d)/gi,
        `/$1/${gap}`,
      )
      .replaceAll(/^([ \t]{0,20})\/(?=[A-Za-z])/gm, `$1${gap}/`)
      .replaceAll(
        /\[(?=(?:[\w.-]{1,30}[ -](?:skip|ci|actions)|(?:skip|no)[ -][\w.-]{1,30}|cf-pages-skip)\])/gi,
        `[${gap}`,
      )
      .replaceAll(/\*\*\*(?=NO_CI)/gi, `**${gap}*`)
      // What machines for releases and sign-offs read in descriptions and commits.
      .replaceAll(/\b(BREAKING)([ -]CHANGES?)(?=\s*:)/gi, `$1${gap}$2`)
      .replaceAll(/\b(BEGIN|END)_(?=(?:COMMIT|NESTED)_)/gi, `$1_${gap}`)
      .replaceAll(/^([ \t>*-]{0,20}[A-Za-z][A-Za-z-]{0,40}-(?:by|as))(?=[ \t]*:)/gim, `$1${gap}`)
      .replaceAll(/^([a-z]{1,20}(?:\([^()\n]{0,50}\))?)!(?=:)/gim, `$1${gap}!`)
  )
}

/** Control characters, and those that show nothing or turn the direction of what follows. Line ends become LF. */
export function withoutHidden(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/[^\P{Cc}\t\n]/gu, '')
    .replaceAll(hidden, '')
}

/** Cut at the end of a line where one is near, with fences closed: nothing after it becomes code. */
export function defuseBlock(text: string, maxLength: number): string {
  const whole = defuse(text.slice(0, maxLength).toWellFormed())
  const kept = whole.length <= maxLength ? whole : whole.slice(0, maxLength).toWellFormed()
  return closeFences(text.length > maxLength || kept !== whole ? `${kept}…` : kept).trim()
}

/** One line, for lists and titles. */
export function defuseLine(text: string, maxLength: number): string {
  const line = defuse(
    text
      .slice(0, 10 * maxLength)
      .toWellFormed()
      .replaceAll(/\s+/g, ' '),
  ).trim()
  return line.length <= maxLength
    ? line
    : `${line
        .slice(0, maxLength - 1)
        .toWellFormed()
        .replaceAll('\u{FFFD}', '')}…`
}

// Of GitHub, GitLab and Gitea, before an issue or its address.
const closing =
  /\b(?:clos(?:e[sd]?|ing)|fix(?:e[sd]|ing)?|resolv(?:e[sd]?|ing)|implement(?:s|ed|ing)?|complet(?:e[sd]?|ing))\b(?=:?[ \t\n]{1,10}(?:\S{0,300}?(?:#|!|:\/\/|GH-)|[A-Z][A-Z\d_]{1,20}-\d))/gi

// Joiners stay: scripts and emoji need them.
const hidden =
  /[\u{AD}\u{61C}\u{180E}\u{200B}\u{200E}\u{200F}\u{202A}-\u{202E}\u{2060}-\u{206F}\u{FEFF}\u{FFF9}-\u{FFFB}\u{E0000}-\u{E007F}]/gu

function closeFences(text: string): string {
  let open: string | undefined
  const lines = text.split('\n').map((line) => {
    const [, indent = '', fence] = /^( {0,3})(`{3,}|~{3,})/.exec(line) ?? []
    if (fence === undefined) return line
    if (open !== undefined) {
      const closes = fence[0] === open[0] && fence.length >= open.length && line.trim() === fence
      if (closes) open = undefined
      return line
    }
    // Within a list this is still a fence of its item, and elsewhere none that could stay open.
    if (indent !== '') return `    ${line.trimStart()}`
    if (fence.startsWith('`') && line.slice(fence.length).includes('`')) return line
    open = fence
    return line
  })
  return open === undefined ? lines.join('\n') : [...lines, open].join('\n')
}
