import type { Lint } from './lint.ts'
import type { Problem } from './problem.ts'
import type { SiteView } from './site-view.ts'
import { type FileVersion, addedLines } from './tree-change.ts'

const maxWarnings = 100

/** Runs the repository's own linters on the lines that the change adds, with the configuration of the base. */
export async function checkStyle(
  base: SiteView,
  pages: readonly { before: FileVersion | undefined; after: FileVersion }[],
  lint: Lint,
  signal?: AbortSignal,
): Promise<Problem[]> {
  const paths = base.oids()
  const added = new Map(
    pages.map(({ before, after }) => [after.path, addedLines(before?.text, after.text)] as const),
  )
  const messages = await lint({
    tree: {
      list: () => paths.keys(),
      read: async (path) => (base.begin('page', path) ? base.files.read(path) : undefined),
    },
    pages: pages.map(({ after }) => ({ path: after.path, text: after.text })),
    begin: (tree, path) => {
      const page = tree === 'base' ? undefined : pages.find(({ after }) => after.path === path)
      return (page?.after.view ?? base).begin('check', path)
    },
    signal,
  })
  return messages
    .filter(({ path, line, isNew }) => isNew === true || added.get(path)?.(line) === true)
    .slice(0, maxWarnings)
    .map(({ linter, path, line, message, rule }) => ({
      check: linter,
      severity: 'warning',
      path,
      line,
      message: rule === undefined ? message : `${message} (${rule})`,
    }))
}
