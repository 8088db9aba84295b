import { explainPage } from '../pages/explain-page.ts'
import { findPage } from '../pages/find-page.ts'
import { firstSentence } from '../pages/first-sentence.ts'
import { outlineOf } from '../pages/page-outline.ts'
import type { Request } from '../requests/request.ts'
import { readFile, setFrontMatter } from '../tools.ts'
import { code, nothing, quote, type Work } from './outcome.ts'

/** Sets a page's description: the given one, else its own first sentence. */
export function* describePage(request: Extract<Request, { kind: 'describe' }>): Work {
  const found = yield* findPage(request.page)
  if (found.kind !== 'one') return nothing('Change a description', explainPage(request.page, found))
  const { path } = found.page
  const title = `Set the description of ${quote(found.page.title || path)}`
  const text = yield* readFile(path)
  if (!text.ok) return nothing(title, `${code(path)} could not be read: ${text.message}`)
  const old = outlineOf(text.value, path).frontMatter.get('description')
  if (request.description === undefined && old !== undefined && old !== '') {
    return nothing(title, `${code(path)} has a description already: ${quote(old)}.`)
  }
  const description = (request.description ?? firstSentence(text.value, path))?.replace(/\s+/g, ' ').trim()
  if (description === undefined || description === '') {
    return nothing(title, `${code(path)} has no sentence to take as its description; say the text.`)
  }
  if (old === description) return nothing(title, `${code(path)} has this description already.`)
  const [done] = yield* setFrontMatter([{ path, fields: { description } }])
  if (done?.ok !== true)
    return nothing(title, `${code(path)} could not be changed: ${done?.message ?? 'no answer'}`)
  const source = request.description === undefined ? 'the first sentence of the page' : 'the text given'
  return {
    title,
    what: `Set the description to ${source}.`,
    changed: [`${code(path)}: ${quote(description)}`],
    left: [],
  }
}
