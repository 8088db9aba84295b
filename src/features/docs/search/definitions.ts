import { roleOf } from './roles.ts'
import { headingsAt, pageStringsOf, passageText } from './segment-strings.ts'
import type { Segment } from './segment.ts'
import { termsOf } from './words.ts'

/** Where a page says what the product is, and how well, from 0 to 1. */
export interface Definition {
  share: number
  /** The passage with which it is said. */
  passage: number
}

/** Passages of a page that are read. */
const mostPassages = 60
/** Characters of a section in which it says what something is. */
const opening = 700
/** What a sentence that defines the product counts where its section is not called that. */
const unnamed = 0.6

/** A sentence whose subject is a name, with a word beside it at most: "Caddy is a server", "The Foo framework is an …". */
const definition =
  /(?:^|[.!?:]\s+|\n)[^\p{L}\p{N}\n]{0,3}(?:the )?([\p{L}\p{N}][\p{L}\p{N}.-]{0,40}(?: \p{L}{1,30})?)(?: \([^()\n]{1,80}\))?,? (?:is|are) (?:an?|the|your|one)\b/giu

/** Where a page says in a sentence what the product is. */
export function definitionIn(
  segment: Segment,
  page: number,
  names: ReadonlySet<string>,
): Definition | undefined {
  const start = segment.pageSections[page] ?? 0
  const { title } = pageStringsOf(segment, page)
  let best: Definition | undefined
  for (const passage of passagesOf(segment, page)) {
    if (segment.sectionOpens[passage] !== 1 && passage !== start) continue
    const text = proseOf(passageText(segment, passage)).slice(0, opening)
    const [defined] = [...text.matchAll(definition)].flatMap(([, subject = '']) =>
      isName(subject, names) ? [subject] : [],
    )
    if (defined === undefined) continue
    const heading = passage === start ? title : (headingsAt(segment, passage).at(-1) ?? '')
    const { exact } = termsOf((defined.split(' ', 1)[0] ?? '').toLowerCase())
    const share =
      roleOf(heading, new Set([...names, ...exact])) === 'introduction' ? 1 : passage === start ? unnamed : 0
    if (share > (best?.share ?? 0)) best = { share, passage }
  }
  return best
}

function* passagesOf(segment: Segment, page: number): Generator<number> {
  const start = segment.pageSections[page] ?? 0
  const end = Math.min(segment.pageSections[page + 1] ?? 0, start + mostPassages)
  for (let passage = start; passage < end; passage++) yield passage
}

function proseOf(text: string): string {
  return text.replaceAll(/```[^]*?(?:```|$)|!\[[^[\]]*\](?:\([^()]*\))?/g, ' ').trim()
}

function isName(subject: string, names: ReadonlySet<string>): boolean {
  return isTerm(subject.split(' ', 1)[0] ?? '', names)
}

function isTerm(word: string, names: ReadonlySet<string>): boolean {
  const [term = ''] = termsOf(word.toLowerCase()).exact
  // BorgBackup is Borg.
  const [hump = ''] = word.split(/(?<=\p{Ll})(?=\p{Lu})/u)
  return names.has(term) || names.has(hump.toLowerCase())
}
