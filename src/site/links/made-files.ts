import type { ReadFile } from '../files.ts'
import { joinPath } from '../text/paths.ts'
import { createPattern } from '../text/glob.ts'

const maxFolders = 12
const maxBelow = 50
const endings = ['', '.md', '.mdx', '/index.md', '/index.mdx']

/** Whether the repository's `.gitignore` files cover a path, so that a build may make a file there. */
export type IsMade = (path: string | undefined) => boolean

/** Reads the `.gitignore` files above, at and below `root`. */
export async function madeFiles(
  read: ReadFile,
  { paths, root }: { paths: ReadonlySet<string>; root: string },
): Promise<IsMade> {
  const folders = root
    .split('/')
    .map((_, depth, parts) =>
      parts
        .slice(0, depth)
        .map((part) => `${part}/`)
        .join(''),
    )
    .slice(0, maxFolders)
  const below = [...paths].flatMap((path) =>
    path.startsWith(root) && path.endsWith('/.gitignore') ? [path.slice(0, -'.gitignore'.length)] : [],
  )
  folders.push(...below.filter((folder) => !folders.includes(folder)).slice(0, maxBelow))
  const sources: { folder: string; text: string }[] = []
  for (const folder of folders) {
    const text = paths.has(`${folder}.gitignore`) ? await read(`${folder}.gitignore`) : undefined
    if (text !== undefined) sources.push({ folder, text })
  }
  let rules: { folder: string; ignores: (path: string) => boolean }[] | undefined
  const isIgnored = (path: string): boolean => {
    rules ??= sources
      .map(({ folder, text }) => ({ folder, ignores: ignorePatterns(text) }))
      // A `.gitignore` that covers the pages of the site, which are in git, says nothing about other files.
      .filter(
        ({ folder, ignores }) => !root.startsWith(folder) || !ignores(`${root.slice(folder.length)}page.md`),
      )
    return rules.some(({ folder, ignores }) => path.startsWith(folder) && ignores(path.slice(folder.length)))
  }
  return (path) => {
    if (path === undefined || path === '' || sources.length === 0) return false
    const bare = joinPath('', path)?.replace(/\/$/, '')
    return bare !== undefined && bare !== '' && endings.some((ending) => isIgnored(`${bare}${ending}`))
  }
}

/** A test made of `.gitignore` lines, for paths relative to the folder of the file that holds them. */
export function ignorePatterns(source: string): (path: string) => boolean {
  const rules: { keep: boolean; matches: (path: string) => boolean }[] = []
  for (const line of source.split(/\r?\n/).slice(0, 1000)) {
    const pattern = line.trim()
    if (pattern === '' || pattern.startsWith('#') || pattern.length > 500) continue
    const keep = pattern.startsWith('!')
    const bare = pattern.slice(keep ? 1 : 0)
    const anchored = bare.replace(/\/$/, '').includes('/')
    const glob = `${anchored ? '' : '**/'}${bare.replace(/^\//, '').replace(/\/$/, '')}`
    const globs = bare.endsWith('/') ? [`${glob}/**`] : [glob, `${glob}/**`]
    const tests = globs.map(createPattern)
    rules.push({ keep, matches: (path) => tests.some((test) => test(path)) })
  }
  return (path) => {
    let ignored = false
    for (const rule of rules) if (ignored === rule.keep && rule.matches(path)) ignored = !rule.keep
    return ignored
  }
}
