import {
  explainFolder,
  explainPage,
  extensionOf,
  findFolders,
  findPage,
  folderOf,
  joinPath,
  placedBelowRoot,
} from '../pages/find-page.ts'
import { escapeWord, type Change } from '../pages/find-text.ts'
import type { ReadPage } from '../../site/page-text.ts'
import type { Plan } from '../replay.ts'
import type { Request } from '../requests/request.ts'
import { grep, listPages, tryDelete, tryMove, type InboundLink, type Page } from '../tools.ts'
import { changeFiles } from './change-files.ts'
import { code, noRedirect, nothing, quote, short, type Work } from './outcome.ts'
import { counted } from '../../lib/text/counted.ts'
import { pageEnding } from '../../site/text/markup.ts'

export function* movePage(request: Extract<Request, { kind: 'move' }>): Work {
  const match = yield* findPage(request.page)
  if (match.kind !== 'one') return nothing('Move a page', explainPage(request.page, match))
  const from = match.page.path
  const title = short(`Move ${from} to ${request.to}`, 70)
  const folders = request.to.endsWith('/') ? yield* findFolders(request.to) : []
  const listed = folders.length > 1 ? yield* listPages() : undefined
  const pages = listed?.ok === true ? listed.value : []
  // Folders of pages come before folders of images and tests.
  const own = folders.filter(
    (path) => listed === undefined || pages.some((page) => page.path.startsWith(`${path}/`)),
  )
  if (own.length > 1) return nothing(title, explainFolder(request.to.replace(/\/$/, ''), own))
  let to = targetOf(from, own[0] === undefined ? request.to : `${own[0]}/`)
  if (from === to) return nothing(title, `${code(from)} is there already.`)
  let moved = yield* tryMove(from, to)
  if (!moved.ok && moved.code === 'not_a_page') {
    const listed = yield* listPages()
    const below = placedBelowRoot(to, listed.ok ? listed.value : [])
    if (below !== to) {
      to = below
      moved = yield* tryMove(from, to)
    }
  }
  if (!moved.ok) return nothing(title, `${code(from)} could not be moved to ${code(to)}: ${moved.message}`)
  const { redirect, sameAddress } = moved.value
  const at = moved.value.to || to
  const others = moved.value.changed.filter((path) => path !== from && path !== at)
  // Mentions of the old address may stay if it redirects.
  const left = redirect || sameAddress ? [] : [...(yield* stillNamed(match.page)), noRedirect]
  const what = `Moved the page, as asked; links and navigation follow (${counted(others.length, 'other file')}).`
  return {
    title,
    what: redirect
      ? `${what} The old address redirects to the new one.`
      : sameAddress
        ? `${what} Its address stays the same.`
        : what,
    changed: [
      `${code(from)} → ${code(at)}`,
      ...others.map((path) => `${code(path)}: points to the new place`),
    ],
    left,
  }
}

/**
 * Completes the new path: a folder keeps the file's name, a name without extension keeps the file's extension, and
 * a bare name keeps the folder.
 */
function targetOf(from: string, given: string): string {
  const path = given.replace(/^https?:\/\/[^/]+/, '').replace(/^(?:\.?\/)+/, '')
  const name = from.slice(from.lastIndexOf('/') + 1)
  if (path.endsWith('/') || path === '') return joinPath(path.replace(/(?<!\/)\/+$/, ''), name)
  const file = pageEnding.test(path) ? path : `${path}${extensionOf(from)}`
  const isBare = !file.includes('/') && !given.startsWith('/') && !given.startsWith('./')
  return isBare ? joinPath(folderOf(from), file) : file
}

/** Deletes a page and its navigation entry. Links to it become plain text, so that none is broken. */
export function* deletePage(request: Extract<Request, { kind: 'delete' }>, read: ReadPage): Work {
  const match = yield* findPage(request.page)
  if (match.kind !== 'one') return nothing('Delete a page', explainPage(request.page, match))
  const { path, title: name } = match.page
  const title = `Delete the page ${quote(name === '' ? path : name)}`
  const deleted = yield* tryDelete(path)
  if (!deleted.ok) return nothing(title, `${code(path)} could not be deleted: ${deleted.message}`)
  const links = deleted.value.inboundLinks.filter((link) => link.path !== path)
  const unlinked = yield* unlink(links, read)
  const others = deleted.value.changed.filter((file) => file !== path)
  const still = yield* stillNamed(match.page, links)
  const none = still.length > 0 ? 'No link that could be read pointed to it.' : 'Nothing linked to it.'
  const note = links.length === 0 ? none : `${counted(links.length, 'link')} pointed to it.`
  return {
    title,
    what: `Deleted the page ${code(path)}, as asked. ${note}`,
    changed: [
      `${code(path)}: deleted`,
      ...others.map((file) => `${code(file)}: navigation entry removed`),
      ...unlinked.changed,
    ],
    left: [
      ...unlinked.left,
      ...still,
      'No redirect from the old address: there is no page that takes its place',
    ],
  }
}

/** Where a page's old address still stands, as in attributes of components and in front matter. */
export function* stillNamed({ url }: Page, known: readonly InboundLink[] = []): Plan<string[]> {
  const address = url.replace(/^https?:\/\/[^/]+/, '').replace(/(?<!\/)\/+$/, '')
  if (address.length < 2) return []
  const pattern = `(^|[^A-Za-z0-9_./-])${escapeWord(address)}([^A-Za-z0-9_./-]|/?$|/[^A-Za-z0-9_])`
  const [found] = yield* grep([{ pattern, regex: true, limit: mostNamed + 1 }])
  const all = found?.ok === true ? found.value.matches : []
  const matches = all.filter((one) => !known.some(({ path, line }) => one.path === path && one.line === line))
  const places = matches.slice(0, mostNamed).map(({ path, line }) => code(`${path}:${line}`))
  const more = matches.length > mostNamed ? ' and others' : ''
  return places.length > 0 ? [`${code(address)} still stands in ${places.join(', ')}${more}`] : []
}

const mostNamed = 8

function* unlink(links: readonly InboundLink[], read: ReadPage): Plan<{ changed: string[]; left: string[] }> {
  const byFile = Map.groupBy(links, (link) => link.path)
  const missed = new Map<string, InboundLink[]>()
  const { done, failed } = yield* changeFiles([...byFile.keys()], (path, text) => {
    const changes: Change[] = []
    const { links: known } = read(text, path)
    missed.set(path, [])
    for (const link of byFile.get(path) ?? []) {
      const at = known.find(
        ({ line, href, start }) =>
          line === link.line && isSameAddress(href, link.href) && !changes.some((one) => one.start === start),
      )
      if (at) changes.push({ start: at.start, end: at.end, replace: at.text })
      else missed.get(path)?.push(link)
    }
    return changes
  })
  const open = [...missed.values()].flat()
  return {
    changed: done.map(
      ({ path, lines }) => `${code(path)}: a link to the page is now plain text (line ${lines.join(', ')})`,
    ),
    left: [
      ...open.map(({ path, line, href }) => `${code(`${path}:${line}`)} still points to ${code(href)}`),
      ...failed.map(({ path, why }) => `${code(path)} still links to the page: ${why}`),
    ],
  }
}

/** The syntax tree has decoded addresses, and the checks report them as they are written. */
function isSameAddress(one: string, other: string): boolean {
  if (one === other) return true
  try {
    return decodeURI(one) === decodeURI(other)
  } catch {
    return false
  }
}
