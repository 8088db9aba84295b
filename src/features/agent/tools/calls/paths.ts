import type { SiteView } from '../../../../site/checks/site-view.ts'
import { folderPath } from '../../../../site/links/page-path.ts'
import { createGlob, isGlob } from '../../../../site/text/glob.ts'
import { pathObjection } from '../../../../site/text/repository-path.ts'
import { quote } from '../../../../lib/text/quote.ts'
import { ToolError } from '../../../../lib/tool-error.ts'
import type { Workspace } from '../../workspace/workspace.ts'

/** What models call a file: by its path, with or without the folder of the docs and the extension, or by the page's address. */
export interface Paths {
  /**
   * The path of the file that is meant; what was given where there is none.
   * @throws ToolError `ambiguous` with the candidates
   */
  file(given: string): Promise<string>
  /** The same for a file that may not be there yet. */
  place(given: string): Promise<string>
  /** The path that a file moves to. */
  newFile(given: string): Promise<string>
  /** The path that a folder moves to. */
  newFolder(given: string): Promise<string>
  /** The same for a file or a folder. */
  folder(given: string): Promise<string>
  /** A glob, below the folder of the docs where it matches nothing otherwise. */
  glob(given: string): Promise<string>
  /** A file, a folder or a glob. */
  some(given: string): Promise<string>
}

const endings = ['.mdx', '.md', '.markdown', '.rst', '/index.rst', '/index.mdx', '/index.md', '/README.md']

export function createPaths(workspace: Workspace, view: SiteView, writeRoot: string): Paths {
  const candidates = async (given: string): Promise<string[]> => {
    const { path, isAbsolute, isOrigin } = plainPath(given)
    const bare = path.replace(/\/$/, '')
    if (bare !== '' && pathObjection(bare) !== undefined) return []
    if (!isAbsolute && workspace.has(path)) return [path]
    const site = await view.site()
    const matches = new Set<string>()
    const link = site.resolveLink(`${site.root}index.md`, `/${path}`)
    if (path !== '' || link.kind === 'page') {
      if (link.kind === 'page' && workspace.has(link.path)) matches.add(link.path)
      const roots = isOrigin ? [] : [...new Set(['', folderPath(writeRoot), site.root])]
      for (const root of roots) if (workspace.has(`${root}${path}`)) matches.add(`${root}${path}`)
      if (matches.size === 0 || !isAbsolute) {
        for (const root of bare === '' ? [] : roots)
          for (const ending of endings)
            if (workspace.has(`${root}${bare}${ending}`)) matches.add(`${root}${bare}${ending}`)
      }
    }
    if (matches.size === 0 && bare !== '' && !bare.includes('/'))
      for (const match of namedSo(bare)) matches.add(match)
    return [...matches]
  }
  // A bare name means the only file of that name.
  const namedSo = (name: string): string[] => {
    const names = new Set([name, ...endings.slice(0, 4).map((ending) => `${name}${ending}`)])
    const all = workspace.list().map(({ path }) => path)
    return all.filter((path) => names.has(path.slice(path.lastIndexOf('/') + 1))).slice(0, 20)
  }
  const file = async (given: string): Promise<string> => {
    if (given === '' || given.startsWith('@') || workspace.has(given)) return given
    const matches = await candidates(given)
    const [only] = matches
    if (matches.length <= 1) return only ?? given
    throw new ToolError('ambiguous', `${quote(given)} may be any of several files: give the whole path`, {
      candidates: matches.slice(0, 10),
    })
  }
  const rootsOf = async () => [...new Set([folderPath(writeRoot), (await view.site()).root])]
  /** with the folder of the docs where that was left out; undefined for a path that leads elsewhere. */
  const locate = async (given: string, isTarget: boolean): Promise<string | undefined> => {
    // Another repository, which is only read.
    if (given.startsWith('@')) return undefined
    const { path, isAbsolute } = plainPath(given)
    const [first = ''] = path.split('/')
    const top = path.includes('/') ? first : ''
    const isBelow = (root: string) => workspace.hasFolder(`${root}${top}`.replace(/\/$/, ''))
    const roots = await rootsOf()
    const named = !isAbsolute || top === '' || [...roots, ''].some(isBelow)
    if (!named || path === '') return undefined
    const usual = isAbsolute ? (roots.at(-1) ?? '') : isTarget ? folderPath(writeRoot) : ''
    return `${placeRoot(path, top, roots, { isBelow, isAbsolute, usual })}${path.replace(/\/$/, '')}`
  }
  const newFile = async (given: string, isTarget = true): Promise<string> => {
    const path = await locate(given, isTarget)
    if (path === undefined) return given
    return plainPath(given).isAbsolute && !/\.[^./]+$/.test(path) ? `${path}${await usualEnding(view)}` : path
  }
  const folder = async (given: string): Promise<string> => {
    const { path } = plainPath(given)
    const plain = path.replace(/\/$/, '')
    if (plain === '' || plain === '.') return ''
    for (const root of ['', ...(await rootsOf())])
      if (workspace.hasFolder(`${root}${plain}`)) return `${root}${plain}`
    return file(given)
  }
  const glob = async (given: string): Promise<string> => {
    const plain = given.replace(/^(?:\.?\/)+/, '')
    const globs = ['', ...(await rootsOf())].map((root) => `${root}${plain}`)
    const matching = globs.find((glob) => {
      const matches = createGlob(glob)
      return workspace.list().some(({ path }) => matches(path))
    })
    return matching ?? given
  }
  return {
    file,
    newFile,
    async place(given) {
      const known = await file(given)
      return workspace.has(known) ? known : newFile(given, false)
    },
    newFolder: async (given) => (await locate(given, true)) ?? given,
    folder,
    glob,
    some: (given) => (isGlob(given) && !/^https?:/i.test(given) ? glob(given) : folder(given)),
  }
}

/** The folder of the docs where a new path leaves it out, and is not another folder of the repository. */
function placeRoot(
  path: string,
  top: string,
  roots: readonly string[],
  { isBelow, isAbsolute, usual }: { isBelow: (root: string) => boolean; isAbsolute: boolean; usual: string },
): string {
  if (roots.some((root) => root !== '' && path.startsWith(root))) return ''
  const below = roots.find((root) => root !== '' && top !== '' && isBelow(root))
  const isElsewhere = top !== '' && isBelow('')
  if (below !== undefined && (isAbsolute || !isElsewhere)) return below
  // Outside of the folder that may be written there is nothing that can be meant.
  return isElsewhere && roots[0] === '' ? '' : usual
}

/** The extension that most pages have. */
async function usualEnding(view: SiteView): Promise<string> {
  const { pages } = await view.site()
  const mostHave = (ending: string) => pages.filter((path) => path.endsWith(ending)).length * 2 > pages.length
  return ['.mdx', '.rst'].find(mostHave) ?? '.md'
}

function plainPath(given: string): { path: string; isAbsolute: boolean; isOrigin: boolean } {
  const origin = /^https?:\/\/[^/]+/i.exec(given)?.[0] ?? ''
  const [address = ''] = given.slice(origin.length).split(/[?#]/, 1)
  const path = address.replace(/^(?:\.?\/)+/, '')
  return { path, isAbsolute: origin !== '' || address.startsWith('/'), isOrigin: origin !== '' }
}
