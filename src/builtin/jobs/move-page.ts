import { explainPage } from '../pages/explain-page.ts'
import { findPage } from '../pages/find-page.ts'
import { extensionOf, folderOf, joinPath, sharedFolder } from '../pages/paths.ts'
import type { Request } from '../requests/request.ts'
import { listPages, movePage } from '../tools.ts'
import { code, count, nothing, short, type Work } from './outcome.ts'

export function* move(request: Extract<Request, { kind: 'move' }>): Work {
  const found = yield* findPage(request.page)
  if (found.kind !== 'one') return nothing('Move a page', explainPage(request.page, found))
  const from = found.page.path
  let to = targetOf(from, request.to)
  const title = short(`Move ${from} to ${request.to}`, 70)
  if (from === to) return nothing(title, `${code(from)} is there already.`)
  let moved = yield* movePage(from, to)
  if (!moved.ok && moved.code === 'not_a_page') {
    // Paths are often said from where the pages begin (`guides/install.md` below `docs/`).
    const listed = yield* listPages()
    const root = sharedFolder(listed.ok ? listed.value.map((page) => page.path) : [])
    if (root !== '' && !to.startsWith(`${root}/`)) {
      to = joinPath(root, to)
      moved = yield* movePage(from, to)
    }
  }
  if (!moved.ok) return nothing(title, `${code(from)} could not be moved to ${code(to)}: ${moved.message}`)
  const others = moved.value.changed.filter((path) => path !== from && path !== to)
  const redirect = moved.value.redirect ? ' The old address redirects to the new one.' : ''
  const left = moved.value.redirect
    ? []
    : ['No redirect from the old address: none could be set in this repository']
  return {
    title,
    what: `Moved the page, as asked; links and navigation follow (${count(others.length, 'other file')}).${redirect}`,
    changed: [
      `${code(from)} → ${code(to)}`,
      ...others.map((path) => `${code(path)}: points to the new place`),
    ],
    left,
  }
}

/** A folder keeps the file's name; a name without extension keeps the file's kind; a bare name its folder. */
function targetOf(from: string, said: string): string {
  const path = said.replace(/^https?:\/\/[^/]+/, '').replace(/^(?:\.?\/)+/, '')
  const name = from.slice(from.lastIndexOf('/') + 1)
  if (path.endsWith('/') || path === '') return joinPath(path.replace(/(?<!\/)\/+$/, ''), name)
  const file = /\.(?:mdx?|markdown)$/i.test(path) ? path : `${path}${extensionOf(from)}`
  const bare = !file.includes('/') && !said.startsWith('/') && !said.startsWith('./')
  return bare ? joinPath(folderOf(from), file) : file
}
