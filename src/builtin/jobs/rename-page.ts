import {
  explainPage,
  extensionOf,
  fileStem,
  findPage,
  folderOf,
  joinPath,
  slugOf,
} from '../pages/find-page.ts'
import { escapeWord, type Change } from '../pages/find-text.ts'
import { textField, titleOf, type PageText, type ReadPage } from '../../site/page-text.ts'
import type { Plan } from '../replay.ts'
import type { Request } from '../requests/request.ts'
import { grep, readFile, readFiles, setFrontMatter, tryMove, type Page } from '../tools.ts'
import { changeFiles } from './change-files.ts'
import { stillNamed } from './move-page.ts'
import { code, noRedirect, nothing, quote, type Work } from './outcome.ts'
import { pageEnding } from '../../site/text/markup.ts'
import { outerSlashes } from '../../site/text/paths.ts'

/** Changes a page's title, its label in the navigation if that repeats the title, and the file name on request. */
export function* renamePage(request: Extract<Request, { kind: 'rename' }>, read: ReadPage): Work {
  const match = yield* findPage(request.page)
  const name = `Rename a page to ${quote(request.title)}`
  if (match.kind !== 'one') return nothing(name, explainPage(request.page, match))
  const { path } = match.page
  const text = yield* readFile(path)
  if (!text.ok) return nothing(name, `${code(path)} could not be read: ${text.message}`)
  const page = read(text.value, path)
  const old = titleOf(page) ?? match.page.title
  const title = `Rename the page ${quote(old)} to ${quote(request.title)}`
  const changed: string[] = []
  const left: string[] = []
  if (old !== request.title) {
    const failure = yield* setTitle(path, page, request.title, read)
    if (failure !== undefined) return nothing(title, `${code(path)} could not be changed: ${failure}`)
    changed.push(`${code(path)}: the title is now ${quote(request.title)}`)
    if (old !== '') {
      yield* relabel({ ...match.page, title: old }, request.title, changed, left)
      changed.push(...(yield* renameParent(old, request.title, read)))
    }
  }
  const isIndex = /^(?:_?index|readme)$/i.test(fileStem(path))
  if (request.file && isIndex)
    left.push(`The file stays ${code(path)}, because its folder gives the page its address`)
  else if (request.file) {
    const separator = fileStem(path).includes('_') ? '_' : '-'
    const order = /^\d+[-_.]/.exec(fileStem(path))?.[0] ?? ''
    const name = order + slugOf(request.title, separator) + extensionOf(path)
    const to = joinPath(folderOf(path), name)
    const moved = to === path ? undefined : yield* tryMove(path, to)
    if (moved?.ok === true) {
      const others = moved.value.changed.filter((file) => file !== path && file !== to)
      const links = others.map((file) => `${code(file)}: points to the new place`)
      changed.push(`${code(path)} → ${code(to)}`, ...links)
      if (!moved.value.redirect && !moved.value.sameAddress)
        left.push(...(yield* stillNamed(match.page)), noRedirect)
    } else if (moved) left.push(`The file stays ${code(path)}: ${moved.message}`)
  }
  if (changed.length === 0)
    return nothing(title, `The page ${code(path)} has the title ${quote(request.title)} already.`, left)
  const stays = `The file stays ${code(path)}, so that links keep working (say “and its file” to rename it too)`
  if (!request.file) left.push(stays)
  const what = `The page ${quote(old)} is now called ${quote(request.title)}, as asked.`
  return { title, what, changed, left }
}

/** Changes the title in the front matter if it is there, and in the first heading if that has the same text. */
function* setTitle(path: string, page: PageText, title: string, read: ReadPage): Plan<string | undefined> {
  const own = textField(page, 'title')
  const heading = page.headings.find(({ level }) => level === 1)
  if (heading && (own === undefined || heading.text === own)) {
    const { failed } = yield* changeFiles([path], (_, text) => {
      const top = read(text, path).headings.find(({ level }) => level === 1)
      if (!top) return 'its heading is gone'
      return [{ start: top.textStart, end: top.textStart + top.text.length, replace: title }]
    })
    if (failed[0]) return failed[0].why
  }
  const fields: Record<string, string> = {}
  if (own !== undefined || !heading) fields['title'] = title
  for (const name of ['sidebarTitle', 'sidebar_label', 'pagination_label'])
    if (textField(page, name) !== undefined && textField(page, name) === titleOf(page)) fields[name] = title
  if (Object.keys(fields).length === 0) return undefined
  const [done] = yield* setFrontMatter([{ path, fields }])
  return done?.ok === true ? undefined : (done?.message ?? 'front matter could not be changed')
}

