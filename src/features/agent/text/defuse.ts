import { lowerHeadings } from './lower-headings.ts'

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
      .replaceAll(/\](?=\(\s*<?(?:[A-Za-z][A-Za-z\d+.\\-]{0,30}:|\\?[\\/]|\.\.[\\/]))/g, `]${gap}`)
      .replaceAll(/(?<![A-Za-z0-9])@(?=[A-Za-z0-9_{"-])/g, `@${gap}`)
      .replaceAll(/([#!])(?=\d)/g, `$1${gap}`)
      .replaceAll(/\b(GH-)(?=\d)/gi, `$1${gap}`)
      .replaceAll(/\[(?=(?:issue|work_item|merge_request|epic|vulnerability):)/gi, `[${gap}`)
      .replaceAll(closing, (word) => `${word.slice(0, 2)}${gap}${word.slice(2)}`)
      // An address of an issue is a mention of it, wherever it is.
      .replaceAll(
        /\/(issues|pulls?|merge_requests|pull-requests|discussions|work_items|epics)\/(?=\d)/gi,
        `/$1/${gap}`,
      )
      .replaceAll(/\/(?<=^[^\S\n]*\/)(?=[A-Za-z])/gm, `${gap}/`)
      .replaceAll(
        orders,
        (_, before: string, name: string) => `${before}${name.slice(0, 1)}${gap}${name.slice(1)}`,
      )
      .replaceAll(pleas, (word) => `${word.slice(0, 1)}${gap}${word.slice(1)}`)
      .replaceAll(skips, `[${gap}`)
      .replaceAll(/\*\*\*(?=NO_CI)/gi, `**${gap}*`)
      // What trackers do by a commit that names their issue: "ABC-1 #close".
      .replaceAll(/^.+$/gm, (line) =>
        /\b[A-Z][A-Z\d_]{1,20}-\d/.test(line) ? line.replaceAll(/(?<!\S)#(?=[A-Za-z])/g, `#${gap}`) : line,
      )
      // What machines for releases, sign-offs and rebases read in descriptions and commits.
      .replaceAll(/\b(BREAKING)([ -]CHANGES?)(?=\s*:)/gi, `$1${gap}$2`)
      .replaceAll(/\b(BEGIN|END)_(?=(?:COMMIT|NESTED)_)/gi, `$1_${gap}`)
      .replaceAll(/^([ \t>*-]{0,20}[A-Za-z][A-Za-z-]{0,40}-(?:by|as))(?=[ \t]*:)/gim, `$1${gap}`)
      .replaceAll(/^([ \t>*-]{0,20}skip-checks?)(?=[ \t]*:)/gim, `$1${gap}`)
      .replaceAll(/^([a-z]{1,20}(?:\([^()\n]{0,50}\))?)!(?=:)/gim, `$1${gap}!`)
      .replaceAll(/^(fixup|squash|amend)!/gim, `$1${gap}!`)
  )
}

/** Control characters, and those that show nothing or turn the direction of what follows. Line ends become LF. */
export function withoutHidden(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/\r\n?|[\u{2028}\u{2029}]/gu, '\n')
    .replaceAll(/[^\P{Cc}\t\n]/gu, '')
    .replaceAll(hidden, '')
    .replaceAll(runs, '$1')
}

/**
 * Cut to its length, with fences closed: nothing after it becomes code. It has no rules and no headings above the fourth
 * level, so that nothing in it looks like a part that we have written.
 */
export function defuseBlock(text: string, maxLength: number): string {
  const whole = defuse(text.slice(0, maxLength).toWellFormed())
  const kept = whole.length <= maxLength ? whole : whole.slice(0, maxLength).toWellFormed()
  return lowerHeadings((text.length > maxLength || kept !== whole ? `${kept}…` : kept).trim()).trimEnd()
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
  /\b(?:clos(?:e[sd]?|ing)|fix(?:e[sd]|ing)?|resolv(?:e[sd]?|ing)|implement(?:s|ed|ing)?|complet(?:e[sd]?|ing))\b(?=:?[ \t\n]{1,10}(?:\S{0,300}?(?:#|!|:\/\/|GH-)|(?:issues?[ \t]{1,10})?[A-Z][A-Z\d_]{1,20}-\d))/gi

// Programs that take orders in comments by their name or by a phrase, and switches that keep checks from running.
const orders =
  /^([ \t>*-]{0,20})((?:bors|homu)(?=[ \t])|(?:atlantis|digger|terrateam|spacelift|jenkins)(?=[ \t]{1,5}(?:apply|approve|plan|unlock|import|test|retest|run|build|deploy|merge)\b)|recheck(?=[ \t]*$))/gim
const pleas =
  /\b(?:(?:re)?test|ok|add)(?=\W{1,3}(?:this\W{1,3}please|to\W{1,3}(?:test|whitelist|allowlist))\b)/gi
const skips =
  /\[(?=[^[\]\n]{0,40}\b(?:skip|no[ -]?(?:ci|build|deploy|actions|verify)|ci[ -]off)\b[^[\]\n]{0,40}\])/gi

// Joiners stay: scripts and emoji need them.
const hidden =
  /(?![\p{Join_Control}\p{Variation_Selector}])\p{Default_Ignorable_Code_Point}|[\u{FFF9}-\u{FFFB}]/gu
// Emoji need two at a time; more are no way to write, but one to hide text.
const runs = /([\p{Join_Control}\p{Variation_Selector}]{2})[\p{Join_Control}\p{Variation_Selector}]+/gu
