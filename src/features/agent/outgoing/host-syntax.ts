/** A part of a text, by offsets. */
interface Part {
  start: number
  end: number
}

/**
 * Finds what hosts act upon outside of code: mentions, references, addresses, and what programs read at the
 * beginning of a line. As code it has no effect and still reads as it was written.
 * @param atBreak whether the text begins a line of its block
 * @returns parts that do not overlap, in order
 */
export function partsForCode(text: string, atBreak: boolean): Part[] {
  const candidates = [...hostSyntaxWords(text), ...hostSyntaxStarts(text, atBreak)]
  const parts: Part[] = []
  for (const part of candidates.toSorted((one, other) => one.start - other.start)) {
    const last = parts.at(-1)
    if (last !== undefined && part.start < last.end) last.end = Math.max(last.end, part.end)
    else parts.push({ ...part })
  }
  return parts
}

/**
 * Offsets of characters that must be escaped in the source, because programs read the source and not the rendered
 * text: switches that skip checks, commands for bots, markers of release tools, commands to issue trackers.
 * @param isCode finds closing words as well (outside of code their references are put into code), but no tags
 */
export function placesToBreak(text: string, isCode: boolean): number[] {
  const places = [
    ...Array.from(text.matchAll(skips), ({ index }) => index),
    ...lastLetters(text, commandPhrases),
    ...Array.from(text.matchAll(marks), ({ index, 0: mark }) => index + mark.indexOf('_')),
    ...smartCommits(text),
    ...(isCode ? lastLetters(text, closing) : Array.from(text.matchAll(tagStart), ({ index }) => index)),
  ]
  return [...new Set(places)].toSorted((one, other) => one - other)
}

/** Whether a program that reads Markdown sources would act on it, inside or outside of code. */
export function hasHostSyntax(markdown: string): boolean {
  return (
    [skips, commandPhrases, marks, closingReference].some(
      (expression) => markdown.search(expression) !== -1,
    ) ||
    smartCommits(markdown).length > 0 ||
    hostSyntaxStarts(markdown, true).length > 0
  )
}

/** The beginning of a line of a commit message that programs take for a command, a trailer or a marker. */
export function hostSyntaxAtStart(line: string): Part | undefined {
  const [all = '', name = ''] = /^\s*((?:[A-Za-z0-9]+(?:-[A-Za-z0-9]+)+|cc)\s*:|-{3}\S*)/i.exec(line) ?? []
  return all === '' ? hostSyntaxStarts(line, true)[0] : { start: all.length - name.length, end: all.length }
}

/**
 * Escapes a text for commit messages and titles. They are not Markdown, so code does not protect a reference there:
 * references are spelled in words, and what programs read from the source is changed visibly.
 */
