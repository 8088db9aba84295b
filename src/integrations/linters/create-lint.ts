import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { requireSafePath } from '../git/safe-path.ts'
import { cspell } from './cspell.ts'
import { findProgram } from './find-program.ts'
import type { Lint, LintFile, LintMessage, Linter, Prepared } from './linter.ts'
import { markdownlint } from './markdownlint.ts'
import { runProgram } from './run-program.ts'
import { vale } from './vale.ts'

const linters: readonly Linter[] = [vale, markdownlint, cspell]
const maxPages = 300
/** Nothing else is ever written under a name that a repository chose, so a page cannot pass for a configuration. */
const pageName = /\.(?:mdx?|markdown)$/i

/** The linters that an operator has installed. `path` is the PATH that they are looked for on, and run with. */
export function createLint(path: string, deadline = 20_000): Lint {
  return async ({ tree, pages, signal }) => {
    const usable = pages.filter(({ path }) => isPlain(path) && pageName.test(path)).slice(0, maxPages)
    if (usable.length === 0) return []
    const paths = usable.map((page) => page.path)
    const all = await Promise.all(
      linters.map(async (linter) => {
        const program = await findProgram(linter.program, path)
        const prepared = program === undefined ? undefined : await linter.prepare(tree, paths)
        if (program === undefined || prepared === undefined) return []
        return runLinter(linter, { prepared, pages: usable, program, path, deadline, signal })
      }),
    )
    return all.flat()
  }
}

interface Run {
  prepared: Prepared
  pages: readonly { path: string; text: string }[]
  program: string
  path: string
  deadline: number
  signal: AbortSignal | undefined
}

async function runLinter(linter: Linter, run: Run): Promise<LintMessage[]> {
  const { folder, files } = run.prepared
  const pages = run.pages.map(({ path, text }) => ({ path: path.slice(folder.length), content: text }))
  // As the program sees it, for the paths in what it says.
  const place = await realpath(await mkdtemp(join(tmpdir(), 'docwright-lint-')))
  try {
    const work = join(place, 'work')
    await writeFiles(work, [...pages, ...files])
    const { args, stdin = '' } = linter.call(pages.map(({ path }) => path))
    const output = await runProgram(run.program, {
      args,
      stdin,
      folder: work,
      environment: { PATH: run.path, HOME: place, XDG_CONFIG_HOME: place, TMPDIR: place, LC_ALL: 'C.UTF-8' },
      deadline: run.deadline,
      signal: run.signal,
    })
    const known = new Set(pages.map(({ path }) => path))
    return (output === undefined ? [] : linter.parse(output)).flatMap((message) => {
      const path = message.path
        .replaceAll('\\', '/')
        .replace(`${work}/`, '')
        .replace(/^(?:\.\/)+/, '')
      const said = message.message.slice(0, 500)
      return known.has(path)
        ? [{ ...message, message: said, linter: linter.name, path: `${folder}${path}` }]
        : []
    })
  } catch {
    // Names that cannot stand beside each other, or a full disk: linters only advise.
    return []
  } finally {
    await rm(place, { recursive: true, force: true })
  }
}

async function writeFiles(root: string, files: readonly LintFile[]): Promise<void> {
  for (const { path, content } of files) {
    const target = join(root, requireSafePath(path))
    await mkdir(dirname(target), { recursive: true })
    // The configuration comes last, so no page takes its place.
    await writeFile(target, content)
  }
}

/** Output is read by lines: a name that holds one could say anything. */
function isPlain(path: string): boolean {
  return !/[\p{Cc}\\:]/u.test(path)
}
