import type { TermRule } from '../../lib/glossary.ts'
import {
  formOf,
  isQuotation,
  matchForm,
  rawValueOf,
  valueOf,
  type Form,
  type Slots,
  type Word,
} from './forms.ts'
import type { Masked } from './mask.ts'
import type { Request, Scope } from './request.ts'

/** A kind of request without a text to add: its forms, the most specific first, and what they mean. */
interface Meaning {
  forms: readonly Form[]
  /** Undefined where the words match the form by chance. */
  read: (slots: Slots, asked: Asked) => Request | undefined
}

interface Asked {
  words: readonly Word[]
  masked: Masked
  flags: Record<keyof typeof flags, boolean>
}

/** Options of a request, which are removed before the forms are tried. */
const flags = {
  ignoreCase: ['ignoring case', 'ignoring the case', 'case insensitive', 'case-insensitive', 'in any case'],
  prose: ['but not in code', 'not in code', 'except in code', 'in prose only', 'only in prose', 'prose only'],
  code: [
    'including code blocks',
    'including code',
    'also in code',
    'in code too',
    'and in code',
    'even in code',
  ],
  links: ['including links', 'also in links', 'in links too', 'and in links', 'links included'],
  file: ['and its file', 'and the file', 'and its file name', 'and its path', 'including its file'],
  whole: ['as whole words', 'as a whole word', 'whole words only'],
}

const counted = 'all|every|each|any|the|both* occurrences_of|instances_of|mentions_of|uses_of|references_to?'
const names =
  'word|words|text|term|terms|phrase|string|name|sentence|product|company|brand|value|tool|feature|library|project'
/** Nouns that say that a text is code, and those that say that it is an address. */
const codeNames =
  'command|endpoint|route|flag|option|parameter|argument|setting|function|method|class|component|variable|property|field|header|package|module|path|file_name|key'
const addressNames = 'url|urls|domain|host|hostname|address'
const named = `the? old|new|exact? ${names}|${codeNames}|${addressNames}?`
const links = 'all|the|every|our|any|external* links|link|link_targets|urls|hyperlinks'
const httpLinks = 'all|the|every|our|any* http|http:// links|link|urls|addresses'
const pageWord = 'page|article|document|file|guide|doc'
const to = 'to|into|as|->|→|=>'

function meaning(read: Meaning['read'], ...patterns: string[]): Meaning {
  return { forms: patterns.map(formOf), read }
}

