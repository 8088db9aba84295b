import { explainPage } from '../pages/explain-page.ts'
import { findPage } from '../pages/find-page.ts'
import { outlineOf, titleOf, type Outline } from '../pages/page-outline.ts'
import { extensionOf, fileStem, folderOf, joinPath, slugOf } from '../pages/paths.ts'
import type { Plan } from '../replay.ts'
import type { Request } from '../requests/request.ts'
import { editFiles, movePage, readFile, setFrontMatter } from '../tools.ts'
import { relabel } from './relabel.ts'
import { code, nothing, quote, type Work } from './outcome.ts'

/** A new title where the page has its title, in the navigation where that repeats it; the file on request. */
export function* renamePage(request: Extract<Request, { kind: 'rename' }>): Work {
  const name = `Rename the page ${quote(request.page.replace(/^["“'`]|["”'`]$/g, ''))} to ${quote(request.title)}`
  const found = yield* findPage(request.page)
  if (found.kind !== 'one') return nothing(name, explainPage(request.page, found))
  const { path, url } = found.page
  const text = yield* readFile(path)
  if (!text.ok) return nothing(name, `${code(path)} could not be read: ${text.message}`)
  const outline = outlineOf(text.value, path)
  const old = titleOf(outline) ?? found.page.title
  const title = `Rename the page ${quote(old)} to ${quote(request.title)}`
  const changed: string[] = []
  const left: string[] = []
  if (old !== request.title) {
    const failure = yield* setTitle(path, outline, old, request.title)
    if (failure !== undefined) return nothing(title, `${code(path)} could not be changed: ${failure}`)
    changed.push(`${code(path)}: the title is now ${quote(request.title)}`)
    if (old !== '') yield* relabel({ path, url, old, title: request.title }, changed, left)
  }
  if (request.file) {
    const separator = fileStem(path).includes('_') ? '_' : '-'
    const to = joinPath(folderOf(path), slugOf(request.title, separator) + extensionOf(path))
    const moved = to === path ? undefined : yield* movePage(path, to)
    if (moved?.ok === true) {
      const others = moved.value.changed.filter((file) => file !== path && file !== to)
      changed.push(
        `${code(path)} → ${code(to)}`,
        ...others.map((file) => `${code(file)}: points to the new place`),
      )
    } else if (moved) left.push(`The file stays ${code(path)}: ${moved.message}`)
  }
  if (changed.length === 0)
    return nothing(title, `The page ${code(path)} has the title ${quote(request.title)} already.`, left)
  if (!request.file)
    left.push(
      `The file stays ${code(path)}, so that links keep working (say “and its file” to rename it too)`,
    )
  return {
    title,
    what: `The page ${quote(old)} is now called ${quote(request.title)}, as asked.`,
    changed,
    left,
  }
}

/** In front matter where the page has it there, in the first heading where that says the same. */
function* setTitle(path: string, outline: Outline, old: string, title: string): Plan<string | undefined> {
  const own = outline.frontMatter.get('title')
  const heading = outline.headings.find((heading) => heading.level === 1)
  if (heading && (own === undefined || own === '' || heading.text === own)) {
    const line = outline.lines[heading.line] ?? ''
    const at = line.indexOf(heading.text)
    const replace = line.slice(0, at) + title + line.slice(at + heading.text.length)
    const [done] = yield* editFiles([{ path, edits: [{ search: line, replace, line: heading.line + 1 }] }])
    if (done?.ok !== true) return done?.message ?? 'the edit failed'
  }
  const fields: Record<string, string> = {}
  if (own !== undefined || !heading) fields['title'] = title
  for (const name of ['sidebarTitle', 'sidebar_label', 'pagination_label']) {
    if (old !== '' && outline.frontMatter.get(name) === old) fields[name] = title
  }
  if (Object.keys(fields).length === 0) return undefined
  const [done] = yield* setFrontMatter([{ path, fields }])
  return done?.ok === true ? undefined : (done?.message ?? 'front matter could not be changed')
}
