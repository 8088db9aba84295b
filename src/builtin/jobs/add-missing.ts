import { firstSentence } from '../pages/first-sentence.ts'
import { outlineOf } from '../pages/page-outline.ts'
import { titleFromPath } from '../pages/paths.ts'
import { resolveScope, type Place } from '../pages/resolve-scope.ts'
import type { Plan } from '../replay.ts'
import type { Request } from '../requests/request.ts'
import { grep, listPages, readFiles, setFrontMatter, type Page } from '../tools.ts'
import { code, count, nothing, quote, type Work } from './outcome.ts'

type Missing = Extract<Request, { kind: 'add missing' }>

const batch = 40
/** As many as `list_pages` shows. */
const mostListed = 500
const present = Symbol('present')
/** One pull request that a person can still read. */
const mostPages = 400

/** A description is a page's first sentence; a title its first heading, else its file name. */
export function* addMissing(request: Missing): Work {
  const { field } = request
  const place = yield* resolveScope(request.scope)
  if (!place.ok) return nothing(`Add missing ${field}s`, place.why)
  const title = place.said === 'everywhere' ? `Add missing ${field}s` : `Add missing ${field}s ${place.said}`
  const [only, ...others] = place.paths ?? []
  const listed = yield* listPages(others.length === 0 ? only : undefined)
  if (!listed.ok) return nothing(title, `The pages could not be listed: ${listed.message}`)
  const pages = listed.value.filter((page) => isIn(page, place))
  const lacking = yield* withoutField(field, pages, place)
  if (!lacking.ok) return nothing(title, `The pages could not be searched: ${lacking.message}`)
  const changed: string[] = []
  const left: string[] = []
  const some = lacking.pages.slice(0, mostPages)
  for (let from = 0; from < some.length; from += batch) {
    const texts = yield* readFiles(some.slice(from, from + batch).map((page) => page.path))
    const work: { path: string; value: string }[] = []
    for (const [path, text] of texts) {
      if (!text.ok) {
        left.push(`${code(path)}: ${text.message}`)
        continue
      }
      const value = valueFor(field, text.value, path, lacking.wantsFrontMatter)
      if (value === present) continue
      if (value === undefined) left.push(`${code(path)}: no sentence to take as its description`)
      else work.push({ path, value })
    }
    const answers = yield* setFrontMatter(
      work.map(({ path, value }) => ({ path, fields: { [field]: value } })),
    )
    work.forEach(({ path, value }, index) => {
      const answer = answers[index]
      if (answer?.ok === true) changed.push(`${code(path)}: ${quote(value)}`)
      else left.push(`${code(path)}: ${answer?.message ?? 'front matter could not be changed'}`)
    })
  }
  if (listed.value.length >= mostListed)
    left.push(`Only ${mostListed} pages were looked at: ask folder by folder`)
  if (lacking.pages.length > some.length)
    left.push(`${lacking.pages.length - some.length} more pages: ask again to go on`)
  if (changed.length === 0) {
    const why = left.length === 0 ? `Every page has a ${field}` : `No ${field} could be added`
    return nothing(title, `${why} (${count(pages.length, 'page')} looked at ${place.said}).`, left)
  }
  const source = field === 'description' ? 'its own first sentence' : 'its first heading or its file name'
  return {
    title,
    what: `Added a ${field} to ${count(changed.length, 'page')}, each from ${source}.`,
    changed,
    left,
  }
}

function isIn(page: Page, place: Extract<Place, { ok: true }>): boolean {
  if (!place.paths) return true
  return place.paths.some((path) => page.path === path || (!place.files && page.path.startsWith(`${path}/`)))
}

type Lacking = { ok: true; pages: Page[]; wantsFrontMatter: boolean } | { ok: false; message: string }

/** Pages on which no line sets the field; reading each page settles the rest. */
function* withoutField(
  field: Missing['field'],
  pages: readonly Page[],
  place: Extract<Place, { ok: true }>,
): Plan<Lacking> {
  const paths = place.paths ? { paths: place.paths } : {}
  const [found] = yield* grep([{ pattern: `^${field}: *[^ \r]`, regex: true, ...paths, limit: 2000 }])
  if (found?.ok !== true) return { ok: false, message: found?.message ?? 'no answer' }
  // The field is front matter's only near the top; a cut result leaves some pages to be read for nothing.
  const having = new Set(found.value.matches.filter((match) => match.line <= 40).map((match) => match.path))
  const known = pages.filter((page) => having.has(page.path)).length
  return {
    ok: true,
    pages: pages.filter((page) => !having.has(page.path)),
    wantsFrontMatter: known * 2 > pages.length,
  }
}

function valueFor(
  field: Missing['field'],
  text: string,
  path: string,
  wantsFrontMatter: boolean,
): string | typeof present | undefined {
  const outline = outlineOf(text, path)
  const own = outline.frontMatter.get(field)
  if (own !== undefined && own !== '') return present
  if (field === 'description') return firstSentence(text, path)
  const heading = outline.headings.find((heading) => heading.level === 1)?.text
  // Where titles are headings, a heading is a title.
  if (heading !== undefined && heading !== '' && !wantsFrontMatter) return present
  return heading !== undefined && heading !== '' ? heading : titleFromPath(path)
}
