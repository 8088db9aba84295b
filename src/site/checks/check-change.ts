import type { Lint } from './lint.ts'
import { addedLines } from './added-lines.ts'
import { checkStyle } from './check-style.ts'
import { checkNavigation } from './check-navigation.ts'
import { checkRedirects } from './check-redirects.ts'
import { checkRoutes } from './check-routes.ts'
import { findGlossary } from './check-terms.ts'
import { checkText } from './check-text.ts'
import { onlyNew } from './only-new.ts'
import type { Finding, Problem } from './problem.ts'
import { type FileVersion, type TreeChange, readVersion } from './tree-change.ts'

export interface CheckTools {
  /** The repository's own linters, where they are installed. */
  lint?: Lint
  signal?: AbortSignal | undefined
}

/** Milliseconds for the texts of one change. */
const patience = 90_000

/** What a change brings with it: problems of the texts that it writes, of pages that it adds, and of addresses that it takes away. */
export async function checkChange(change: TreeChange, tools: CheckTools): Promise<Problem[]> {
  const problems: Problem[] = []
  const pages: { before: FileVersion | undefined; after: FileVersion }[] = []
  const glossary = change.files.length === 0 ? undefined : await findGlossary(change.base)
  const end = performance.now() + patience
  for (const [index, { path, from }] of change.files.entries()) {
    tools.signal?.throwIfAborted()
    if (performance.now() > end) {
      const message = `This file and ${change.files.length - index - 1} more were not checked: the change is too large to check all of it`
      problems.push(unchecked(path, message, 'Make the change in several jobs to have every file checked'))
      break
    }
    if (!change.head.begin('page', path) || !change.head.begin('check', path)) {
      const message = 'The file takes too long to read, so it was not checked'
      problems.push(unchecked(path, message, 'Make it shorter or less nested'))
      continue
    }
    const after = await readVersion(change.head, path)
    if (after === undefined) continue
    const before = from === undefined ? undefined : await readVersion(change.base, from)
    if (after.isMarkdown) pages.push({ before, after })
    const found = await checkText(after, glossary)
    if (found.length === 0) continue
    const known = before === undefined ? [] : await checkText(before, glossary)
    const isAdded = addedLines(before?.text, after.text)
    const fresh = onlyNew(found, known).filter(({ check, line }) => check !== 'term' || isAdded(line))
    problems.push(...fresh.map((finding) => problemAt(path, finding)))
  }
  problems.push(
    ...(await checkNavigation(change)),
    ...(await checkRedirects(change)),
    ...(await checkRoutes(change)),
  )
  if (tools.lint !== undefined && pages.length > 0)
    problems.push(...(await checkStyle(change.base, pages, tools.lint, tools.signal)))
  return problems
}

function problemAt(path: string, { same: _same, counted: _counted, ...finding }: Finding): Problem {
  return { ...finding, path }
}

function unchecked(path: string, message: string, hint: string): Problem {
  const check = /\.(?:jsonc?|ya?ml)$/i.test(path) ? 'data' : 'mdx'
  return { check, severity: 'warning', path, line: 1, message, hint }
}
