import {
  explainPage,
  extensionOf,
  findPage,
  folderOf,
  joinPath,
  placedBelowRoot,
} from '../pages/find-page.ts'
import type { Change } from '../pages/find-text.ts'
import type { ReadPage } from '../pages/page.ts'
import type { Plan } from '../replay.ts'
import type { Request } from '../requests/request.ts'
import { listPages, tryDelete, tryMove, type InboundLink } from '../tools.ts'
import { changeFiles } from './change-files.ts'
import { code, count, noRedirect, nothing, quote, short, type Work } from './outcome.ts'

export function* movePage(request: Extract<Request, { kind: 'move' }>): Work {
  const found = yield* findPage(request.page)
  if (found.kind !== 'one') return nothing('Move a page', explainPage(request.page, found))
  const from = found.page.path
  let to = targetOf(from, request.to)
  const title = short(`Move ${from} to ${request.to}`, 70)
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
  const others = moved.value.changed.filter((path) => path !== from && path !== to)
  const { redirect, sameAddress } = moved.value
  const what = `Moved the page, as asked; links and navigation follow (${count(others.length, 'other file')}).`
  return {
    title,
    what: redirect
      ? `${what} The old address redirects to the new one.`
      : sameAddress
        ? `${what} Its address stays the same.`
        : what,
    changed: [
      `${code(from)} → ${code(to)}`,
      ...others.map((path) => `${code(path)}: points to the new place`),
    ],
    left: redirect || sameAddress ? [] : [noRedirect],
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
  const file = /\.(?:mdx?|markdown)$/i.test(path) ? path : `${path}${extensionOf(from)}`
  const isBare = !file.includes('/') && !given.startsWith('/') && !given.startsWith('./')
  return isBare ? joinPath(folderOf(from), file) : file
}

/** Deletes a page and its navigation entry. Links to it become plain text, so that none is broken. */
export function* deletePage(request: Extract<Request, { kind: 'delete' }>, read: ReadPage): Work {
  const found = yield* findPage(request.page)
  if (found.kind !== 'one') return nothing('Delete a page', explainPage(request.page, found))
  const { path, title: name } = found.page
  if (found.loose)
    return nothing(
      'Delete a page',
      `No page is called “${request.page.replace(/["“”]/g, '')}”. The nearest is ${quote(name || path)}; to delete it say ${code(`Delete ${path}`)}.`,
    )
  const title = `Delete the page ${quote(name === '' ? path : name)}`
  const deleted = yield* tryDelete(path)
  if (!deleted.ok) return nothing(title, `${code(path)} could not be deleted: ${deleted.message}`)
  const links = deleted.value.inboundLinks.filter((link) => link.path !== path)
  const unlinked = yield* unlink(links, read)
  const others = deleted.value.changed.filter((file) => file !== path)
  const note = links.length === 0 ? 'Nothing linked to it.' : `${count(links.length, 'link')} pointed to it.`
  return {
    title,
    what: `Deleted the page ${code(path)}, as asked. ${note}`,
    changed: [
      `${code(path)}: deleted`,
      ...others.map((file) => `${code(file)}: navigation entry removed`),
      ...unlinked.changed,
    ],
    left: [...unlinked.left, 'No redirect from the old address: there is no page that takes its place'],
  }
}

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
