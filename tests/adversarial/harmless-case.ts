import type { Tree } from '../agent/open-tree.ts'

/** A repository with one documentation site. */
export interface DocsSite {
  /** Folder of the documentation as a project names it; empty for the whole repository. */
  root: string
  base: Readonly<Record<string, string>>
}

/** A page or change that an honest writer makes, as the calls of tools that make it. */
export interface HarmlessCase {
  name: string
  site: string
  base: Tree
  calls: [tool: string, input: Record<string, unknown>][]
}

/** Replacements in one file; each text to be replaced stands in it exactly once. */
type Edits = readonly (readonly [from: string, to: string])[]

/** Collects the cases of one site. Texts may begin with a line break of their own, and `more` adds files to the base. */
export function casesOf({ root, base }: DocsSite) {
  const cases: HarmlessCase[] = []
  const trees = (more: Readonly<Record<string, string>>): Record<string, string> =>
    Object.fromEntries(Object.entries({ ...base, ...more }).map(([path, text]) => [path, plain(text)]))
  const add = (name: string, tree: Tree, calls: HarmlessCase['calls']): void => {
    cases.push({ name, site: root, base: tree, calls })
  }
  return {
    cases,
    page: (name: string, path: string, content: string, more = {}): void =>
      add(name, trees(more), [['write_file', { path, content: plain(content), exact: true }]]),
    edit: (name: string, changes: Readonly<Record<string, Edits>>, more = {}): void => {
      const tree = trees(more)
      add(
        name,
        tree,
        Object.entries(changes).map(([path, edits]) => [
          'write_file',
          { path, content: edited(tree[path] ?? '', edits), exact: true },
        ]),
      )
    },
    move: (name: string, from: string, to: string, more = {}): void =>
      add(name, trees(more), [['move_page', { from, to }]]),
    remove: (name: string, path: string, more = {}): void =>
      add(name, trees(more), [['delete_page', { path }]]),
  }
}

function edited(text: string, edits: Edits): string {
  return edits.reduce((now, [from, to]) => {
    const parts = now.split(plain(from))
    if (parts.length !== 2) throw new Error(`Stands ${parts.length - 1} times in the page: ${from}`)
    return parts.join(plain(to))
  }, text)
}

function plain(text: string): string {
  return text.replace(/^\n/, '')
}
