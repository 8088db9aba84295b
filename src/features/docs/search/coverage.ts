import { contentTerms } from './content-terms.ts'
import { idfOfTerm, unknownIdf } from './query.ts'
import { roleOf, type Role } from './roles.ts'
import type { SearchIndex } from './search-index.ts'
import { siteNames } from './site-names.ts'
import { scanWords, stopWords, termsOf } from './words.ts'

/** How a question and the titles and headings of a site stand to each other. */
export interface Coverage {
  /** What the question is about: its terms without stop words and without the names of the site. */
  subject: ReadonlySet<string>
  /** What the site is about, as terms. */
  names: ReadonlySet<string>
  /** Whether the question names the site's product, and nothing else. */
  isAboutSite: boolean
  /** What a beginner asks for, where the question is nothing else. */
  role: Role | undefined
  /** The role that a title or heading names. */
  roleOf(text: string): Role | undefined
  /**
   * How much a title or heading and the question cover each other: a short title that is entirely in the question gets
   * more than a long one that shares a word. In units of the question's weight.
   */
  of(text: string): number
  /** Whether a title or heading is the question: it has the same terms. */
  isSame(text: string): boolean
}

/** What is so much less rare than a word on no page stands on most pages. */
const usual = 0.1
/** The same for almost all of them. */
const everywhere = 0.03
const longest = 1000

export function coverageBy(index: SearchIndex, question: string): Coverage {
  const all = contentTerms(question)
  const known = siteNames(index)
  // What stands on almost all pages is a name too, and where they do not tell any, what stands on most.
  const names = new Set([...known, ...usualNames(index, question, known)])
  // A name stands on almost every page, so it tells nothing apart, and must not weigh in a title that holds it.
  const subject = contentTerms(question, names)
  const wanted = subject.size === 0 ? all : subject
  const termsIn = (text: string): Set<string> => contentTerms(text, subject.size === 0 ? undefined : names)
  return {
    subject,
    names,
    isAboutSite: subject.size === 0 && all.size > 0,
    role: roleOf(question, names),
    roleOf: (text) => roleOf(text, names),
    of(text) {
      let weight = 0
      let shared = 0
      for (const term of contentTerms(text)) {
        const idf = idfOfTerm(index, term)
        weight += idf
        if (all.has(term)) shared += idf
      }
      return shared === 0 ? 0 : (shared / weight) * shared
    },
    isSame(text) {
      if (asksOtherwise(text, question)) return false
      const terms = termsIn(text)
      // "Quickstart" is "quick start".
      if (wanted.size > 0 && joined(terms) === joined(wanted)) return true
      return terms.size === wanted.size && wanted.size > 0 && [...terms].every((term) => wanted.has(term))
    },
  }
}

/** The words of a question that stand on most pages: as terms. */
function usualNames(index: SearchIndex, question: string, known: ReadonlySet<string>): string[] {
  const names: string[] = []
  scanWords(question.slice(0, longest), (word) => {
    const { exact, stems } = termsOf(word)
    const [term = ''] = exact
    const idf = idfOfTerm(index, term)
    const least = (known.size === 0 ? usual : everywhere) * unknownIdf(index)
    if (!stopWords.has(term) && idf > 0 && idf < least) names.push(...exact, ...stems)
  })
  return names
}

/** "Why X" is another question than "what is X", although stop words make the difference. */
function asksOtherwise(text: string, question: string): boolean {
  const word = asking.exec(text)?.[0].toLowerCase()
  return word !== undefined && word !== asking.exec(question)?.[0].toLowerCase()
}

const asking = /\b(?:why|when|where|who|which|how (?:many|much|long|often|big|large|old|far|fast))\b/i

function joined(terms: ReadonlySet<string>): string {
  return [...terms].join('').replaceAll('~', '')
}
