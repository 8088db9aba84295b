import { isUnspaced, questionTerms } from './question-terms.ts'

/** A question that leans on what was said before. */
const leans =
  /^(?:and|but|so|or|also|then|what about|how about|what if|why|why not|same|ok(?:ay)?,? (?:and|but)|which one|那|那么|还有|它|如果|为什么)\b|^(?:那|还有|它|另外)|\b(?:it|its|that|this|them|they|those|these|there|one|ones|same|above|previous|latter|former)\b|它|这个|那个|第[一二三四]个/i
const mostEarlier = 8
const longest = 400
/** Of what is sent: the rest is cut off anyway. */
const mostRead = 10_000

/** The last question in words that stand for themselves: a follow-up gets the key terms of the ones before. */
export function searchQuery(asked: readonly string[]): string {
  const question = cleaned(asked.at(-1) ?? '')
  if (!isFollowUp(question)) return question
  const own = questionTerms(question)
  const earlier: string[] = []
  const questions = asked.slice(0, -1).filter((text) => !text.startsWith('(Material to read'))
  for (const text of questions.reverse().slice(0, 3)) {
    const before = earlier.length
    for (const word of keyWords(cleaned(text))) {
      const known = [...questionTerms(word).keys()].every((term) => own.has(term))
      if (!known && !earlier.includes(word) && earlier.length < mostEarlier) earlier.push(word)
    }
    // The nearest question that names its subject is what this one is about.
    if (earlier.length > before && !isFollowUp(cleaned(text))) break
  }
  return earlier.length === 0 ? question : `${question} ${earlier.join(' ')}`.slice(0, longest * 2)
}

function isFollowUp(question: string): boolean {
  const terms = questionTerms(question)
  if (isUnspaced(question)) return question.length <= 6 || leans.test(question)
  return leans.test(question) || terms.size <= 1 || (terms.size <= 2 && question.split(/\s+/).length <= 3)
}

function keyWords(text: string): string[] {
  const pieces = isUnspaced(text) ? text.split(/[\s，。？！、?!,]+/) : text.split(/[\s?!,;:()"“”]+/)
  return pieces
    .map((word) => word.replace(/(?<![.])[.]+$/, ''))
    .filter((word) => questionTerms(word).size > 0)
}

function cleaned(text: string): string {
  const line = text.slice(0, mostRead).replace(/\s+/g, ' ').trim()
  return line.length <= longest ? line : line.slice(0, longest).toWellFormed()
}
