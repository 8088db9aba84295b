import { isMarkdown, languageFolders, withoutExtension } from '../links/page-path.ts'

/** The language and the version that the folders of a page name. */
export interface FolderLabels {
  language: string | undefined
  version: string | undefined
}

const numbered = /^(?:version-|v)?\d{1,4}(?:\.(?:\d{1,5}|x)){1,3}$|^(?:version-|v)\d{1,4}$|^\d{1,3}\.?x$/i
/** A number alone is that of a version only if most of its pages are in another version too. */
const bare = /^\d{1,3}$/
const moving =
  /^(?:version-)?(?:latest|stable|next|current|main|master|dev|devel|develop|edge|nightly|canary|unreleased)$/i
const maxDepth = 4

/**
 * Reads versions and languages from folders: `v2/guide.md`, `docs/1.x/guide.md`, `en/latest/guide.md`. A folder is
 * that of a version if another one beside it, or the folder that both are in, has a page of the same path.
 */
export function folderLabels(
  paths: Iterable<string>,
  { root, mainLanguage }: { root: string; mainLanguage: string | undefined },
): {
  folders: readonly string[]
  labelsOf: (path: string) => FolderLabels
  /** The path without them, which copies in other languages and versions share. */
  identityOf: (path: string) => string
} {
  const inside = new Set<string>()
  for (const path of paths) if (isMarkdown(path, root)) inside.add(path.slice(root.length))
  const versions = versionFolders(inside)
  const split = (path: string): { version: string | undefined; rest: string } => {
    for (let end = path.indexOf('/'), depth = 0; end !== -1 && depth < maxDepth; depth++) {
      const folder = path.slice(0, end + 1)
      if (versions.has(folder)) {
        const start = path.lastIndexOf('/', end - 1) + 1
        const version = path.slice(start, end).replace(/^version-/i, '')
        return { version, rest: `${path.slice(0, start)}${path.slice(end + 1)}` }
      }
      end = path.indexOf('/', end + 1)
    }
    return { version: undefined, rest: path }
  }
  const languages = languageFolders(
    [...inside].map((path) => split(path).rest),
    '',
  )
  const labelsOf = (path: string): FolderLabels => {
    if (!path.startsWith(root)) return { language: undefined, version: undefined }
    const { version, rest } = split(path.slice(root.length))
    const first = rest.slice(0, Math.max(0, rest.indexOf('/')))
    const language = languages.size === 0 ? undefined : languages.has(first) ? first : (mainLanguage ?? 'en')
    return { language, version }
  }
  const identityOf = (path: string): string => {
    if (!path.startsWith(root)) return withoutExtension(path)
    const { rest } = split(path.slice(root.length))
    const first = rest.slice(0, Math.max(0, rest.indexOf('/')))
    return `${root}${withoutExtension(languages.has(first) ? rest.slice(first.length + 1) : rest)}`
  }
  return { folders: [...versions, ...languages].sort(), labelsOf, identityOf }
}

function versionFolders(inside: ReadonlySet<string>): Set<string> {
  /** The names of possible versions, by the folder that they are in. */
  const candidates = new Map<string, Map<string, string[]>>()
  for (const path of inside) {
    for (let start = 0, depth = 0; depth < maxDepth; depth++) {
      const end = path.indexOf('/', start)
      if (end === -1) break
      const name = path.slice(start, end)
      if (isCandidate(name)) {
        const parent = path.slice(0, start)
        const names = candidates.get(parent) ?? new Map<string, string[]>()
        candidates.set(parent, names)
        const files = names.get(name)
        if (files === undefined) names.set(name, [path.slice(end + 1)])
        else files.push(path.slice(end + 1))
      }
      start = end + 1
    }
  }
  const versions = new Set<string>()
  for (const [parent, names] of candidates) {
    if (![...names.keys()].some((name) => !moving.test(name))) continue
    for (const [name, files] of names) {
      const others = [
        ...[...names.keys()].filter((one) => one !== name).map((one) => `${parent}${one}/`),
        parent,
      ]
      const shared = files.filter((file) => others.some((other) => inside.has(`${other}${file}`))).length
      if (bare.test(name) ? shared > 2 && shared * 2 > files.length : shared > 0)
        versions.add(`${parent}${name}/`)
    }
  }
  return versions
}

function isCandidate(name: string): boolean {
  return numbered.test(name) || moving.test(name) || bare.test(name)
}
