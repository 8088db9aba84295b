import type { Repository } from '../../integrations/git/git.ts'
import { openBlobReader, type BlobReader } from '../../integrations/git/trees/blob-reader.ts'
import { changedEntries } from '../../integrations/git/trees/changed-entries.ts'
import { listTree, type TreeEntry } from '../../integrations/git/trees/list-tree.ts'
import { readHistory } from '../../integrations/git/trees/read-history.ts'
import type { TextThread } from '../../lib/threads/text-thread.ts'
import { changeMapPath } from '../../site/impact/change-map-path.ts'
import { foldedAs, isCodeFile, isPageFile } from '../../site/impact/file-kinds.ts'
import { totalOfChange, type ImpactThreadContract, type ThreadReport } from './impact-thread.ts'

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
export interface ChangeImpact extends ThreadReport {
  from: string
  to: string
  /** Pages that the change edits itself. They are ranked like others. */
  edited: string[]
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
  const report = await thread.run(
    {
      changed,
      code: after
        .filter(({ path, mode }) => mode.startsWith('100') && isCode(path))
        .slice(0, mostCode)
        .map(({ path, oid }) => ({ path, oid })),
      pages: before
        .filter(({ path, mode }) => mode.startsWith('100') && isDocs(path))
        .slice(0, mostPages)
        .map(({ path, oid }) => ({ path, oid })),
      root: docs.root,
      map,
      history,
    },
    {
      signal,
      total: totalOfChange,
      answer: ({ side, oids }) => readContents(side === 'code' ? codeReader : docsReader, oids),
    },
  )
  return { ...report, from, to, edited: edited.slice(0, mostEdited) }
}

async function readMap(reader: BlobReader, entries: readonly TreeEntry[]): Promise<Uint8Array | undefined> {
  const entry = entries.find(({ path, mode }) => path === changeMapPath && mode.startsWith('100'))
  const [content] = entry === undefined ? [] : await readContents(reader, [entry.oid])
  return content === 'missing' ? undefined : content
}

async function readContents(
  reader: BlobReader,
  oids: readonly string[],
): Promise<ImpactThreadContract['reply']> {
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
