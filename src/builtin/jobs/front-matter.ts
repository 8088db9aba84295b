import { explainPage, findPage, findPlace, type FoundPlace } from '../pages/find-page.ts'
import { textField, tooMuchMarkup, type ReadPage } from '../../site/page-text.ts'
import { fileTitle } from '../../site/pages/parse-page.ts'
import type { Plan } from '../replay.ts'
import type { Request } from '../requests/request.ts'
import { grep, listPages, readFile, readFiles, setFrontMatter, type Page } from '../tools.ts'
import { code, nothing, quote, type Work } from './outcome.ts'
import { counted } from '../../lib/text/counted.ts'

type Missing = Extract<Request, { kind: 'add missing' }>

const batch = 40
/** The most pages that `list_pages` returns. */
const mostListed = 500
/** The most pages in one pull request, so that a person can still review it. */
const mostPages = 400
const unreadable = 'its front matter cannot be read'

/** Sets a page's description. */
export function* describePage(request: Extract<Request, { kind: 'describe' }>, read: ReadPage): Work {
  const match = yield* findPage(request.page)
  if (match.kind !== 'one') return nothing('Change a description', explainPage(request.page, match))
  const { path } = match.page
  const title = `Set the description of ${quote(match.page.title || path)}`
  const text = yield* readFile(path)
  if (!text.ok) return nothing(title, `${code(path)} could not be read: ${text.message}`)
  const page = read(text.value, path)
  if (page.broken) return nothing(title, `${code(path)}: ${unreadable}.`)
  const old = textField(page, 'description')
  const description = request.description.replace(/\s+/g, ' ').trim()
  if (old === description) return nothing(title, `${code(path)} has this description already.`)
  const [done] = yield* setFrontMatter([{ path, fields: { description } }])
  if (done?.ok !== true)
    return nothing(title, `${code(path)} could not be changed: ${done?.message ?? 'no answer'}`)
  return {
    title,
    what: 'Set the description to the text given.',
    changed: [`${code(path)}: ${quote(description)}`],
    left: [],
  }
}

/** Adds missing fields: a description from the page's first sentence, a title from its first heading or file name. */
export function* addMissing({ field, scope }: Missing, read: ReadPage): Work {
  const place = yield* findPlace(scope)
  if (!place.ok) return nothing(`Add missing ${field}s`, place.why)
  const title =
    place.description === 'everywhere'
      ? `Add missing ${field}s`
      : `Add missing ${field}s ${place.description}`
  const [only, ...others] = place.paths ?? []
  const listed = yield* listPages(others.length === 0 ? only : undefined)
  if (!listed.ok) return nothing(title, `The pages could not be listed: ${listed.message}`)
  const pages = listed.value.filter((page) => isIn(page, place))
  const lacking = yield* withoutField(field, pages, place)
  const changed: string[] = []
  const left: string[] = []
  const some = lacking.slice(0, mostPages)
  // If most pages have their title as a heading, a heading is sufficient.
  const wantsFrontMatter = (pages.length - lacking.length) * 2 > pages.length
  for (let from = 0; from < some.length; from += batch) {
    const work: { path: string; value: string }[] = []
    for (const [path, text] of yield* readFiles(some.slice(from, from + batch).map((page) => page.path))) {
      const value = text.ok
        ? valueFor(field, text.value, path, read, wantsFrontMatter)
        : { why: text.message }
      if (typeof value === 'string') work.push({ path, value })
      else if (value) left.push(`${code(path)}: ${value.why}`)
    }
    const fields = work.map(({ path, value }) => ({ path, fields: { [field]: value } }))
    const answers = yield* setFrontMatter(fields)
    work.forEach(({ path, value }, index) => {
      const answer = answers[index]
      if (answer?.ok === true) changed.push(`${code(path)}: ${quote(value)}`)
      else left.push(`${code(path)}: ${answer?.message ?? 'front matter could not be changed'}`)
    })
  }
  if (listed.value.length >= mostListed)
    left.push(`Only ${mostListed} pages were looked at: ask folder by folder`)
  if (lacking.length > some.length)
    left.push(`${lacking.length - some.length} more pages: ask again to go on`)
  if (changed.length === 0) {
    const why = left.length === 0 ? `Every page has a ${field}` : `No ${field} could be added`
    return nothing(title, `${why} (${counted(pages.length, 'page')} looked at ${place.description}).`, left)
  }
  const source = field === 'description' ? 'its own first sentence' : 'its first heading or its file name'
  const what = `Added a ${field} to ${counted(changed.length, 'page')}, each from ${source}.`
  return { title, what, changed, left }
}

function isIn(page: Page, place: Extract<FoundPlace, { ok: true }>): boolean {
  if (!place.paths) return true
  return place.paths.some((path) => page.path === path || (!place.files && page.path.startsWith(`${path}/`)))
}

/** Pages that probably lack the field, because no line near the top sets it. Reading each of them confirms it. */
function* withoutField(
  field: Missing['field'],
  pages: readonly Page[],
  place: Extract<FoundPlace, { ok: true }>,
): Plan<Page[]> {
  const paths = place.paths ? { paths: place.paths } : {}
  const [found] = yield* grep([{ pattern: `^${field}: *[^ \r]`, regex: true, ...paths }])
  const matches = found?.ok === true ? found.value.matches : []
  const having = new Set(matches.filter((match) => match.line <= 40).map((match) => match.path))
  return pages.filter((page) => !having.has(page.path))
}

/** The value to set, the reason why it cannot be set, or undefined where the page has the field. */
function valueFor(
  field: Missing['field'],
  text: string,
  path: string,
  read: ReadPage,
  wantsFrontMatter: boolean,
): string | { why: string } | undefined {
  const page = read(text, path)
  if (page.unread) return { why: tooMuchMarkup }
  if (page.broken) return { why: unreadable }
  if (field in page.fields && page.fields[field] !== null && page.fields[field] !== '') return undefined
  if (field === 'description') return page.sentence ?? { why: 'no sentence to take as its description' }
  const heading = page.headings.find(({ level }) => level === 1)?.text
  if (heading !== undefined && !wantsFrontMatter) return undefined
  // The name of a folder says too little, and is no name for the home page.
  if (heading === undefined && /(?:^|\/)(?:index|readme)\.\w+$/i.test(path))
    return { why: 'no heading to take as its title' }
  return heading ?? fileTitle(path)
}
