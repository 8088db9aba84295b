import { cspell } from './cspell.ts'
import type { Linter, LinterPrograms, Prepared } from './linter.ts'
import type { Lint, LintMessage, LintPage } from '../../site/checks/lint.ts'
import { markdownlint } from './markdownlint.ts'
import { checkFormat } from './prettier.ts'
import { vale } from './vale.ts'
import { markdownEnding } from '../../site/text/markup.ts'

const linters: readonly Linter[] = [vale, markdownlint, cspell]
const maxPages = 300
/** Nothing else is ever written under a name that a repository chose, so a page cannot pass for a configuration. */

/** Reads configurations and what linters say; the programs themselves run where `programs` runs them. */
export function createLint(programs: LinterPrograms): Lint {
  return async ({ tree, pages, signal, begin = () => true }) => {
    const usable = pages.filter(({ path }) => isPlain(path) && markdownEnding.test(path)).slice(0, maxPages)
    if (usable.length === 0) return []
    const paths = usable.map((page) => page.path)
    const all = await Promise.all(
      linters.map(async (linter) => {
        const isThere = await programs.has(linter.program)
        const prepared = isThere ? await linter.prepare(tree, paths) : undefined
        return prepared === undefined ? [] : runLinter(linter, { programs, prepared, pages: usable, signal })
      }),
    )
    return [...all.flat(), ...(await checkFormat(tree, usable, begin))]
  }
}

interface Run {
  programs: LinterPrograms
  prepared: Prepared
  pages: readonly LintPage[]
  signal: AbortSignal | undefined
}

async function runLinter(linter: Linter, { programs, prepared, ...run }: Run): Promise<LintMessage[]> {
  const { folder, files } = prepared
  const pages = run.pages.map(({ path, text }) => ({ path: path.slice(folder.length), content: text }))
  const { args, stdin = '' } = linter.call(pages.map(({ path }) => path))
  // The configuration is written last, so that no page replaces it.
  const call = { args, stdin, files: [...pages, ...files] }
  const output = await programs.run(linter.program, call, run.signal)
  if (output === undefined) return []
  const known = new Set(pages.map(({ path }) => path))
  return linter.parse(output).flatMap((message) => {
    const path = message.path
      .replaceAll('\\', '/')
      .replace(`${output.folder}/`, '')
      .replace(/^(?:\.\/)+/, '')
    const said = message.message.slice(0, 500)
    return known.has(path)
      ? [{ ...message, message: said, linter: linter.name, path: `${folder}${path}` }]
      : []
  })
}

/** Output is read by lines, so a file name with a line end could forge findings. */
function isPlain(path: string): boolean {
  return !/[\p{Cc}\\:]/u.test(path)
}
