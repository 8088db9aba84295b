import { questionTerms } from '../../lib/prompts/question-terms.ts'

const mostParts = 3
const longest = 400
/** Where another question begins: behind a sentence, or behind "and" with a word that asks. */
const between =
  /(?:[?.!;] (?:(?:and|but|also) )?|,? (?:and|but) (?:also )?)(?=(?:how|can|could|do|does|is|are|will|would|what|where|why|when|which|should|who)\b)/i

/** The questions in an English text that each say what they are about; the whole text where it is one. */
export function splitQuestion(text: string): string[] {
  if (text.length > longest || text.trim().includes('\n')) return [text]
  const parts = text
    .replaceAll(/\s+/g, ' ')
    .split(between)
    .map((part) => part.trim())
    .filter((part) => part !== '')
  const isTelling = (part: string): boolean => [...questionTerms(part).values()].includes(1)
  return parts.length > 1 && parts.length <= mostParts && parts.every(isTelling) ? parts : [text]
}
