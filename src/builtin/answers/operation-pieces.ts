import type { SearchResult } from './search-results.ts'

/** What sections of an operation of an API are called, below its beginning. */
const piece =
  /(?:^| – )(?:Authorization|(?:Path|Query|Header) parameters|Cookies|Request body|Payload|Response \S+|Errors|Callbacks)$/

/**
 * Has the beginning of an operation stand for its fields and errors, which say little by themselves: what these hold
 * counts as what it is about.
 */
export function joinOperations(results: readonly SearchResult[]): SearchResult[] {
  const operations = new Set(results.filter(({ heading }) => piece.test(heading)).map(({ path }) => path))
  const isPieceOf = (one: SearchResult, beginning: SearchResult) =>
    one.path === beginning.path &&
    one.heading.replace(piece, '') === beginning.heading &&
    piece.test(one.heading)
  const beginnings = results
    .filter(({ path, heading }) => operations.has(path) && !piece.test(heading))
    .map((beginning) => {
      const pieces = results.filter((one) => isPieceOf(one, beginning))
      return {
        beginning,
        pieces,
        joined: { ...beginning, about: pieces.map(({ content }) => content).join('\n') },
      }
    })
  const joined = results.map(
    (one) =>
      beginnings.find(({ beginning, pieces }) => one === beginning || pieces.includes(one))?.joined ?? one,
  )
  return [...new Set(joined)]
}
