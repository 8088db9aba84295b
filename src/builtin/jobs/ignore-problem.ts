import { entryInsertion, writeIgnoreFile } from '../../site/checks/whole/ignore-entry.ts'
import { ignorePath } from '../../site/checks/whole/ignored-problems.ts'
import type { Request } from '../requests/request.ts'
import { listFiles, writeFile } from '../tools.ts'
import { changeFiles } from './change-files.ts'
import { code, nothing, quote, type Work } from './outcome.ts'

/** Adds one entry to what the repository ignores, and leaves the rest of that file as it is. */
export function* ignoreProblem({ entry }: Extract<Request, { kind: 'ignore' }>): Work {
  const { kind, path, text } = entry
  const problems = `${kind === undefined ? '' : `${kind.replaceAll('_', ' ')} `}problems`
  const title = `Ignore ${problems}${path === undefined ? '' : ` in ${path}`}`
  const where = path === undefined ? '' : ` in ${code(path)}`
  const what = `Checks no longer report ${problems}${where}${text === undefined ? '' : ` that say ${quote(text)}`}`
  const listed = yield* listFiles({ path: '.docwright' })
  const isThere = listed.ok && listed.value.includes(ignorePath)
  const done = { title, what: `${what}.`, changed: [`${code(ignorePath)}: one entry added`], left: [] }
  if (!isThere) {
    const written = yield* writeFile(ignorePath, writeIgnoreFile(entry))
    return written.ok ? done : nothing(title, `${code(ignorePath)} was not written: ${written.message}.`)
  }
  const { failed } = yield* changeFiles([ignorePath], (_, content) => {
    const insertion = entryInsertion(content, entry)
    return typeof insertion === 'string' ? insertion : [insertion]
  })
  const [why] = failed
  return why === undefined ? done : nothing(title, `${code(ignorePath)} was not changed: ${why.why}.`)
}