/** Pages of Jekyll name the page above them by its title. */
function* renameParent(old: string, title: string, read: ReadPage): Plan<string[]> {
  const [found] = yield* grep([
    { pattern: `^(parent|grand_parent): *["']?${escapeWord(old)}["']? *$`, regex: true },
  ])
  const paths = new Set((found?.ok === true ? found.value.matches : []).map(({ path }) => path))
  const changes: { path: string; fields: Record<string, string> }[] = []
  for (const [path, text] of yield* readFiles([...paths])) {
    const page = read(text.ok ? text.value : '', path)
    const own = ['parent', 'grand_parent'].filter((field) => textField(page, field) === old)
    if (own.length > 0) changes.push({ path, fields: Object.fromEntries(own.map((field) => [field, title])) })
  }
  const answers = yield* setFrontMatter(changes)
  return changes.flatMap(({ path }, at) =>
    answers[at]?.ok === true ? [`${code(path)}: the page above it has the new title`] : [],
  )
}

const configuration =
  /(?:^|\/)(?:mkdocs\.ya?ml|docs\.json|mint\.json|_meta\.json|_sidebar\.md|SUMMARY\.md|sidebars?(?:\.\w+)*\.(?:js|ts|json|cjs|mjs)|(?:astro|docusaurus)\.config\.\w+|\.vitepress\/.*\.(?:js|ts|mjs|mts|json))$|(?:^|\/)\.nav\.ya?ml$/

/** Changes the navigation labels of this page that repeat its old title. */
function* relabel(page: Page, title: string, changed: string[], left: string[]): Plan<void> {
  const [found] = yield* grep([{ pattern: page.title, limit: 500 }])
  const matches = found?.ok === true ? found.value.matches : []
  const files = new Set(matches.map(({ path }) => path).filter((path) => configuration.test(path)))
  const some = [...files].sort().slice(0, 10)
  const { done, failed } = yield* changeFiles(some, (_, text) => labelsIn(text, page, title))
  for (const { path } of done) changed.push(`${code(path)}: the navigation shows the new title`)
  for (const { path, why } of failed) left.push(`The label in ${code(path)}: ${why}`)
}

/** Finds the old title as a label with the page's path or address on the same or a near line. */
function labelsIn(text: string, page: Page, title: string): Change[] {
  const keys = keysOf(page)
  const lines = text.split('\n')
  const changes: Change[] = []
  let offset = 0
  lines.forEach((line, index) => {
    for (let at = line.indexOf(page.title); at >= 0; at = line.indexOf(page.title, at + 1)) {
      const end = at + page.title.length
      if (!isLabel(line, at, end)) continue
      const own = keys.some((key) => holdsKey(line, key))
      // An entry may span several lines, as objects do, but no other entry may begin in between.
      const near =
        /[{[,]\s*$|^\s*['"]?(?:text|label|title)/.test(line) &&
        [index - 1, index + 1].some((other) => keys.some((key) => holdsKey(lines[other] ?? '', key)))
      if (own || near) changes.push({ start: offset + at, end: offset + end, replace: title })
    }
    offset += line.length + 1
  })
  return changes
}

function keysOf(page: Page): string[] {
  const parts = page.path.replace(pageEnding, '').split('/')
  // Configuration files reference pages from the content root, which may be some folders down.
  const paths = parts.map((_, index) => parts.slice(index).join('/')).slice(0, 4)
  const address = page.url.replace(outerSlashes, '')
  return [...new Set([...paths, address])].filter((key) => key !== '')
}

function holdsKey(line: string, key: string): boolean {
  for (let at = line.indexOf(key); at >= 0; at = line.indexOf(key, at + 1)) {
    const after = line.slice(at + key.length, at + key.length + 12)
    if (/['"\s:(/[]/.test(line[at - 1] ?? ' ') && /^(?:\.mdx?|\.markdown|\/)?(?:['"\s,)#\]]|$)/.test(after))
      return true
  }
  return false
}

/** `Setup:` in YAML, `"Setup"` in JSON and JavaScript, `[Setup]` in a Markdown summary. */
function isLabel(line: string, at: number, end: number): boolean {
  const before = line[at - 1] ?? ' '
  const after = line[end] ?? ' '
  if (/['"`[]/.test(before)) return /['"`\]]/.test(after)
  return /^\s*(?:-\s*)?$/.test(line.slice(0, at)) && after === ':'
}
