import type { Judged } from './compose-answer.ts'
import { phrasesIn } from './phrases.ts'
import { safeText } from './safe-text.ts'

const mostQuotes = 3

/** The best answer to any of what somebody pasted: the lines say the same in several ways. */
export function chooseLine(lines: readonly (readonly [string, Judged])[], codes: readonly string[]): Judged {
  const rank = ({ outcome }: Judged): number => ['unanswered', 'weak', 'partial', 'answered'].indexOf(outcome)
  // What is documented under its own name is meant, whatever else the lines have in common with other pages.
  const byName = ([text, { quotes }]: readonly [string, Judged]): number => {
    if (!codes.includes(text) || !/[_\d:-]|\p{Ll}\p{Lu}|\s/u.test(text) || quotes.length === 0) return 0
    return quotes.some(({ link }) => plain(link).includes(plain(text))) ? 2 : 1
  }
  // Of lines that are answered as well, the longest says most.
  const [[, best] = []] = lines.toSorted(
    (one, other) =>
      byName(other) - byName(one) || rank(other[1]) - rank(one[1]) || other[0].length - one[0].length,
  )
  if (best === undefined) throw new Error('A text has no lines')
  const nearest = [...new Set(lines.flatMap(([, one]) => one.nearest))].slice(0, mostQuotes)
  return best.outcome === 'unanswered' ? { ...best, nearest } : best
}

function plain(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')
}

/** One answer to all parts of a question, which says which of them the documentation does not answer. */
export function joinParts(parts: readonly (readonly [string, Judged])[]): Judged {
  const [[, first] = [], ...others] = parts
  if (first === undefined) throw new Error('A question has no parts')
  if (others.length === 0) return first
  const isOpen = ({ outcome }: Judged): boolean => outcome === 'unanswered'
  const good = parts.filter(([, { outcome }]) => outcome === 'answered' || outcome === 'partial')
  // A passage that may not be the answer stands alone, or not at all.
  const quoting = good.length > 0 ? good : parts.filter(([, one]) => !isOpen(one)).slice(0, 1)
  const left = parts.filter((part) => !quoting.includes(part))
  const missing = [...new Set(parts.flatMap(([, one]) => one.missing))]
  const nearest = [...new Set(parts.flatMap(([, one]) => one.nearest))].slice(0, mostQuotes)
  if (quoting.length === 0) {
    const remarks = [...new Set(parts.flatMap(([, one]) => one.remarks))]
    return { ...first, missing, remarks, nearest }
  }
  const quotes = new Map(quoting.flatMap(([, one]) => one.quotes).map((quote) => [quote.link, quote]))
  const open = left.map(([text]) =>
    phrasesIn(first.language).noPart.replace('…', () => safeText(text.replaceAll('`', ''))),
  )
  const isWhole = left.length === 0 && good.every(([, { outcome }]) => outcome === 'answered')
  return {
    language: first.language,
    outcome: good.length === 0 ? 'weak' : isWhole ? 'answered' : 'partial',
    missing,
    remarks: [...new Set([...quoting.flatMap(([, one]) => one.remarks), ...open])],
    quotes: [...quotes.values()].slice(0, mostQuotes),
    nearest: [],
  }
}
