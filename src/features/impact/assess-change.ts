import type { Repository } from '../../integrations/git/git.ts'
import { openBlobReader, type BlobReader } from '../../integrations/git/trees/blob-reader.ts'
import { changedEntries } from '../../integrations/git/trees/changed-entries.ts'
import { listTree, type TreeEntry } from '../../integrations/git/trees/list-tree.ts'
import { readHistory } from '../../integrations/git/trees/read-history.ts'
import type { TextThread } from '../../lib/threads/text-thread.ts'
import { changeMapPath, readChangeMap, type ChangeMap } from '../../site/impact/change-map.ts'
import { foldedAs, isCodeFile, isPageFile, leftOutAs, type LeftOut } from '../../site/impact/file-kinds.ts'
import type { ImpactReport } from '../../site/impact/report.ts'
import { decodeText } from '../../site/text/encoding.ts'
import { totalOfChange, type ImpactThreadContract } from './impact-thread.ts'

/** Pages of a repository. */
export interface DocsPlace {
  repository: Repository
  /** The state that is looked at: the one before the change, where a change has its pages in its own repository. */
  commit: string
  /** The folder of the pages, without slashes at its ends; empty for the whole repository. */
  root: string
}

export interface ChangePlace {
  repository: Repository
  from: string
  to: string
}

/** What a change touches in the documentation. */
export interface ChangeImpact extends ImpactReport {
  from: string
  to: string
  /** Pages that the change edits itself. They are ranked like others. */
  edited: string[]
  /** How many pages were left out, by why. */
  leftOut: { why: LeftOut | 'map'; count: number }[]
  /** Pages that were compared. */
  compared: number
  /** What is wrong with the map of the repository. */
  mapProblem: string | undefined
}

const mostChanged = 300
const mostCode = 30_000
const mostPages = 20_000
const mostEdited = 200
const mostCommits = 3000
/** Bytes. */
const longestFile = 512 * 1024

/**
 * Ranks the pages that a change of code touches, without a model.
 * @throws ThreadFailure for texts that take too long, and errors of git
 */
export async function assessChange(
  thread: TextThread<ImpactThreadContract>,
  { code, docs, signal }: { code: ChangePlace; docs: DocsPlace; signal: AbortSignal },
): Promise<ChangeImpact> {
  const { repository, from, to } = code
  const isSame = repository.folder === docs.repository.folder
  const [entries, after, before, history] = await Promise.all([
    changedEntries(repository, from, to, { signal }),
    listTree(repository, to, { signal }),
    listTree(docs.repository, docs.commit, { signal }),
    // A long history may take longer than there is time for: names and paths say enough.
    isSame ? readHistory(repository, { to: from, most: mostCommits, signal }).catch(() => []) : [],
  ])
  signal.throwIfAborted()
  await using codeReader = await openBlobReader(repository, { maxBytes: longestFile, signal })
  await using docsReader = await openBlobReader(docs.repository, { maxBytes: longestFile, signal })
  const map = await readMap(docsReader, before)
  const isDocs = (path: string): boolean => isPageFile(path) && isBelow(path, docs.root)
  const isCode = (path: string): boolean =>
    isCodeFile(path) && !(isSame && docs.root !== '' && isBelow(path, docs.root))
  const edited = isSame ? entries.map(({ path }) => path).filter(isDocs) : []
  const changed = entries
    .filter(({ path }) => isCode(path) && foldedAs(path, false) === undefined)
    .slice(0, mostChanged)
    .map(({ path, old, now }) => ({ path, before: blobOf(old), after: blobOf(now) }))
  const { pages, leftOut } = choosePages(
    before.filter(({ path, mode }) => mode.startsWith('100') && isDocs(path)),
    changed.map(({ path }) => path),
    { root: docs.root, map },
  )
  const report = await thread.run(
    {
      changed,
      code: after.filter(({ path, mode }) => mode.startsWith('100') && isCode(path)).slice(0, mostCode),
      pages,
      history,
    },
    {
      signal,
      total: totalOfChange,
      answer: ({ side, oids }) => readContents(side === 'code' ? codeReader : docsReader, oids),
    },
  )
  return { ...report, from, to, edited: edited.slice(0, mostEdited), leftOut, compared: pages.length, mapProblem: map.problem }
}

function choosePages(entries: readonly TreeEntry[], changed: readonly string[], { root, map }: { root: string; map: ChangeMap }) {
  const counts = new Map<LeftOut | 'map', number>()
  const about = map.forChange(changed)
  const pages = entries.flatMap(({ path, oid }) => {
    const own = root === '' ? path : path.slice(root.length + 1)
    const why = map.leavesOut(path) || about.never(path) ? 'map' : map.keeps(path) ? undefined : leftOutAs(own)
    if (why === undefined) return [{ path, oid, ...(about.documents(path) && { isPinned: true as const }) }]
    counts.set(why, (counts.get(why) ?? 0) + 1)
    return []
  })
  return {
    pages: pages.slice(0, mostPages),
    leftOut: Array.from(counts, ([why, count]) => ({ why, count })),
  }
}

async function readMap(reader: BlobReader, entries: readonly TreeEntry[]): Promise<ChangeMap> {
  const entry = entries.find(({ path, mode }) => path === changeMapPath && mode.startsWith('100'))
  const [content] = entry === undefined ? [] : await readContents(reader, [entry.oid])
  return readChangeMap(content === undefined || content === 'missing' ? undefined : decodeText(content)?.text)
}

async function readContents(reader: BlobReader, oids: readonly string[]): Promise<ImpactThreadContract['reply']> {
  const contents: ImpactThreadContract['reply'] = []
  for (let at = 0; at < oids.length; at += 200)
    for (const blob of await reader.readSome(oids.slice(at, at + 200)))
      contents.push(blob.state === 'read' ? blob.content : blob.state === 'missing' ? 'missing' : undefined)
  return contents
}

function blobOf(entry: { mode: string; oid: string } | undefined): string | undefined {
  return entry?.mode.startsWith('100') === true ? entry.oid : undefined
}

function isBelow(path: string, root: string): boolean {
  return root === '' || path.startsWith(`${root}/`)
}
