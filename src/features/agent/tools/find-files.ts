import { createGlob, globFolder, isGlob } from '../../../site/text/glob.ts'
import { type Workspace, requirePath } from '../workspace/workspace.ts'
import { quote } from '../../../lib/quote.ts'
import { ToolError } from '../../../lib/tool-error.ts'

/** Reads a folder as models write it: `guides`, `guides/`, `./guides`, `.`, `/`; `''` is the whole repository. */
export function folderInput(path: string): string {
  const plain = path.replace(/^(?:\.?\/)+/, '').replace(/(?<!\/)\/+$/, '')
  return plain === '' || plain === '.' ? '' : requirePath(plain)
}

export interface Selection {
  /** Files and folders to look in; everything when empty. */
  places: string[]
  includes: (path: string) => boolean
}

/** Files, folders and globs as a narrowed search and a test for its results. @throws ToolError `not_found` for none */
export function selectFiles(workspace: Workspace, wanted: readonly string[]): Selection {
  if (wanted.length === 0) return { places: [], includes: () => true }
  const places: string[] = []
  const tests: ((path: string) => boolean)[] = []
  for (const given of wanted) {
    const literal = given.replace(/^(?:\.?\/)+/, '').replace(/(?<!\/)\/+$/, '')
    if (literal === '' || literal === '.') return { places: [], includes: () => true }
    if (workspace.has(literal) || workspace.hasFolder(literal)) {
      places.push(literal)
      tests.push((path) => path === literal || path.startsWith(`${literal}/`))
    } else if (isGlob(given)) {
      places.push(globFolder(given.includes('/') ? given : `**/${given}`))
      tests.push(createGlob(given))
    } else {
      requirePath(literal)
      throw new ToolError('not_found', `There is no file or folder ${quote(given)}`)
    }
  }
  const includes = (path: string) => tests.some((test) => test(path))
  return { places: places.includes('') ? [] : places, includes }
}
