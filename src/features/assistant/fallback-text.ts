import type { Citations } from './citations.ts'
import { linkOfResult } from './citations.ts'

const mostPassages = 3
const longestPassage = 400

/** What is said when the model says nothing: the passages that were found, or that there are none. */
export function fallbackText(citations: Citations): string {
  const results = citations.results().slice(0, mostPassages)
  if (results.length === 0) return 'The documentation does not seem to cover this.'
  const passages = results.map((result) => {
    const { title, url } = linkOfResult(result)
    const text = result.content.replaceAll(/\s+/g, ' ').trim()
    const passage = text.length > longestPassage ? `${text.slice(0, longestPassage).toWellFormed()} …` : text
    return `- [${title.replaceAll(/[[\]\\]/g, '')}](${url}): ${passage}`
  })
  return `These passages of the documentation come closest:\n\n${passages.join('\n')}`
}
