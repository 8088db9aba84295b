import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { requireSafePath } from '../git/safe-path.ts'
import { findProgram } from './find-program.ts'
import type { LintFile, LinterPrograms } from './linter.ts'
import { runProgram } from './run-program.ts'

/** The linters that an operator has installed. `path` is the PATH that they are looked for on, and run with. */
export function linterPrograms(path: string, deadline = 20_000): LinterPrograms {
  return {
    has: async (name) => (await findProgram(name, path)) !== undefined,
    async run(name, { args, stdin, files }, signal) {
      const program = await findProgram(name, path)
      if (program === undefined) return undefined
      // As the program sees it, for the paths in what it says.
      const place = await realpath(await mkdtemp(join(tmpdir(), 'docwright-lint-')))
      try {
        const folder = join(place, 'work')
        await writeFiles(folder, files)
        const environment = {
          PATH: path,
          HOME: place,
          XDG_CONFIG_HOME: place,
          TMPDIR: place,
          LC_ALL: 'C.UTF-8',
        }
        const output = await runProgram(program, { args, stdin, folder, environment, deadline, signal })
        return output && { ...output, folder }
      } catch {
        // Names that cannot stand beside each other, or a full disk: linters only advise.
        return undefined
      } finally {
        await rm(place, { recursive: true, force: true })
      }
    },
  }
}

async function writeFiles(root: string, files: readonly LintFile[]): Promise<void> {
  for (const { path, content } of files) {
    const target = join(root, requireSafePath(path))
    await mkdir(dirname(target), { recursive: true })
    await writeFile(target, content)
  }
}
