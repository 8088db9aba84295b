import { fileTitle } from '../../site/pages/parse-page.ts'
import { yamlScalar } from '../../site/text/yaml-scalar.ts'
import {
  explainPage,
  extensionOf,
  fileStem,
  findPage,
  folderOf,
  joinPath,
  mostCommon,
  placedBelowRoot,
  slugOf,
} from '../pages/find-page.ts'
import type { ReadPage } from '../../site/page-text.ts'
import type { Plan } from '../replay.ts'
import type { Request } from '../requests/request.ts'
import { addToNavigation, listPages, readFiles, writeFile, type Page } from '../tools.ts'
import { code, nothing, quote, type Work } from './outcome.ts'

type NewPage = Extract<Request, { kind: 'add page' }>

/**
 * Adds a page with the given text, with a file name and heading in the style of its neighbours, and adds it to the
 * navigation.
 */
export function* addPage(request: NewPage, read: ReadPage): Work {
  const listed = yield* listPages()
  if (!listed.ok)
    return nothing(`Add a page ${quote(request.title)}`, `The pages could not be listed: ${listed.message}`)
  const pageTitle =
    request.title === '' && request.path !== undefined ? fileTitle(request.path) : request.title
  const title = `Add a page ${quote(pageTitle)}`
  const spot = yield* chooseSpot(request, listed.value)
  if (typeof spot === 'string') return nothing(title, spot)
  const path = pathFor(request, pageTitle, spot, listed.value)
  if (listed.value.some((page) => page.path.toLowerCase() === path.toLowerCase())) {
    return nothing(title, `The page ${code(path)} exists already.`)
  }
  const same = listed.value.find((page) => page.title.toLowerCase() === pageTitle.toLowerCase())
  const isPlaced = request.path !== undefined || request.folder !== undefined || request.after !== undefined
  if (same && !isPlaced && request.group === undefined)
    return nothing(title, `There is a page with this title already: ${code(same.path)}.`)
  const isEmpty = request.content === ''
  const content = isEmpty
    ? `The text of this page about ${topicOf(pageTitle)} is still to be written.`
    : request.content
  const style = yield* readStyle(spot.siblings, read)
  const written = yield* writeFile(path, composePage(pageTitle, content, style, read))
  if (!written.ok) return nothing(title, `${code(path)} could not be written: ${written.message}`)
  const changed = [
    `${code(path)}: new page ${isEmpty ? 'whose text is still to be written' : 'with the given text'}`,
  ]
  const left: string[] = []
  if (isEmpty)
    left.push(
      `All of the text of ${code(path)} is left to write: the request gives none, and none was invented. ` +
        'The page has its heading and one sentence that says so',
    )
  const { group, after } = spot
  let entered = yield* addToNavigation({ path, ...(group && { group }), ...(after && { after }) })
  const usual = usualGroup(listed.value)?.group
  if (!entered.ok && after !== undefined && usual !== undefined) {
    left.push(`The navigation entry stands in the group ${quote(usual)}: ${entered.message}`)
    entered = yield* addToNavigation({ path, group: usual })
  }
  if (entered.ok) {
    for (const file of entered.value) if (file !== path) changed.push(`${code(file)}: navigation entry added`)
  } else left.push(`No navigation entry: ${entered.message}`)
  const where = spot.group === undefined ? '' : ` to the group ${quote(spot.group)}`
  if (spot.group !== undefined && !isPlaced && request.group === undefined)
    left.push(`The request names no place, so the page stands in the group ${quote(spot.group)}`)
  return {
    title: `${title}${where}`,
    what: isEmpty
      ? `Added the page ${quote(pageTitle)}${where}, without a text of its own.`
      : `Added the page ${quote(pageTitle)}${where}, with the text given.`,
    changed,
    left,
  }
}

interface Spot {
  folder: string
  group: string | undefined
  after: string | undefined
  siblings: Page[]
}

function* chooseSpot(request: NewPage, pages: readonly Page[]): Plan<Spot | string> {
  if (request.after !== undefined) {
    const match = yield* findPage(request.after)
    if (match.kind !== 'one') return explainPage(request.after, match)
    const folder = folderOf(match.page.path)
    const siblings = [match.page, ...inFolder(pages, folder)]
    return { folder, group: request.group ?? match.page.group ?? undefined, after: match.page.path, siblings }
  }
  if (request.group !== undefined) {
    const spot = findGroup(request.group, pages)
    if (spot) return spot
    const groups = [...new Set(pages.flatMap((page) => page.group ?? []))].slice(0, 20)
    const known = groups.length > 0 ? ` Groups: ${groups.map(quote).join(', ')}.` : ''
    return `There is no group or folder ${quote(request.group)}.${known}`
  }
  const folderName = request.folder ?? (request.path === undefined ? undefined : folderOf(request.path))
  const usual = folderName === undefined ? usualGroup(pages) : undefined
  if (usual) return usual
  const folder = placedBelowRoot(folderName ?? '', pages)
  const beside = inFolder(pages, folder)
  const group = mostCommon(beside.flatMap((page) => page.group ?? []))
  return { folder, group, after: undefined, siblings: beside.length > 0 ? beside : pages.slice(0, 3) }
}

