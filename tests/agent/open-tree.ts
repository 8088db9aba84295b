import { createHash } from 'node:crypto'
import { changeProblems, newProblems } from '../../src/site/checks/new-problems.ts'
import { FactsCache } from '../../src/site/checks/facts-cache.ts'
import { SiteView } from '../../src/site/checks/site-view.ts'
import { ReadRecord } from '../../src/features/agent/tools/calls/read-record.ts'
import { createTools } from '../../src/features/agent/tools/create-tools.ts'
import type { BaseTree } from '../../src/features/agent/workspace/base-tree.ts'
import { openWorkspace } from '../../src/features/agent/workspace/workspace.ts'
import type { TreeEntry } from '../../src/integrations/git/trees/list-tree.ts'

export type Tree = Readonly<Record<string, string | Uint8Array | { mode: string; content: string }>>

/** A base tree in memory, with git's own ids. Its grep is for plain texts only. */
function memoryBase(tree: Tree): BaseTree {
  const contents = new Map<string, Uint8Array>()
  const files: TreeEntry[] = []
  for (const [path, entry] of Object.entries(tree)) {
    const isPlain = typeof entry === 'string' || entry instanceof Uint8Array
    const content = Buffer.from(isPlain ? entry : entry.content)
    contents.set(path, content)
    const oid = createHash('sha1').update(`blob ${content.length}\0`).update(content).digest('hex')
    files.push({ path, oid, mode: isPlain ? '100644' : entry.mode })
  }
  return {
    listFiles: async () => files,
    read: async (path) => contents.get(path),
    grep: async (changes, pattern, { limit }) => {
      const now = new Map(contents)
      for (const { path, content } of changes) {
        if (content === undefined) now.delete(path)
        else now.set(path, content)
      }
      const matches = [...now].flatMap(([path, content]) =>
        Buffer.from(content)
          .toString()
          .split('\n')
          .flatMap((text, index) => (text.includes(pattern) ? [{ path, line: index + 1, text }] : [])),
      )
      return { matches: matches.slice(0, limit), truncated: matches.length > limit }
    },
  }
}

/** The tools over a tree in memory, called as the loop calls them. */
export async function openTree(tree: Tree, options: { root?: string; unpublished?: string[] } = {}) {
  return openBase(memoryBase(tree), options)
}

export async function openBase(base: BaseTree, options: { root?: string; unpublished?: string[] } = {}) {
  const workspace = await openWorkspace(base)
  const root = options.root ?? ''
  const cache = new FactsCache()
  const baseView = new SiteView({ files: workspace.base(), root, cache })
  const view = new SiteView({ files: workspace, root, cache, base: baseView })
  const site = await baseView.site()
  const reads = new ReadRecord()
  const tools = createTools({
    workspace,
    view,
    base: baseView,
    unpublished: options.unpublished ?? [],
    reads,
    searchDocs: async () => [],
    checks: {
      ofChange: () => changeProblems(baseView, view),
      onlyNew: () => newProblems(baseView, view, {}),
    },
    scope: {
      root,
      configPaths: site.configPaths,
      navigationFiles: site.navigationFiles,
      openKeys: site.openKeys,
      redirectFile: site.redirectFile,
    },
  })
  const call = async (name: string, input: unknown): Promise<Record<string, unknown>> => {
    const output = await tools.find((tool) => tool.name === name)?.execute(input)
    if (output === undefined) throw new Error(`There is no tool ${name}`)
    reads.recordResult(name, output)
    return output
  }
  const text = async (path: string) => {
    const content = await workspace.read(path)
    return content === undefined ? undefined : Buffer.from(content).toString()
  }
  /** What changed, file by file, as lines taken out and put in. */
  const diff = async (): Promise<Record<string, string[] | 'removed' | 'added'>> => {
    const changes: Record<string, string[] | 'removed' | 'added'> = {}
    for (const { path, content } of workspace.changes()) {
      const before = await workspace.readBase(path)
      if (content === undefined) changes[path] = 'removed'
      else if (before === undefined) changes[path] = 'added'
      else changes[path] = lineDiff(Buffer.from(before).toString(), Buffer.from(content).toString())
    }
    return changes
  }
  return { workspace, view, baseView, reads, tools, call, text, diff }
}

// Lines with their ends, so that a changed line end shows; common lines are found by the longest common subsequence.
function lineDiff(before: string, after: string): string[] {
  const old = before.split(/(?<=\n)/)
  const now = after.split(/(?<=\n)/)
  const table = Array.from({ length: old.length + 1 }, () => Array.from({ length: now.length + 1 }, () => 0))
  const at = (i: number, j: number) => table[i]?.[j] ?? 0
  for (let i = old.length - 1; i >= 0; i--) {
    for (let j = now.length - 1; j >= 0; j--) {
      const row = table[i]
      if (row !== undefined)
        row[j] = old[i] === now[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))
    }
  }
  const lines: string[] = []
  for (let i = 0, j = 0; i < old.length || j < now.length;) {
    if (i < old.length && j < now.length && old[i] === now[j]) {
      i++
      j++
    } else if (i < old.length && (j === now.length || at(i + 1, j) >= at(i, j + 1)))
      lines.push(`-${old[i++]}`)
    else lines.push(`+${now[j++]}`)
  }
  return lines
}
