import type { UnreadPages } from '../../../site/site.ts'
import { openBlobReader, type BlobReader } from '../../../integrations/git/trees/blob-reader.ts'
import type { Repository } from '../../../integrations/git/git.ts'
import { listTree } from '../../../integrations/git/trees/list-tree.ts'
import { treeFiles } from '../../../integrations/git/trees/tree-files.ts'
import { readWorkingFile } from '../../../integrations/git/working-copy.ts'
import { answerTasks, type Owner } from '../../../lib/threads/answer-tasks.ts'
import { checkTree, createSelection } from '../../../site/checks/check-tree.ts'
import { newProblems } from '../../../site/checks/new-problems.ts'
import type { Problem } from '../../../site/checks/problem.ts'
import { checkCompiling, uncompiledPages } from '../../../site/checks/whole/check-compiling.ts'
import { FactsCache } from '../../../site/checks/facts-cache.ts'
import { ignorePath, readIgnored, type IgnoredProblems } from '../../../site/checks/whole/ignored-problems.ts'
import { SiteView } from '../../../site/checks/site-view.ts'
import { type SiteProgress, sparingly } from '../../../site/checks/whole/progress.ts'
import type { FileView } from '../../../site/files.ts'
import { readingKey, readingName, type TextGuard } from '../../../site/text/text-guard.ts'

export interface CheckThread {
  task: {
    folder: string
    files: ReadonlyMap<string, string>
    /** The folder of the pages, with a slash at the end; empty for the whole repository. */
    root: string
    /** Only problems that this commit does not have. */
    base: { repository: Repository; commit: string } | undefined
    paths: readonly string[]
    /** Keys of texts that took too long before. */
    tooMuch: readonly string[]
  }
  request: SiteProgress
  reply: void
  answer: CheckAnswer
}

export interface CheckAnswer {
  problems: Problem[]
  pages: number
  framework: string
  /** Links that were tried; undefined where only the problems of a change were looked for. */
  checked: number | undefined
  notLookedAt: { kind: string; count: number }[]
  /** How many problems `.docwright/ignore.yml` says are none, and what is wrong with that file. */
  ignored: { count: number; wrong: IgnoredProblems['wrong'] }
  /** Pages of the site in formats that are not read. */
  unread: readonly UnreadPages[]
}

answerTasks<CheckThread>(async (task, owner) => {
  const cache = new FactsCache()
  const guard = guardOf(owner, task.tooMuch)
  const files = viewOf(task.files, (path) => readWorkingFile(task.folder, path))
  const { root, base, paths } = task
  const report = sparingly((progress) => owner.ask(progress))
  await report({ phase: 'Reading pages', done: 0, total: files.list().length })
  if (base === undefined) {
    const view = new SiteView({ files, root, cache, guard })
    const site = await view.site()
    const wanted = site.pages.filter(createSelection(paths))
    const total = wanted.length
    const { problems, checked, notLookedAt } = await checkTree(view, paths, (done) =>
      report({ phase: 'Following links', done, total }),
    )
    const compiled = await checkCompiling(view, wanted, (done) =>
      report({ phase: 'Compiling pages', done, total }),
    )
    return {
      ...(await heeding(view, [...problems, ...compiled.problems].sort(byPlace))),
      pages: site.pages.length,
      framework: site.framework,
      unread: site.unread,
      checked,
      notLookedAt: [
        ...notLookedAt,
        ...(compiled.left > 0 ? [{ kind: uncompiledPages, count: compiled.left }] : []),
      ],
    }
  }
  await using reader = await openBlobReader(base.repository, { maxBytes: 4 * 1024 * 1024 })
  const before = new SiteView({
    files: await baseFiles(reader, base.repository, base.commit),
    root,
    cache,
    guard,
  })
  const after = new SiteView({ files, root, cache, guard, base: before })
  const isWanted = createSelection(paths)
  const problems = await newProblems(before, after, { report })
  const site = await after.site()
  return {
    // A branch cannot hide its own problems.
    ...(await heeding(
      before,
      problems.filter(({ path }) => isWanted(path)),
    )),
    pages: site.pages.length,
    framework: site.framework,
    unread: site.unread,
    checked: undefined,
    notLookedAt: [],
  }
})

/** Leaves out what the repository says is no problem. */
async function heeding(
  view: SiteView,
  all: readonly Problem[],
): Promise<Pick<CheckAnswer, 'problems' | 'ignored'>> {
  const { ignores, wrong } = readIgnored(await view.text(ignorePath))
  const problems = all.filter(({ check, path, message }) => !ignores({ kind: check, path, message }))
  return { problems, ignored: { count: all.length - problems.length, wrong } }
}

function byPlace(one: Problem, other: Problem): number {
  if (one.path === other.path) return one.line - other.line
  return one.path < other.path ? -1 : 1
}

function viewOf(
  oids: ReadonlyMap<string, string>,
  read: (path: string) => Promise<Uint8Array | undefined>,
): FileView {
  return {
    revision: 0,
    list: () => [...oids].map(([path, oid]) => ({ path, oid })),
    read: async (path) => (oids.has(path) ? read(path) : undefined),
    readSome: (paths) => Promise.all(paths.map(async (path) => (oids.has(path) ? read(path) : undefined))),
  }
}

async function baseFiles(reader: BlobReader, repository: Repository, commit: string): Promise<FileView> {
  const oids = await treeFiles(await listTree(repository, commit), reader)
  return viewOf(oids, async (path) => {
    const blob = await reader.read(oids.get(path) ?? '')
    return blob.state === 'read' ? blob.content : undefined
  })
}

function guardOf(owner: Owner<CheckThread>, tooMuch: readonly string[]): TextGuard {
  const left = new Set(tooMuch)
  return {
    begin(purpose, path, id) {
      if (left.has(readingKey(purpose, id))) return false
      owner.reading(readingName(purpose, path, id))
      return true
    },
  }
}