/** The group of the navigation with this name, otherwise the folder. */
function findGroup(name: string, pages: readonly Page[]): Spot | undefined {
  const wanted = name.toLowerCase()
  const grouped = pages.filter((page) => page.group?.toLowerCase() === wanted)
  const [first] = grouped
  if (first) {
    const folder = mostCommon(grouped.map((page) => folderOf(page.path))) ?? folderOf(first.path)
    return { folder, group: first.group ?? name, after: undefined, siblings: grouped }
  }
  const folders = [...new Set(pages.map((page) => folderOf(page.path)))]
  const folder =
    folders.find((one) => `/${one}`.toLowerCase().endsWith(`/${wanted}`)) ??
    folders.find((one) => slugOf(withoutNumber(one.slice(one.lastIndexOf('/') + 1))) === slugOf(wanted))
  if (folder === undefined) return undefined
  return { folder, group: undefined, after: undefined, siblings: inFolder(pages, folder) }
}

/** The name of a folder without the number that gives its place among others: `2.collections`, `01-start`. */
function withoutNumber(folder: string): string {
  return folder.replace(/^\d{1,4}[._-](?=\D)/, '')
}

/** Where a page goes that names no place: beside other guides. */
function usualGroup(pages: readonly Page[]): Spot | undefined {
  const grouped = pages.filter((page) => page.group !== null && page.group !== undefined)
  const guides = grouped.filter((page) => /\b(?:guides?|how.?to|usage|basics)\b/i.test(page.group ?? ''))
  const group = guides[0]?.group ?? mostCommon(grouped.map((page) => page.group))
  const siblings = grouped.filter((page) => page.group === group)
  const folder = mostCommon(siblings.map((page) => folderOf(page.path)))
  return group && folder !== undefined ? { folder, group, after: undefined, siblings } : undefined
}

/** A title within a sentence: names keep their capitals. */
function topicOf(title: string): string {
  return /^\p{Lu}\p{Ll}+(?: [\p{Ll}\p{N}-]+)*$/u.test(title)
    ? title.charAt(0).toLowerCase() + title.slice(1)
    : title
}

function inFolder(pages: readonly Page[], folder: string): Page[] {
  return pages.filter((page) => folderOf(page.path) === folder)
}

function pathFor(request: NewPage, title: string, spot: Spot, pages: readonly Page[]): string {
  const extension = mostCommon(spot.siblings.map((page) => extensionOf(page.path))) ?? '.md'
  if (request.path !== undefined) {
    const path = request.path.replace(/^(?:\.?\/)+/, '')
    const folder = path.includes('/') ? placedBelowRoot(folderOf(path), pages) : spot.folder
    return joinPath(folder, path.slice(path.lastIndexOf('/') + 1))
  }
  const names = spot.siblings.map((page) => fileStem(page.path).replace(/^_/, ''))
  const underscored = names.some((name) => name.includes('_')) && !names.some((name) => name.includes('-'))
  return joinPath(spot.folder, slugOf(title, underscored ? '_' : '-') + extension)
}

interface Style {
  frontMatter: boolean
  description: boolean
  heading: boolean
}

function* readStyle(siblings: readonly Page[], read: ReadPage): Plan<Style> {
  const some = siblings.filter((page) => !/(?:^|\/)(?:index|readme)\.\w+$/i.test(page.path)).slice(0, 3)
  const texts = yield* readFiles((some.length > 0 ? some : siblings.slice(0, 1)).map((page) => page.path))
  const pages = [...texts].flatMap(([path, text]) => (text.ok ? [read(text.value, path)] : []))
  const most = (those: unknown[]) => those.length > 0 && those.length * 2 >= pages.length
  return {
    frontMatter: most(pages.filter(({ fields }) => 'title' in fields)),
    description: most(pages.filter(({ fields }) => 'description' in fields)),
    heading: most(pages.filter(({ headings }) => headings.some(({ level }) => level === 1))),
  }
}

function composePage(title: string, content: string, style: Style, read: ReadPage): string {
  if (content.startsWith('---\n')) return `${content}\n`
  const own = /^#[ \t]+([^\n]+)(?:\n+|$)/.exec(content)
  const body = own ? content.slice(own[0].length) : content
  const lines: string[] = []
  if (style.frontMatter) {
    lines.push('---', `title: ${yamlScalar(title)}`)
    const description = style.description ? read(body, 'new.md').sentence : undefined
    if (description !== undefined) lines.push(`description: ${yamlScalar(description)}`)
    lines.push('---', '')
  }
  if (style.heading || !style.frontMatter) lines.push(`# ${own?.[1]?.trim() ?? title}`, '')
  return `${lines.join('\n')}${lines.length > 0 ? '\n' : ''}${body.trim()}\n`
}
