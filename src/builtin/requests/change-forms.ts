import { readScope, takeFlags, type Asked } from './asked.ts'
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
import { addressNames, codeNames, readReplace, readVersion, textNames } from './replace-forms.ts'
import type { Request } from './request.ts'

/** A kind of request without a text to add: its forms, the most specific first, and what they mean. */
interface Meaning {
  forms: readonly Form[]
  /** Undefined where the words match the form by chance. */
  read: (slots: Slots, asked: Asked) => Request | undefined
}

const counted = 'all|every|each|any|the|both* occurrences_of|instances_of|mentions_of|uses_of|references_to?'
const named = `the? old|new|exact? ${textNames}|${codeNames}|${addressNames}?`
const links = 'all|the|every|our|any|external* links|link|link_targets|urls|hyperlinks'
const broken =
  'all|any|every|the|our|broken|dead|invalid|wrong|internal* links_and_images|links|link|hyperlinks|references|anchors|anchor|images|image'
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
    readTerms,
    'always? use|prefer|spell the? term|spelling|word? {term} instead_of|rather_than|over|not|and_not {list} {where}?',
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
    ({ page, given }, { masked }) => {
      const named = rawValueOf(page, masked).replace(/['’]s$/, '')
      if (/^(?:(?:all|every|each|any)\b|(?:the )?(?:pages|docs)\b)/i.test(named)) return undefined
      return { kind: 'describe', page: named, description: valueOf(given, masked) }
    },
    'change|set|update|edit|replace the? page|meta? description of|for|on|in {page} to|with|as {given}',
    'change|set|update|edit|replace the? {page} description to|with|as {given}',
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
  }, `find|check|check_for|look_for|search_for? and? fix|repair|correct|mend ${broken} {where}?`),
  meaning(({ where }, { words, masked }) => {
    const isTitle = words.some(({ key }) => /^titles?$/.test(key))
    const field = isTitle ? 'title' : 'description'
    return { kind: 'add missing', field, scope: readScope(where, masked) }
  }, 'add|write|fill_in|fill|generate|create|set|fix all|any|the* missing|absent page|meta|front_matter|frontmatter|seo* descriptions|description|titles|title {where}?'),
  meaning(
    ({ where }, { masked }) => ({ kind: 'typos', scope: readScope(where, masked) }),
    'fix|correct|repair all|any|the|common* typos|misspellings|spelling|spelling_mistakes|spelling_errors {where}?',
  ),
  meaning(
    readReplace,
    `replace|substitute|swap ${counted} ${named} {from} with|by|for ${named} {to} {where}?`,
    `change|rename|convert|turn|switch|rebrand|update ${counted} ${named} {from} to|into|->|→|=> ${named} {to} {where}?`,
    'change|update|set|replace|increase|raise|lower|reduce|switch the? {what} from {from} to|with|into {to} {where}?',
  ),
]

/** Reads a request without a text to add. */
export function parseChangeRequest(words: readonly Word[], masked: Masked): Request | undefined {
  const sentence = takeFlags(words)
  for (const { forms, read } of meanings) {
    for (const form of forms) {
      const slots = matchForm(form, sentence.words, isUnconditional)
      const request = slots && read(slots, { ...sentence, masked })
      if (request) return request
    }
  }
  return undefined
}

const condition =
  /^(?:except|unless|excluding|but|if|only|don['’]?t|not|never|because|so|whether|since|while|until|instead)$/

/** "Except in the guides" or "if nothing links to it" would be lost, so such a request is not understood. */
function isUnconditional(slots: Slots): boolean {
  return Object.entries(slots).every(
    ([name, words]) =>
      ['given', 'rest', 'list'].includes(name) || (words ?? []).every(({ key }) => !condition.test(key)),
  )
}

function readTerms({ term, list, where }: Slots, { masked }: Asked): Request | undefined {
  const rule = { term: valueOf(term, masked), variants: readList(textOfList(list), masked) }
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
