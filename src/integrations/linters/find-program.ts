import { access, constants, stat } from 'node:fs/promises'
import { delimiter, isAbsolute, join } from 'node:path'

/** The full path of a program on a PATH; places that depend on where we are do not count. */
export async function findProgram(name: string, path: string): Promise<string | undefined> {
  for (const folder of path.split(delimiter)) {
    if (!isAbsolute(folder)) continue
    const program = join(folder, name)
    try {
      await access(program, constants.X_OK)
      if ((await stat(program)).isFile()) return program
    } catch {
      // Not here.
    }
  }
  return undefined
}