export function nameReferences(text: string): string {
  return (
    text
      .replaceAll(skips, '($1)')
      .replaceAll(commandPhrases, (word) => `${word}_`)
      .replaceAll(marks, (mark) => mark.replaceAll('_', ' '))
      .replaceAll(/^.+$/gm, (line) => (key.test(line) ? line.replaceAll(order, '') : line))
      // On a single line the key can be put in backticks.
      .replaceAll(closedKey, (all) => (all.includes('\n') ? splitKeys(all) : all))
      .replaceAll(/\S+/g, (word) => (issuePath.test(word) ? word.replaceAll(/https?:\/\//gi, '') : word))
      .replaceAll(/\bGH-(?=\d)/gi, 'GH ')
      .replaceAll(/(?<=[\w/])[#!&](?=\d)/g, ' number ')
      .replaceAll(/[#!&](?=\d)/g, 'number ')
  )
}

/** The same for a text that is in backticks already: issue keys that would be closed lose their hyphen. */
export function splitKeys(text: string): string {
  return text.replaceAll(
    closedKey,
    (all, name: string) => all.slice(0, -name.length) + name.replace('-', ' '),
  )
}

// Words that contain a mention, a reference or an address, without the punctuation around them. A closing keyword
// is a separate word and stays outside of code, as its reference in code has no effect.
function hostSyntaxWords(text: string): Part[] {
  const words = Array.from(text.matchAll(/[^\s,;<>()[\]`'’]+/g), ({ index, 0: word }): Part => {
    const bare = word.replace(/^["*~.]+/, '')
    const start = index + word.length - bare.length
    return { start, end: start + withoutEnd(bare).length }
  })
  const kept = words.filter(({ start, end }) => acts.test(text.slice(start, end)))
  const keys = Array.from(text.matchAll(closedKey), ({ index, 0: all, 1: name = '' }): Part => {
    const end = index + all.length
    return { start: end - name.length, end }
  })
  const named = Array.from(text.matchAll(namedReference), ({ index, 0: all }) => partAt(index, all))
  return [...kept, ...keys, ...named]
}

function withoutEnd(word: string): string {
  let end = word.length
  while (end > 0 && '"*~.:!?'.includes(word.charAt(end - 1))) end--
  return word.slice(0, end)
}

function hostSyntaxStarts(text: string, atBreak: boolean): Part[] {
  return lineStarts.flatMap((expression) =>
    Array.from(text.matchAll(expression))
      .filter(({ index }) => index > 0 || atBreak)
      .map(({ index, 0: all, 1: before = '' }) => partAt(index + before.length, all.slice(before.length))),
  )
}

// Commands to issue trackers in commits that name an issue: "ABC-1 #close".
function smartCommits(text: string): number[] {
  return Array.from(text.matchAll(/^.+$/gm), ({ index, 0: line }) =>
    key.test(line) ? Array.from(line.matchAll(order), (found) => index + found.index) : [],
  ).flat()
}

function lastLetters(text: string, expression: RegExp): number[] {
  return Array.from(text.matchAll(expression), ({ index, 0: word }) => index + word.length - 1)
}

function partAt(start: number, text: string): Part {
  return { start, end: start + text.length }
}

const issuePath = /\/(?:issues|pulls?|merge_requests|pull-requests|discussions|work_items|epics)\/\d/i
const acts =
  /@[\w{"-]|[#!&]\d|\bGH-\d|:\/\/|www\.|\/(?:issues|pulls?|merge_requests|pull-requests|discussions|work_items|epics)\/\d/i
const namedReference = /(?<=\[)(?:issue|work_item|merge_request|epic|vulnerability):[^\]\s]{1,100}/gi
const tagStart = /<(?=[A-Za-z/!?])/g

// Closing keywords of GitHub, GitLab and Gitea before an issue or its address.
const closing =
  /\b(?:clos(?:e[sd]?|ing)|fix(?:e[sd]|ing)?|resolv(?:e[sd]?|ing)|implement(?:s|ed|ing)?|complet(?:e[sd]?|ing))\b(?=:?[ \t\n]{1,10}(?:\S{0,300}?(?:#|!|:\/\/|GH-)|(?:issues?[ \t]{1,10})?[A-Z][A-Z\d_]{1,20}-\d))/gi
const closingReference =
  /\b(?:clos(?:e[sd]?|ing)|fix(?:e[sd]|ing)?|resolv(?:e[sd]?|ing)|implement(?:s|ed|ing)?|complet(?:e[sd]?|ing))\b:?[ \t\n]{1,10}(?:issues?[ \t]{1,10})?(?:[\w./-]{0,300}[#!]\d|https?:\/\/|GH-\d|[A-Z][A-Z\d_]{1,20}-\d)/i
const closedKey =
  /\b(?:clos(?:e[sd]?|ing)|fix(?:e[sd]|ing)?|resolv(?:e[sd]?|ing)|implement(?:s|ed|ing)?|complet(?:e[sd]?|ing))\b:?[ \t\n]{1,10}(?:issues?[ \t]{1,10})?([A-Z][A-Z\d_]{1,20}-\d{1,20})/gi

// Bots that take commands in comments, by their name or by a phrase.
const orders =
  /^([ \t>*-]{0,20})(?:(?:bors|homu)(?=[ \t])|(?:atlantis|digger|terrateam|spacelift|jenkins)(?=[ \t]{1,5}(?:apply|approve|plan|unlock|import|test|retest|run|build|deploy|merge)\b)|recheck(?=[ \t]*$))/gim
const commandPhrases =
  /\b(?:(?:re)?test|ok|add)(?=\W{1,3}(?:this\W{1,3}please|to\W{1,3}(?:test|whitelist|allowlist)))/gi
// Switches that skip checks.
const skips =
  /\[([^[\]\n]{0,40}\b(?:skip|no[ -]?(?:ci|build|deploy|actions|verify)|ci[ -]off)\b[^[\]\n]{0,40})\]/gi
const marks = /(?:BEGIN|END)_(?:COMMIT|NESTED)_|NO_CI/gi
const key = /\b[A-Z][A-Z\d_]{1,20}-\d/
const order = /(?<!\S)#(?=[A-Za-z])/g

// The first group is the text before the part.
const lineStarts = [
  orders,
  /^([^\S\n\r\u2028\u2029]*)\/[A-Za-z]\S*/gm,
  // Trailers and markers of release, sign-off and rebase tools in descriptions and commits.
  /^([ \t>*-]{0,20})(?:[A-Za-z][A-Za-z-]{0,40}-(?:by|as)|skip-checks?|BREAKING[ -]CHANGES?)[ \t]*:/gim,
  /^([^\S\n\r\u2028\u2029]*)[a-z]{1,20}(?:\([^()\n]{0,50}\))?!:/gim,
  /^([^\S\n\r\u2028\u2029]*)(?:fixup|squash|amend)!/gim,
  // Delimiters of front matter, and thematic breaks.
  /^([ \t]*)(?:---|\+\+\+|;;;)\S{0,50}(?=[ \t]*$)/gm,
]
