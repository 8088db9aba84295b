import { type TermRule, rankGlossaries, readGlossary } from '../../lib/text/glossary.ts'
import { visit } from 'unist-util-visit'
import { type Span, blankSpans, spanOf } from '../markdown/page-tree.ts'
import { lineFinder } from '../text/text-file.ts'
import { type Finding, short } from './problem.ts'
import type { SiteView } from './site-view.ts'
import type { FileVersion } from './tree-change.ts'

export interface Glossary {
  path: string
  /** Finds the first word of every spelling that is not to be used. */
  pattern: RegExp
  /** The right term for each such spelling, which is written with single spaces. */
  terms: ReadonlyMap<string, string>
  /** The lengths of the spellings that begin with a word, the longest first. */
  lengths: ReadonlyMap<string, readonly number[]>
}

const glossaryFile = /(?:^|\/)glossary\.(?:ya?ml|json|mdx?)$/i
const maxRules = 300
const maxFound = 1000
const maxVariant = 100
const maxVariants = 1000

/** The first glossary of the tree that says which spellings a term replaces. */
export async function findGlossary(view: SiteView): Promise<Glossary | undefined> {
  const paths = [...view.oids().keys()].filter((path) => glossaryFile.test(path))
  for (const path of rankGlossaries(paths).slice(0, 5)) {
    const rules = readGlossary((await view.text(path)) ?? '', path, { strict: true }).slice(0, maxRules)
    const compiled = patternOf(rules)
    if (compiled.terms.size > 0) return { path, ...compiled }
  }
  return undefined
}

/** Finds spellings in the text of a page that the glossary replaces. Code, addresses and keys are not checked. */
export function checkTerms(file: FileVersion, glossary: Glossary | undefined): Finding[] {
  if (glossary === undefined || file.path === glossary.path) return []
  // The whole text is searched at once, because a term may be broken over two lines.
  const text = proseOf(file)
  const lineOf = lineFinder(text)
  const findings: Finding[] = []
  for (const { 0: first, index } of text.matchAll(glossary.pattern)) {
    const variant = spellingAt(text, index, glossary.lengths.get(first) ?? [], glossary)
    const term = variant === undefined ? undefined : glossary.terms.get(variant)
    if (variant === undefined || term === undefined || isInside(text, index, { term, variant })) continue
    // `github.com`, `@github`: a name of something else.
    const around = `${text.slice(Math.max(0, index - 1), index)} ${text.slice(index + first.length, index + first.length + 3)}`
    if (/^[.@/#$]|^.? \.\p{L}/u.test(around)) continue
    const message = `${short(variant, 60)} is written ${short(term, 60)} here`
    const hint = `Write ${short(term, 60)}, as ${glossary.path} says`
    findings.push({ check: 'term', line: lineOf(index), message, hint, same: `term ${variant}` })
    if (findings.length >= maxFound) break
  }
  return findings
}

function spellingAt(
  text: string,
  index: number,
  lengths: readonly number[],
  { terms }: Glossary,
): string | undefined {
  // Words may be separated by several spaces or by a line end, but not by an empty line.
  const written = text
    .slice(index, index + 2 * maxVariant)
    .replace(/[^\S\n]{0,100}\n[^\S\n]{0,100}|[^\S\n]{1,100}/g, ' ')
  const length = lengths.find(
    (one) => terms.has(written.slice(0, one)) && !/^[\p{L}\p{N}_]/u.test(written.slice(one, one + 2)),
  )
  return length === undefined ? undefined : written.slice(0, length)
}

function patternOf(rules: readonly TermRule[]): Omit<Glossary, 'path'> {
  const terms = new Map<string, string>()
  for (const { term, variants } of rules) {
    for (const variant of variants) {
      // A spelling may begin a sentence, so it is also looked for with a capital, unless that is the term itself.
      const capital = variant.charAt(0).toUpperCase() + variant.slice(1)
      for (const one of capital.toLowerCase() === term.toLowerCase() ? [variant] : [variant, capital]) {
        if (one.length <= maxVariant && one !== term && terms.size < maxVariants)
          terms.set(one.replace(/\s+/g, ' '), term)
      }
    }
  }
  const firstOf = (variant: string) => variant.split(' ', 1)[0] ?? ''
  const lengths = new Map(
    [...Map.groupBy(terms.keys(), firstOf)].map(([first, all]) => [
      first,
      [...new Set(all.map((variant) => variant.length))].sort((one, other) => other - one),
    ]),
  )
  // The longest first, as one may be the beginning of another.
  const firsts = [...lengths.keys()].sort((one, other) => other.length - one.length)
  const words = firsts.map((word) => word.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'))
  const pattern = `(?<![\\p{L}\\p{N}_])(?:${words.join('|')})(?![\\p{L}\\p{N}_])`
  return { terms, lengths, pattern: new RegExp(pattern, 'gu') }
}

/** `Acme` in `Acme Cloud` is right already. */
function isInside(
  text: string,
  index: number,
  { term, variant }: { term: string; variant: string },
): boolean {
  const offset = term.indexOf(variant)
  return offset !== -1 && text.startsWith(term, index - offset)
}

/** What of a page is written for people; everything else is blank, and lines are those of the page. */
function proseOf({ text, tree }: FileVersion): string {
  if (tree === undefined) return ''
  const spans: Span[] = []
  visit(tree, (node, _index, parent) => {
    const [start, end] = spanOf(node)
    if (node.type === 'yaml')
      for (const { 0: line, 1: value = '', index } of text.slice(start, end).matchAll(titleLine))
        spans.push([start + index + line.length - value.length, start + index + line.length])
    else if (node.type === 'image' || node.type === 'imageReference') {
      const words = node.alt ?? ''
      if (text.startsWith(words, start + 2)) spans.push([start + 2, start + 2 + words.length])
    } else if (node.type === 'text') {
      // Autolinks are addresses, not prose: nothing follows their text but `>`.
      const isAddress = parent?.type === 'link' && spanOf(parent)[1] - end < 2
      if (!isAddress) spans.push([start, end])
    } else if (node.type === 'textDirective') spans.push([start, end])
    else if (node.type === 'html' && !/^<(?:script|style|svg|pre)\b/i.test(node.value))
      spans.push([start, end])
  })
  return withoutMarkup(onlySpans(text, spans))
}

const titleLine = /^(?:title|description|sidebarTitle|sidebar_label):[ \t]*(?![ \t])(.*)$/gm

function onlySpans(text: string, shown: readonly Span[]): string {
  const hidden: Span[] = []
  let at = 0
  for (const [start, end] of shown.toSorted(([one], [other]) => one - other)) {
    if (start > at) hidden.push([at, start])
    at = Math.max(at, end)
  }
  return blankSpans(text, [...hidden, [at, text.length]])
}

/** Comments, templates, tags and addresses; line ends stay. */
function withoutMarkup(text: string): string {
  const blank = (part: string) => part.replace(/[^\n]/g, ' ')
  return text
    .replace(/<!--(?:(?!<!--)[\s\S])*?-->/g, blank)
    .replace(/\{[^{}]*\}/g, blank)
    .replace(/\{[^{}]*\}/g, blank)
    .replace(/<[A-Za-z/][^<>]*>/g, blank)
    .replace(/(?:https?:\/\/|www\.)\S+|[^\s@]{1,100}@[^\s@]{1,100}\.[^\s@]{1,20}/gi, blank)
    .replace(/[\w.-]{0,100}\/[\w./-]+/g, blank)
}
