import { questionTerms } from './question-terms.ts'

const begins =
  /^(?:(?:and|but|so|or|also|then|ok(?:ay)?),? )+(?:how|what|where|when|why|which|can|could|do|does|is|are)\b/i
/** "The port" is that of what was spoken of; "my port" and "a port" need not be. */
const ownSubject = /\b(?:my|our|an?)\s+(?:own\s+)?(\p{L}[\p{L}\p{N}-]*)/giu

/**
 * Whether a question that goes on with a conversation is about something that it names itself: "And how do I use my own
 * model?". What was asked before then says little about it.
 */
export function hasOwnSubject(question: string): boolean {
  if (!begins.test(question)) return false
  return [...question.matchAll(ownSubject)].some(([, word = '']) =>
    [...questionTerms(word).values()].includes(1),
  )
}
