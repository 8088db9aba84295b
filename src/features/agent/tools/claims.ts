import { decodeText } from '../../../site/text/encoding.ts'
import type { SaidText, UnprovenClaim } from '../workspace/toolbox.ts'

/** What a change says, for comparing it with what is said of it. */
interface Change {
  path: string
  before?: Uint8Array | undefined
  after?: Uint8Array | undefined
}

interface ChangedText {
  paths: string[]
  /** Lines that came or went, each with whether it stands in code. */
  lines: { text: string; isCode: boolean }[]
  /** Whether a line went: what was only added has neither removed nor mended anything. */
  hasRemoved: boolean
}

/** More text than this is not compared, and nothing is held against its description. */
const mostBytes = 4_000_000
const mostSentences = 300
const longestSentence = 600

/**
 * Sentences that claim a change which is not there: of a kind of part that no changed line holds, of more pages than were
 * changed, of something that went where lines were only added, or of names and pages that occur nowhere in it; and those that
 * something was run. What is said of one page is compared with the change of that page. Sentences in doubt are left alone.
 */
export function unprovenClaims(
  texts: readonly (string | SaidText)[],
  changes: readonly Change[],
  earlier: readonly Change[] = [],
): UnprovenClaim[] {
  const size = [...changes, ...earlier].reduce(
    (sum, { before, after }) => sum + (before?.length ?? 0) + (after?.length ?? 0),
    0,
  )
  if (size > mostBytes) return []
  const changed = readChange(changes)
  const whole = earlier.length === 0 ? changed : readChange(joined(earlier, changes))
  const claims = new Map<string, UnprovenClaim>()
  let left = mostSentences
  for (const said of texts) {
    const { text, path, isOfWhole } = typeof said === 'string' ? { text: said } : said
    const all = isOfWhole === true ? whole : changed
    // Of a page that is new, or has moved here, nothing says what was done to it.
    const own = changes.filter((change) => change.path === path && change.before !== undefined)
    const ofPage = own.length === 0 ? all : readChange(own)
    for (const sentence of sentencesIn(text)) {
      if (left-- <= 0) break
      const claim = judge(sentence, all, ofPage)
      if (claim !== undefined)
        claims.set(`${path ?? ''} ${sentence}`, { ...claim, ...(path !== undefined && { path }) })
    }
  }
  return [...claims.values()]
}

/** What two changes, one after the other, come to. */
function joined(earlier: readonly Change[], later: readonly Change[]): Change[] {
  const changes = new Map(earlier.map((change) => [change.path, change]))
  for (const { path, before, after } of later)
    changes.set(path, { path, before: (changes.get(path) ?? { before }).before, after })
  return [...changes.values()]
}

function judge(sentence: string, changed: ChangedText, ofPage: ChangedText): UnprovenClaim | undefined {
  if (doubts.test(sentence)) return undefined
  // No tool of an agent runs anything.
  if (runs.test(sentence)) return { sentence, isSure: true }
  if (!claims.test(sentence)) return undefined
  const plain = sentence.replaceAll(/`[^`]*`/g, '')
  const [, count] = /\b(\d{1,5}) (?:\w{1,20} ){0,2}(?:pages|files)\b/i.exec(plain) ?? []
  const isSure =
    parts.some(
      ({ name, isIn, isOfSite }) => name.test(plain) && !isIn(isOfSite === true ? changed : ofPage),
    ) ||
    (!changed.hasRemoved && takesAway.test(plain)) ||
    (count !== undefined && Number(count) > changed.paths.length)
  if (isSure) return { sentence, isSure }
  // A sentence about the code may name what the pages do not.
  const names = Array.from(sentence.matchAll(/`([^`]{1,200})`/g), ([, name = '']) => name.trim())
  return names.length > 0 && names.every((name) => !occurs(name, changed)) ? { sentence, isSure } : undefined
}

function occurs(name: string, { paths, lines }: ChangedText): boolean {
  const wanted = squeezed(name.replace(/^(?:\.?\/)+/, '').replace(/:\d{1,7}(?:-\d{1,7})?$/, ''))
  if (wanted.length < 2) return true
  return (
    paths.some((path) => squeezed(path).includes(wanted)) ||
    lines.some(({ text }) => squeezed(text).includes(wanted))
  )
}

/** Words that say of the work that it changed something: in the past, or as an imperative at the beginning. */
const claims =
  /\b(?:updated|changed|fixed|corrected|repaired|adjusted|adapted|added|inserted|removed|deleted|renamed|replaced|rewritten|rewrote|moved|redirected|converted|documented)\b|^(?:update|change|fix|correct|repair|adjust|adapt|add|insert|remove|delete|rename|replace|rewrite|move|redirect|convert|document)s?\b/i
/** Sentences that say of the work that something in the pages went, or was wrong before. */
const takesAway =
  /^(?:also )?(?:removed?|deleted?|dropped|drop)s?\b|\b(?:was|were|been) (?:removed|deleted)\b|\b(?:fix|correct|mend)(?:ed|es|s)?\b.{0,40}\b(?:typos?|misspellings?|spelling|grammar)\b/i
