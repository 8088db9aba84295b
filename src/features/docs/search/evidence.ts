import { roleOf } from './roles.ts'
import { headingsAt, pageStringsOf, passageText } from './segment-strings.ts'
import type { Segment } from './segment.ts'
import { termsOf } from './words.ts'

/** Where a page says what is asked for, and how well, from 0 to 1. */
export interface Evidence {
  share: number
  /** The passage with which it is said. */
  passage: number
}

/** Passages of a page that are read, and characters of each. */
const mostPassages = 60
const longest = 4000
/** Characters of a section in which it says what something is. */
const opening = 700
/** What a sentence that defines the product counts where its section is not called that. */
const unnamed = 0.6

/** A sentence whose subject is a name, with a word beside it at most: "Caddy is a server", "The Foo framework is an …". */
const definition =
  /(?:^|[.!?:]\s+|\n)[^\p{L}\p{N}\n]{0,3}(?:the )?([\p{L}\p{N}][\p{L}\p{N}.-]{0,40}(?: \p{L}{1,30})?) (?:is|are) (?:an?|the|your|one)\b/giu

/** Where a page says in a sentence what the product is. */
export function definitionIn(
  segment: Segment,
  page: number,
  names: ReadonlySet<string>,
): Evidence | undefined {
  const start = segment.pageSections[page] ?? 0
  const { title } = pageStringsOf(segment, page)
  let best: Evidence | undefined
  for (const passage of passagesOf(segment, page)) {
    if (segment.sectionOpens[passage] !== 1 && passage !== start) continue
    const text = proseOf(passageText(segment, passage)).slice(0, opening)
    const defines = [...text.matchAll(definition)].some(([, subject = '']) => isName(subject, names))
    if (!defines) continue
    const heading = passage === start ? title : (headingsAt(segment, passage).at(-1) ?? '')
    const share = roleOf(heading, names) === 'introduction' ? 1 : passage === start ? unnamed : 0
    if (share > (best?.share ?? 0)) best = { share, passage }
  }
  return best
}

/** A line that gets something from elsewhere: the first word is the program that does so. */
const gets = /\b(?:install|add|get|pull|create|clone|download|tap|run)\b|\s-S\w*\s|^(?:curl|wget)\b/i
const shell =
  /^(?:|sh|bash|shell|zsh|fish|console|shell-session|shellsession|terminal|powershell|ps1|cmd|bat|text)$/i
const mostLines = 400
/** Who gets the source wants to change or to build it. */
const ofSource = 0.4
/** What makes a project of the product: `npm create foo-app`, `cargo install create-foo-app`. */
const ofCreated = 0.8

/** Where a page shows a command that gets the product: the name stands behind the verb, and no other name beside it. */
export function acquisitionIn(
  segment: Segment,
  page: number,
  names: ReadonlySet<string>,
): Evidence | undefined {
  let best: Evidence | undefined
  for (const passage of passagesOf(segment, page))
    for (const line of commandsIn(passageText(segment, passage))) {
      const share = gotBy(line, names)
      if (share > (best?.share ?? 0)) best = { share, passage }
    }
  return best
}

/** How surely a command line gets what a site is about. */
function gotBy(line: string, names: ReadonlySet<string>): number {
  const command = line.trim().replace(/^(?:[$>#%]\s+)?(?:sudo\s+)?/, '')
  const verb = gets.exec(command)
  if (verb === null) return 0
  const words = command.split(/[\s"'|;&]+/)
  const named = words.flatMap((word, at) => (nameIn(word, names) > 0 ? [{ word, at }] : []))
  const [first] = named
  // What the product itself does is no way to get it.
  if (first === undefined || first.at === 0 || command.indexOf(first.word) < verb.index) return 0
  // A thing that is created may be called like the product; a project of it is made by a package.
  const isCreated = verb[0].toLowerCase() === 'create'
  const share = isCreated
    ? named.some(({ word }) => word.includes('-'))
      ? ofCreated
      : 0
    : Math.max(...named.map(({ word }) => (/\bcreate-/.test(word) ? ofCreated : nameIn(word, names))))
  return /^git\b/.test(command) ? share * ofSource : share
}

/** Whether a word of a command is the product (1), or one of its parts. */
function nameIn(word: string, names: ReadonlySet<string>): number {
  const isAddress = /:\/\//.test(word)
  const parts = word
    .replace(/[@:=][\dv{<$][^@:=]*$/, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}-]+/u)
    .filter((part) => part !== '')
  const own = parts.filter((part) => isTerm(part, names))
  if (own.length > 0 && (isAddress || own.length === parts.length)) return 1
  if (own.length > 0) return 0.6
  return parts.some((part) => part.split('-').some((one) => isTerm(one, names))) ? 0.5 : 0
}

/** Lines of code that a shell may run. */
function* commandsIn(text: string): Generator<string> {
  let language: string | undefined
  for (const line of text.slice(0, longest).split('\n', mostLines)) {
    const fence = /^\s*(?:`{3,}|~{3,})\s*\{?\.?([\w-]*)/.exec(line)
    if (fence) language = language === undefined ? (fence[1] ?? '') : undefined
    else if (language !== undefined && shell.test(language) && line.length <= 300) yield line
  }
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
  return names.has(term)
}
