import { type TermRule, rankGlossaries, readGlossary } from '../../../lib/glossary.ts'
import type { PageLine } from './docs-site.ts'
import { type Finding, short } from './problem.ts'
import type { SiteView } from './site-view.ts'
import { withoutCode } from './snippet-reference.ts'
import type { FileVersion } from './tree-change.ts'

export interface Glossary {
  path: string
  rules: { term: string; variant: string; pattern: RegExp }[]
}

const glossaryFile = /(?:^|\/)glossary\.(?:ya?ml|json|mdx?)$/i
const maxRules = 300
const maxLine = 5000

/** The first glossary of the tree that says which spellings a term replaces. */
export async function findGlossary(view: SiteView): Promise<Glossary | undefined> {
  const paths = [...view.oids().keys()].filter((path) => glossaryFile.test(path))
  for (const path of rankGlossaries(paths).slice(0, 5)) {
    const rules = readGlossary((await view.text(path)) ?? '', path, { strict: true }).slice(0, maxRules)
    if (rules.length > 0) return { path, rules: rules.flatMap(patternsOf) }
  }
  return undefined
}

/** Spellings in the text of a page for which the glossary has another. Code, addresses and keys may be spelled as they like. */
export function checkTerms({ path, lines }: FileVersion, glossary: Glossary | undefined): Finding[] {
  if (glossary === undefined || path === glossary.path) return []
  return lines.flatMap((line, at) => {
    const text = proseOf(line)
    if (text.trim() === '') return []
    return glossary.rules.flatMap(({ term, variant, pattern }): Finding[] =>
      [...text.matchAll(pattern)]
        .filter(({ index }) => !isInside(text, index, { term, variant }))
        .map(() => ({
          check: 'term',
          line: at + 1,
          message: `${short(variant, 60)} is written ${short(term, 60)} here`,
          hint: `Write ${short(term, 60)}, as ${glossary.path} says`,
          same: `term ${variant}`,
        })),
    )
  })
}

function patternsOf({ term, variants }: TermRule): Glossary['rules'] {
  const all = new Set(variants)
  for (const variant of variants) {
    // A sentence may begin with it; a term that is written small keeps its way only in the middle.
    const capital = variant.charAt(0).toUpperCase() + variant.slice(1)
    if (capital.toLowerCase() !== term.toLowerCase()) all.add(capital)
  }
  all.delete(term)
  return [...all]
    .filter((variant) => variant.length <= 100)
    .map((variant) => {
      const words = variant.split(/\s+/).map((word) => word.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'))
      return {
        term,
        variant,
        pattern: new RegExp(`(?<![\\p{L}\\p{N}_])${words.join('\\s+')}(?![\\p{L}\\p{N}_])`, 'gu'),
      }
    })
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

/** What of a line is written for people. */
function proseOf({ kind, text }: PageLine): string {
  const line = text.slice(0, maxLine)
  if (kind === 'front_matter')
    return /^(?:title|description|sidebarTitle|sidebar_label):\s*(.*)$/.exec(line)?.[1] ?? ''
  if (kind !== 'text' || /^(?:import|export)\s/.test(line)) return ''
  return withoutCode(line)
    .replace(/\]\([^()\n]*(?:\([^()\n]*\)[^()\n]*)*\)/g, ']')
    .replace(/^\s*\[[^\]]+\]:.*$/, '')
    .replace(/<!--.*?-->|\{[^{}]*\}/g, ' ')
    .replace(/<[^<>]*>/g, ' ')
    .replace(/(?:https?:\/\/|www\.)\S+|\S+@\S+\.\S+/gi, ' ')
    .replace(/[\w.-]*\/[\w./-]+/g, ' ')
}