const meanings: readonly Meaning[] = [
  meaning(
    () => ({ kind: 'help' }),
    'help me?',
    'what can|do you do|know',
    'what|which requests|things can|do you do|know|understand',
  ),
  meaning(
    readHttps,
    `change|update|switch|convert|replace|turn|move|upgrade ${httpLinks} to|with|by|into {to} {where}?`,
    `change|update|switch|convert|replace|move|upgrade ${links} from {from} to {to} {where}?`,
    `replace|change|swap {from} with|by|to|for {to} in|for|on ${links} {where}?`,
    `always? use|prefer {to} instead_of|rather_than|not|over {from} in|for|on ${links} {where}?`,
    `always? use|prefer {to} in|for|on ${links} {where}?`,
    `make ${links} use? {to} {where}?`,
  ),
  meaning(
    readTerms,
    'always? use|prefer|spell the? term|spelling|word? {term} instead_of|rather_than|over|not|and_not {list} {where}?',
    'always? write|say the? term|word? {quoted} instead_of|rather_than|not|and_not {list} {where}?',
    'normalise|normalize|standardise|standardize|unify {list} to|as|into {term} {where}?',
  ),
  meaning(
    readVersion,
    'update|upgrade|bump|raise|change|set|increase the? {product} version from {from} to version? {to} {where}?',
    'update|upgrade|bump|raise|change|set|increase the? version of {product} from {from} to version? {to} {where}?',
    'update|upgrade|bump|raise {product} from version? {version} to version? {to} {where}?',
    'update|upgrade|bump|raise|change|set|increase the? {product} version to version? {to} {where}?',
    'update|upgrade|bump|raise|change|set|increase the? version of {product} to version? {to} {where}?',
    'update|upgrade|bump|raise the? {product} to version? {to} {where}?',
  ),
  meaning(
    ({ file, where }, { masked }) => {
      const name = file && valueOf(file, masked)
      return { kind: 'terms', rules: [], file: name, scope: readScope(where, masked) }
    },
    'normalise|normalize|standardise|standardize|unify|apply|use|follow the|our|all* terms|terminology|glossary from|using|with|by|in? the|our? {file} {where}?',
    'normalise|normalize|standardise|standardize|unify the|our|all* terms|terminology from|using|with|by|of the|our? glossary {where}?',
    'normalise|normalize|standardise|standardize|unify|apply|use|follow the|our|all* terms|terminology|glossary {where}?',
  ),
  meaning(
    ({ page, given, quoted }, { masked }) => {
      const named = rawValueOf(page, masked).replace(/['’]s$/, '')
      if (/^(?:(?:all|every|each|any)\b|(?:the )?(?:pages|docs)\b)/i.test(named)) return undefined
      return {
        kind: 'describe',
        page: named,
        description: (given ?? quoted) && valueOf(given ?? quoted, masked),
      }
    },
    'change|set|update|edit|replace the? page|meta? description of|for|on|in {page} to|with|as {given}',
    'change|set|update|edit|replace the? {page} description to|with|as {given}',
    'add|write|set|put|give a|the description to|for|on|of|in {page} saying|reading {given}',
    'add|set|put|use the|a? description {quoted} to|for|on|of|as {page}',
    'add|write|create|set a|the|missing* description to|for|on|in {page}',
  ),
  meaning(
    ({ page, title }, { masked }) => ({
      kind: 'rename',
      page: rawValueOf(page, masked).replace(/['’]s$/, ''),
      title: valueOf(title, masked),
      file: false,
    }),
    `change|set|update|make|edit|replace|rename the? page? title|heading of|for|on|in {page} ${to}|with {title}`,
    `change|set|update|make|edit|rename the? {page} title ${to} {title}`,
  ),
  meaning(
    readMove,
    `move|relocate|rename the? ${pageWord}? {page} to|into|under|->|→|=> the? folder|directory? {target} folder|directory?`,
  ),
  meaning(
    ({ page, title }, { masked, flags: { file } }) => ({
      kind: 'rename',
      page: rawValueOf(page, masked),
      title: valueOf(title, masked),
      file,
    }),
    `rename|retitle the? ${pageWord} {page} ${to} {title}`,
    `rename|retitle the? {page} ${pageWord} ${to} {title}`,
    `retitle {page} ${to} {title}`,
  ),
  meaning(
    ({ page, file }, { masked }) => {
      const named = rawValueOf(page ?? file, masked)
      if (file && !pathLike.test(valueOf(file, masked))) return undefined
      // `Delete "some text" from …` is about a text.
      if (/\bfrom\b/i.test(named) || /^(?:all|every|any|unused|old|empty)\b.*s$/i.test(named))
        return undefined
      return { kind: 'delete', page: named }
    },
    `delete|remove|drop the? ${pageWord} {page}`,
    `delete|remove|drop the? {page} ${pageWord}`,
    'delete|remove|drop {file}',
  ),
  meaning(
    ({ from, to: target, where }, { words, masked, flags: { code } }) => {
      const [old, next] = [valueOf(from, masked), valueOf(target, masked)]
      // "Fix the links to work" contains no address.
      const isAddress = isQuotation(from) || /[/.:#]/.test(old) || words.at(-1)?.key === 'links'
      return isAddress
        ? { kind: 'relink', from: old, to: next, code, scope: readScope(where, masked) }
        : undefined
    },
    'change|update|replace|point|fix|redirect all|every|the|any|each|old* link|links|url|urls from|of|to? {from} to|with|by|into {to} {where}?',
    `replace|change|update {from} with|by|to|into {to} in ${links} {where}?`,
  ),
  meaning(({ where }, { words, masked }) => {
    const noun = words.find(({ key }) => /^(?:links?|hyperlinks|references|anchors?|images?)$/.test(key))?.key
    const only = noun?.startsWith('anchor') ? 'anchor' : noun?.startsWith('image') ? 'image' : undefined
    return { kind: 'links', only, scope: readScope(where, masked) }
  }, 'find|check|check_for|look_for|search_for? and? fix|repair|correct|mend all|any|every|the|our|broken|dead|invalid|wrong|internal* links_and_images|links|link|hyperlinks|references|anchors|anchor|images|image {where}?'),
  meaning(
    ({ where }, { words, masked }) => {
      const isTitle = words.some(({ key }) => /^titles?$/.test(key))
      const field = isTitle ? 'title' : 'description'
      return { kind: 'add missing', field, scope: readScope(where, masked) }
    },
    'add|write|fill_in|fill|generate|create|set|fix all|any|the* missing|absent page|meta|front_matter|frontmatter|seo* descriptions|description|titles|title {where}?',
    'add|write|generate|create|set|give a|the|page|meta* descriptions|description|titles|title to|for|on all|every|each|the|any* pages|page|docs that|which|without|lacking|missing|with_no {rest}',
  ),
  meaning(
    ({ where }, { masked }) => ({ kind: 'typos', scope: readScope(where, masked) }),
    'fix|correct|repair all|any|the|common* typos|misspellings|spelling|spelling_mistakes|spelling_errors {where}?',
  ),
  meaning(
    ({ wrong, right, quoted, where }, { masked }) => ({
      kind: 'typo',
      wrong: valueOf(quoted ?? wrong, masked),
      right: right && valueOf(right, masked),
      scope: readScope(where, masked),
    }),
    'fix|correct the|a* typo|misspelling|spelling_of {wrong} to|with|as|->|→|=>|should_be|is {right} {where}?',
    'fix|correct the|word* {quoted} to|with|->|→|=>|should_be {right} {where}?',
    'fix|correct the|a* typo|misspelling|spelling_of {wrong} {where}?',
    'the|word|typo* {quoted} should_be|must_be|should_read {right} {where}?',
  ),
  meaning(
    readReplace,
    `replace|substitute|swap ${counted} ${named} {from} with|by|for ${named} {to} {where}?`,
    `find ${counted} ${named} {from} and replace|change it|them with|by|to|into ${named} {to} {where}?`,
    `change|rename|convert|turn|switch|rebrand|update ${counted} ${named} {from} to|into|->|→|=> ${named} {to} {where}?`,
    'change|update|set|replace|increase|raise|lower|reduce|switch the? {what} from {from} to|with|into {to} {where}?',
  ),
]

/** Reads a request without a text to add. */
export function parseChangeRequest(words: readonly Word[], masked: Masked): Request | undefined {
  const found = takeFlags(words)
  for (const { forms, read } of meanings) {
    for (const form of forms) {
      const slots = matchForm(form, found.words, isUnconditional)
      const request = slots && read(slots, { ...found, masked })
      if (request) return request
    }
  }
  return undefined
}

const condition =
  /^(?:except|unless|excluding|but|if|only|don['’]?t|not|never|because|so|whether|since|while|until|instead)$/

/** "Except in the guides" or "if nothing links to it" would be lost, so such a request is not understood. */
function isUnconditional({ given: _, rest: __, list: ___, ...slots }: Slots): boolean {
  return Object.values(slots).every((words) => words?.every(({ key }) => !condition.test(key)) ?? true)
}

function takeFlags(words: readonly Word[]): Pick<Asked, 'words' | 'flags'> {
  let rest = [...words]
  const take = (phrases: readonly string[]) => {
    for (const phrase of phrases) {
      const keys = phrase.split(' ')
      const at = rest.findIndex((_, index) => keys.every((key, offset) => rest[index + offset]?.key === key))
      if (at < 1) continue
      rest = rest.toSpliced(at, keys.length)
      return true
    }
    return false
  }
  const found = {
    ignoreCase: take(flags.ignoreCase),
    prose: take(flags.prose),
    code: take(flags.code),
    links: take(flags.links),
    file: take(flags.file),
    whole: take(flags.whole),
  }
  return { words: rest, flags: found }
}

function readTerms({ term, quoted, list, where }: Slots, { masked }: Asked): Request | undefined {
  const rule = { term: valueOf(term ?? quoted, masked), variants: readList(textOfList(list), masked) }
  if (rule.term === '' || rule.variants.length === 0) return undefined
  return { kind: 'terms', rules: [rule], file: undefined, scope: readScope(where, masked) }
}

function textOfList(words: readonly Word[] | undefined): string {
  return (words ?? []).map((word) => word.text).join(' ')
}

function readList(list: string, masked: Masked): string[] {
  const values = list
    .split(/,| (?:and|or) /i)
    .map((piece) => masked.valueOf(piece.replace(/^\s*(?:and|or) /i, '')))
    .filter((value) => value !== '')
  const isMore =
    /\b(?:in|on|for|across) (?:all|the|our|links?|code|titles?|headings?)\b|\uE001\s+(?!and\b|or\b)\w/i
  return values.some((value) => value.length > 80) || isMore.test(list)
    ? []
    : [...new Set(values)].slice(0, 50)
}

/** `GitHub: Github, git hub` and `Github, git hub → GitHub`, one per line. */
export function readRules(content: string, masked: Masked): TermRule[] {
  return content.split(/\n|;/).flatMap((line) => {
    const pair = line.replace(/^\s*[-*+•]\s/, '').replace(/\.\s*$/, '')
    const arrow = /->|→|=>/.exec(pair)
    const colon = pair.indexOf(':')
    const at = arrow ? arrow.index : colon
    if (at < 0) return []
    const [before, after] = [pair.slice(0, at), pair.slice(at + (arrow?.[0].length ?? 1))]
    const [term, list] = arrow ? [after, before] : [before, after]
    const rule = { term: masked.valueOf(term), variants: readList(list, masked) }
    return rule.term === '' || rule.variants.length === 0 ? [] : [rule]
  })
}

const pathLike = /^\S*\.(?:md|mdx|markdown)$|^[^\s/]*\/\S*$/i

function readMove({ page, target }: Slots, { words, masked }: Asked): Request | undefined {
  const from = rawValueOf(page, masked)
  const path = valueOf(target, masked)
  const isFolder = words.some(({ key }) => key === 'folder' || key === 'directory')
  const to = isFolder && !path.endsWith('/') ? `${path}/` : path
  const isMove = /^(?:move|relocate)$/.test(words[0]?.key ?? '')
  if (pathLike.test(to) && (isMove || pathLike.test(from.replaceAll(/["'`“”]/g, ''))))
    return { kind: 'move', page: from, to }
  if (isMove && /^\S+$/.test(to) && !isQuotation(target)) return { kind: 'move', page: from, to: `${to}/` }
  return undefined
}

function readReplace(slots: Slots, { words, masked, flags }: Asked): Request | undefined {
  const exact = isQuotation(slots.from)
  const from = valueOf(slots.from, masked)
  const next = valueOf(slots.to, masked)
  const verb = words[0]?.key ?? ''
  if (from === '' || (!exact && isVague(slots, from, next, verb, words))) return undefined
  const scope = readScope(slots.where, masked)
  const options = { exact, ignoreCase: flags.ignoreCase, scope }
  const near = slots.what?.at(-1)?.key
  if (near === undefined) {
    const noun = words[words.indexOf(slots.from?.[0] ?? nowhere) - 1]?.key ?? ''
    const means = (nouns: string) => nouns.split('|').includes(noun)
    const isCode = flags.code || means(codeNames) || isBackticked(slots.from, masked)
    const code = flags.prose ? false : isCode ? true : undefined
    const isPlain = !exact && before(slots, words) === verb
    const isRename = verb === 'rename' && (isPlain || exact) && !means(codeNames) && !means(addressNames)
    return {
      kind: 'replace',
      from,
      to: next,
      ...options,
      code,
      links: flags.links || means(addressNames),
      near,
      inNames: flags.code,
      // "Rename X to Y" may mean a page.
      maybePage: isRename && scope.kind === 'everywhere' && !means(names),
    }
  }
  // The word before a number decides which numbers are meant; without quotes, other words are ambiguous.
  const [old, wanted] = [numberOf(from), numberOf(next)]
  if (!exact && (!old || !wanted || (old.unit !== '' && old.unit !== wanted.unit))) return undefined
  const find = old && wanted ? `${old.number}${old.unit === '' ? wanted.unit : old.unit}` : from
  const code = !flags.prose
  return {
    kind: 'replace',
    from: find,
    to: next,
    ...options,
    code,
    links: true,
    near,
    inNames: false,
    maybePage: false,
  }
}

/** `30 seconds` is a number and its unit. */
function numberOf(text: string): { number: string; unit: string } | undefined {
  const found = /^(v?\d[\d.,]*)( ?[a-z%]{0,20})$/i.exec(text)
  return found ? { number: found[1] ?? '', unit: found[2] ?? '' } : undefined
}

const nowhere: Word = { text: '', key: '' }

function before(slots: Slots, words: readonly Word[]): string {
  return words[words.indexOf(slots.from?.[0] ?? nowhere) - 1]?.key ?? ''
}

function readHttps(
  { from, to: target, where }: Slots,
  { masked, flags: { code } }: Asked,
): Request | undefined {
  const protocol = (words: readonly Word[] | undefined) =>
    /^(https?)(?::\/\/)?$/i.exec(valueOf(words, masked))?.[1]?.toLowerCase()
  const isFromHttp = from === undefined || protocol(from) === 'http'
  if (!isFromHttp || protocol(target) !== 'https') return undefined
  return { kind: 'relink', from: 'http://', to: 'https://', code, scope: readScope(where, masked) }
}

const noVersion =
  /^(?:port|timeout|limit|year|number|size|count|price|date|time|it|them|everything|docs|documentation|pages?|links?|text|version)$/

/** "Update Node.js to 24" and "the minimum Node version from 18 to 20". */
function readVersion(
  { product, from, version, to: target, where }: Slots,
  { masked }: Asked,
): Request | undefined {
  const isMinimum = product?.some(({ key }) => /^(?:minimum|minimal|min|required|lowest)$/.test(key)) ?? false
  const name = (product ?? []).filter(
    ({ key }) =>
      !/^(?:minimum|minimal|min|required|lowest|latest|current|supported|default|recommended|the|our|all)$/.test(
        key,
      ),
  )
  const old = (from ?? version) && valueOf(from ?? version, masked)
  const next = valueOf(target, masked)
  const isNumber = (text: string) => /^v?\d+(?:\.[\dx]+)*(?:-[\w.]+)?$/i.test(text)
  if (name.length === 0 || name.length > 3 || name.some(({ key }) => noVersion.test(key))) return undefined
  if (!isNumber(next) || (old !== undefined && !isNumber(old))) return undefined
  const bare = (text: string) => text.replace(/^v/i, '')
  return {
    kind: 'version',
    product: valueOf(name, masked),
    from: old === undefined ? undefined : bare(old),
    to: bare(next),
    minimum: isMinimum,
    scope: readScope(where, masked),
  }
}

/** A text between backticks is code. */
function isBackticked(words: readonly Word[] | undefined, masked: Masked): boolean {
  return isQuotation(words) && rawValueOf(words, masked).startsWith('`')
}

/** What pages consist of: without quotes it is a description and no text. */
const vague =
  /^(?:it|them|this|that|these|those|everything|something|things?|all|the)$|\b(?:pages?|docs|documentation|sections?|tone|style|examples?|screenshots?|diagrams?|tutorials?|guides?|navigation|sidebar|layout|wording|language|tabs?|spaces?|indentation|lists?|bullets?|tables?|headings?|titles?|descriptions?|images?|pictures?|videos?|icons?|emojis?|quotes?|dash(?:es)?|commas?|blocks?|snippets?|comments?|notes?|admonitions?|callouts?|paragraphs?|sentences?|links?|footnotes?|acronyms?|abbreviations?|text)$/i

/** Without quotes the words may describe work instead of a text on a page. */
function isVague(slots: Slots, from: string, next: string, verb: string, words: readonly Word[]): boolean {
  if (vague.test(from) || vague.test(next)) return true
  // "Globex for consistency" and "Acme in the guides" say more than a text.
  if ([from, next].some((text) => /\b(?:for|in|on|from|across|throughout|within|with)\s+\S/i.test(text)))
    return true
  if (/^(?:an?|some|another|something|better|newer)\b/i.test(next)) return true
  if (slots.what) return false
  const previous = before(slots, words)
  const isName = /\p{Lu}|\d|[^\p{L}\p{N}\s-]/u.test(from)
  // "the intro" is a description, "the word intro" and "the Acme" are texts.
  if (previous === 'the' && !isName) return true
  const isNumber = (text: string) => /^v?\d/.test(text)
  // A number alone does not say what it counts.
  if (isNumber(from)) return true
  if (/^(?:replace|substitute|swap|find)$/.test(verb)) return false
  if (isNumber(next)) return true
  const isExplicit = previous !== verb && !/^(?:the|all|every|each|any)$/.test(previous)
  return !isExplicit && (verb === 'update' || !isName)
}

/** "In guides/", "in the quickstart page", "everywhere"; without a place it is everywhere. */
function readScope(words: readonly Word[] | undefined, masked: Masked): Scope {
  const all = /^(?:everywhere|globally)$/.test(words?.[0]?.key ?? '') ? words?.slice(1) : words
  const scopeText = (all ?? []).map(({ key }) => key).join(' ')
  if (all === undefined || scopeText === '' || everywhere.test(scopeText)) return { kind: 'everywhere' }
  const named = preposition.test(all[0]?.key ?? '') ? all.slice(1) : all
  const keys = named.map(({ key }) => key)
  const inside = named.slice(keys.findIndex((_, at) => pagesOf.test(keys.slice(0, at + 1).join(' '))) + 1)
  const isFolder = /^(?:folder|directory)$/.test(inside.at(-1)?.key ?? '')
  const bare = inside.filter(({ key }) => !/^(?:the|folder|directory)$/.test(key))
  const path = valueOf(bare, masked)
  if (bare.length === 1 && (isFolder || inside.length < named.length || path.endsWith('/')))
    return { kind: 'folder', path: path.replace(/^(?:\.?\/)+|(?<!\/)\/+$/g, '') }
  return { kind: 'pages', named: isQuotation(named) ? valueOf(named, masked) : rawValueOf(named, masked) }
}

const everywhere =
  /^(?:throughout|(?:(?:in|across|throughout|over|on|of|for) )?(?:(?:all|the|our|my|these|every|each|whole|entire|of) )*(?:docs?|documentation|documents|pages?|files?|site|website|repo|repository|project))$/
const preposition = /^(?:in|on|from|across|throughout|within|under|inside|for|of)$/
const pagesOf = /^(?:(?:all|every|the|our) )*(?:pages?|files?|docs) (?:in|under|of|inside|below)$/