/** Sentences that say that something was run. */
const runs =
  /^(?:all |the )?(?:unit |docs? |whole )?(?:tests?|test suite|build)s? (?:pass(?:es|ed)?|succeed(?:s|ed)?|(?:is|are) green)\b|\b(?:I|we) (?:have )?(?:ran|run|built|tested|executed)\b|^(?:ran|tested|built|executed) (?!-in)/i
/** Sentences that may speak of what was not done, of conditions, or of the product. */
const doubts =
  /\b(?:no|not|never|none|nothing|without|unchanged|untouched|remain(?:s|ed)?|left|leaves?|kept|keeps?|stays?|already|still|would|should|could|can|may|might|must|will|if|when|where|unless|need(?:s|ed)?|todo|instead of)\b|n['’]t\b|\?$/i

const config =
  /\.(?:jsonc?|ya?ml|toml|[cm]?[jt]sx?|txt|conf|xml|ini|py)$|(?:^|\/)(?:_?summary|_?sidebar|_?nav|_toc)\b|(?:^|\/)_redirects$/i

/** Parts that people name without a name, and how a line shows one. In every markup that sites use. */
const parts: { name: RegExp; isIn: (changed: ChangedText) => boolean; isOfSite?: boolean }[] = [
  {
    name: /\b(?:hyper)?links?\b|\bcross-?references?\b/i,
    isIn: anyLine(
      /\]\(|\]\[|\]:|\[\[|<a\b|\b(?:href|to|src|url|link|path)\b|:\/\/|:[a-z]{1,20}:`|\bxref:|<<|`_|\.(?:mdx?|rst|html?|adoc)\b|\/[\w-]|\{\{/i,
    ),
  },
  {
    name: /\b(?:images?|screenshots?|diagrams?)\b/i,
    isIn: (changed) =>
      changed.paths.some((path) => /\.(?:png|jpe?g|gif|svg|webp|avif|drawio)$/i.test(path)) ||
      anyLine(/!\[|<img|<figure|<picture|image|figure|mermaid|screenshot|diagram/i)(changed),
  },
  {
    name: /\bcode (?:examples?|samples?|snippets?|blocks?)\b/i,
    isIn: ({ lines }) =>
      lines.some(
        ({ text, isCode }) => isCode || /^(?: {4}|\t)|```|~~~|code|----|<pre|snippet|\{\{/i.test(text),
      ),
  },
  {
    name: /\b(?:navigation|sidebar|toctree)\b/i,
    isOfSite: true,
    isIn: (changed) =>
      changed.paths.some((path) => config.test(path)) ||
      anyLine(/^\s*(?:[\w-]{1,40}:|\.\. toctree|:\w{1,20}:|[\w/-]{1,200}$)/)(changed),
  },
  {
    name: /\bredirects?\b/i,
    isOfSite: true,
    isIn: (changed) =>
      changed.paths.some((path) => /redirect|rewrite/i.test(path)) ||
      anyLine(/redirect|rewrite|alias|moved|\bfrom\b|source|=>|->|\s30[1278]\b/i)(changed),
  },
  {
    name: /\bheadings?\b/i,
    isIn: anyLine(/^\s*(?:#{1,6}\s|={1,6}[\s=]|[-~^"*+]{3,}\s*$|<h[1-6])|^\S.{0,200}$/i),
  },
  { name: /\btables?\b(?! of contents)/i, isIn: anyLine(/\||table|<t[rdh]\b/i) },
]

function anyLine(form: RegExp): (changed: ChangedText) => boolean {
  return ({ lines }) => lines.some(({ text }) => form.test(text))
}

function sentencesIn(text: string): string[] {
  return text
    .slice(0, 100_000)
    .split(/\n|(?<=[.!?])\s/)
    .map((sentence) => sentence.replace(/^[\s>#*+-]{0,20}(?:\d{1,3}[.)]\s)?/, '').trim())
    .filter((sentence) => sentence !== '' && sentence.length <= longestSentence)
}

function readChange(changes: readonly Change[]): ChangedText {
  const lines: ChangedText['lines'] = []
  let hasRemoved = false
  for (const { before, after } of changes) {
    const [old, now] = [codeLines(before), codeLines(after)]
    const removed = missingIn(old, now)
    hasRemoved ||= removed.length > 0 || after === undefined
    lines.push(...removed, ...missingIn(now, old))
  }
  return { paths: changes.map(({ path }) => path), lines, hasRemoved }
}

function codeLines(content: Uint8Array | undefined): ChangedText['lines'] {
  const text = content && decodeText(content)?.text
  if (text === undefined) return []
  let isCode = false
  return text.split(/\r?\n/).map((line) => {
    if (/^\s{0,20}(?:```|~~~|-{4,}\s*$)/.test(line)) isCode = !isCode
    return { text: line.slice(0, 2000), isCode }
  })
}

/** The lines of one text that another one does not have as often. */
function missingIn(lines: ChangedText['lines'], others: ChangedText['lines']): ChangedText['lines'] {
  const left = new Map<string, number>()
  for (const { text } of others) left.set(text, (left.get(text) ?? 0) + 1)
  return lines.filter(({ text }) => {
    const count = left.get(text) ?? 0
    left.set(text, count - 1)
    return count <= 0 && text.trim() !== ''
  })
}

function squeezed(text: string): string {
  return text.replaceAll(/\s+/g, ' ').toLowerCase()
}
