import { explainPage } from '../pages/explain-page.ts'
import { findPage } from '../pages/find-page.ts'
import { lineEdits, type Change } from '../pages/line-edits.ts'
import type { Plan } from '../replay.ts'
import type { Request } from '../requests/request.ts'
import { deletePage, editFiles, readFiles } from '../tools.ts'
import { code, count, nothing, quote, type Work } from './outcome.ts'

/** The page and its navigation entry go; links to it become plain text, so that none is left broken. */
export function* removePage(request: Extract<Request, { kind: 'delete' }>): Work {
  const found = yield* findPage(request.page)
  if (found.kind !== 'one') return nothing('Delete a page', explainPage(request.page, found))
  const { path, title: name } = found.page
  const title = `Delete the page ${quote(name === '' ? path : name)}`
  const deleted = yield* deletePage(path)
  if (!deleted.ok) return nothing(title, `${code(path)} could not be deleted: ${deleted.message}`)
  const others = deleted.value.changed.filter((file) => file !== path)
  const changed = [
    `${code(path)}: deleted`,
    ...others.map((file) => `${code(file)}: navigation entry removed`),
  ]
  const left: string[] = []
  const links = deleted.value.inboundLinks.filter((link) => link.path !== path)
  yield* unlink(links, changed, left)
  left.push('No redirect from the old address: there is no page that takes its place')
  const said = links.length === 0 ? 'Nothing linked to it.' : `${count(links.length, 'link')} pointed to it.`
  return { title, what: `Deleted the page ${code(path)}, as asked. ${said}`, changed, left }
}

interface Inbound {
  path: string
  line: number
  href: string
}

function* unlink(links: readonly Inbound[], changed: string[], left: string[]): Plan<void> {
  const byFile = Map.groupBy(links, (link) => link.path)
  const texts = yield* readFiles([...byFile.keys()])
  const work: { path: string; edits: ReturnType<typeof lineEdits>['edits']; lines: number[] }[] = []
  for (const [path, text] of texts) {
    const changes: Change[] = []
    for (const link of byFile.get(path) ?? []) {
      const change = text.ok ? plainLink(text.value, link) : undefined
      if (!change) left.push(`${code(`${path}:${link.line}`)} still points to ${code(link.href)}`)
      else if (!changes.some((other) => other.start < change.end && change.start < other.end))
        changes.push(change)
    }
    if (text.ok && changes.length > 0) work.push({ path, ...lineEdits(text.value, changes) })
  }
  const answers = yield* editFiles(work.map(({ path, edits }) => ({ path, edits })))
  work.forEach(({ path, lines }, index) => {
    const answer = answers[index]
    if (answer?.ok === true)
      changed.push(`${code(path)}: a link to the page is now plain text (line ${lines.join(', ')})`)
    else left.push(`${code(path)} still links to the page: ${answer?.message ?? 'it could not be edited'}`)
  })
}

/** `[text](href)` on the link's line, to be replaced by its text. */
function plainLink(text: string, link: Inbound): Change | undefined {
  let start = 0
  for (let line = 1; line < link.line; line++) {
    const newline = text.indexOf('\n', start)
    if (newline < 0) return undefined
    start = newline + 1
  }
  const newline = text.indexOf('\n', start)
  const line = text.slice(start, newline < 0 ? text.length : newline)
  for (const found of line.matchAll(
    /(?<!!)\[((?:[^[\]\n]|\[[^[\]\n]{0,200}\]){1,500})\]\(<?([^()\s>]{1,2000})>?(?:\s+["'(][^\n)]{0,300})?\)/g,
  )) {
    if (found[2] === link.href && found[1] !== undefined) {
      const at = start + found.index
      return { start: at, end: at + found[0].length, replace: found[1] }
    }
  }
  return undefined
}
