import type { Plan } from '../replay.ts'
import type { Scope } from '../requests/request.ts'
import { listFiles } from '../tools.ts'
import { explainPage } from './explain-page.ts'
import { findFile } from './find-page.ts'

/** Where to look: `paths` for grep and check (undefined is everywhere), and how to say it. */
export type Place =
  | { ok: true; paths: string[] | undefined; files: boolean; said: string }
  | { ok: false; why: string }

export function* resolveScope(scope: Scope): Plan<Place> {
  if (scope.kind === 'everywhere') return { ok: true, paths: undefined, files: false, said: 'everywhere' }
  if (scope.kind === 'folder') {
    const path = yield* findFolder(scope.path)
    if (path === undefined)
      return { ok: false, why: `There is no folder \`${scope.path}/\` with files in it.` }
    return { ok: true, paths: [path], files: false, said: `in ${path}/` }
  }
  const found = yield* findFile(scope.named)
  if (found.kind === 'one') return pagesIn([found.page])
  const bare = scope.named
    .replace(/^["“'`]|["”'`]$/g, '')
    .replace(/^(?:the|our)\s+/i, '')
    .replace(/^\.?\/+/, '')
  if (/^[\w./-]{1,300}$/.test(bare)) {
    const path = yield* findFolder(bare)
    if (path !== undefined) return { ok: true, paths: [path], files: false, said: `in ${path}/` }
  }
  const names = scope.named
    .split(/(?:(?<!\s)\s+)?,\s*(?:and\s+)?|(?<!\s)\s+and\s+/)
    .filter((name) => name !== '')
  if (names.length > 1 && names.length <= 20 && found.kind === 'none') {
    const pages = []
    for (const name of names) {
      const page = yield* findFile(name)
      if (page.kind !== 'one') return { ok: false, why: explainPage(name, page) }
      pages.push(page.page)
    }
    return pagesIn(pages)
  }
  return { ok: false, why: explainPage(scope.named, found) }
}

function pagesIn(pages: readonly { path: string; title: string }[]): Place {
  const said = pages.map((page) => (page.title === '' || page.title === page.path ? page.path : page.title))
  const listed = said.length > 2 ? `${said.length} pages` : said.join(' and ')
  return { ok: true, paths: pages.map((page) => page.path), files: true, said: `in ${listed}` }
}

/** A folder by its path, or by the end of its path when there is only one. */
function* findFolder(named: string): Plan<string | undefined> {
  const path = named.replace(/^(?:\.?\/)+/, '').replace(/(?<!\/)\/+$/, '')
  if (path === '') return undefined
  const inside = yield* listFiles({ path })
  if (inside.ok && inside.value.some((file) => file.startsWith(`${path}/`))) return path
  const elsewhere = yield* listFiles({ glob: `**/${path}/**` })
  if (!elsewhere.ok) return undefined
  const folders = new Set<string>()
  for (const file of elsewhere.value) {
    const at = `/${file}`.indexOf(`/${path}/`)
    if (at >= 0) folders.add(file.slice(0, at + path.length))
  }
  const [only] = folders
  return folders.size === 1 ? only : undefined
}
