import { openBlobReader } from '../../../../integrations/git/trees/blob-reader.ts'
import { changedFiles, type ChangedFile } from '../../../../integrations/git/trees/changed-files.ts'
import { diffTrees } from '../../../../integrations/git/trees/diff-trees.ts'
import { changedTogether } from '../../../../integrations/git/trees/history-of-changes.ts'
import { listTree } from '../../../../integrations/git/trees/list-tree.ts'
import { ThreadFailure } from '../../../../lib/threads/text-thread.ts'
import type { AboutChangeColumn, CodeChangeColumn } from '../../../../store/columns.ts'
import type { JobProject } from '../../job-project.ts'
import { describeAboutChange } from '../../about-change.ts'
import { holdsSecrets } from '../../policy/protected-files.ts'
import type { TurnRun } from '../../turns/turn-run.ts'
import { numberDiff } from '../../workspace/numbered-diff.ts'
import { findChange, type FoundChange } from './find-change.ts'
import { foldedAs } from './fold-files.ts'
import { readNames } from './read-names.ts'

const mostFiles = 300
const mostListed = 100
/** Of the diff in which names are looked for. */
const mostDiffBytes = 2 * 1024 * 1024
/** Characters of the diff that a model reads: of all files, and of one. */
const mostShown = 40_000
const mostOfOne = 12_000
const mostPages = 20_000
const mostPageBytes = 40 * 1024 * 1024
const longestPage = 512 * 1024
const mostTogether = 15
const mostGenerated = 20
const longestMessage = 4000

/**
 * A change of code with what the documentation at `docs` says of it, for the first message of a job that documents it.
 * @throws TurnFailure `change_not_found`, and passing errors of the host
 */
export async function readChange(
  run: TurnRun,
  about: AboutChangeColumn,
  docs: string,
): Promise<CodeChangeColumn> {
  const { project, signal } = run
  const change = await findChange(run, about, docs)
  const { repository, from, to, message } = change
  const all = await changedFiles(repository, from, to)
  const files = all.slice(0, mostFiles).map((file) => ({ file, folded: foldedAs(file.path, file.binary) }))
  const unfolded = files
    .filter(({ file, folded }) => folded === undefined && !isSecret(file))
    .map(({ file }) => file)
  const paths = [...new Set(unfolded.flatMap(({ path, oldPath }) => [path, oldPath ?? path]))]
  const diff =
    paths.length === 0
      ? { text: '', truncated: false }
      : await diffTrees(repository, from, to, { maxBytes: mostDiffBytes, paths, signal })
  const isOwn = about.repository === undefined
  const [known, together] = await Promise.all([
    namesIn(project, docs, diff.text, signal),
    isOwn ? pagesTogether(project, change, all, signal) : [],
  ])
  const cut = cutDiff(numberDiff(diff.text.trimEnd()))
  return {
    repository: isOwn ? null : `@${about.repository}`,
    name: describeAboutChange(about),
    id: to,
    parent: from,
    message: message.slice(0, longestMessage).toWellFormed(),
    files: files.slice(0, mostListed).map(({ file, folded }) => ({
      path: file.path,
      ...(file.oldPath !== undefined && { oldPath: file.oldPath }),
      status: file.status,
      additions: file.additions,
      deletions: file.deletions,
      ...(folded && { folded }),
    })),
    moreFiles: Math.max(0, all.length - mostListed),
    diff: cut.text,
    truncated: cut.truncated || diff.truncated || all.length > mostFiles,
    ...known,
    together,
  }
}

function isSecret({ path, oldPath = '' }: ChangedFile): boolean {
  return holdsSecrets(path) || holdsSecrets(oldPath)
}

type Named = Pick<CodeChangeColumn, 'names' | 'generated' | 'unread'>

async function namesIn(project: JobProject, docs: string, diff: string, signal: AbortSignal): Promise<Named> {
  if (diff === '') return { names: [], generated: [] }
  try {
    const { names, generated } = await readNames(
      { diff, pages: await readPages(project, docs, signal) },
      signal,
    )
    return { names, generated: generated.slice(0, mostGenerated) }
  } catch (error) {
    if (!(error instanceof ThreadFailure)) throw error
    return { names: [], generated: [], unread: 'The change or the pages are too large to be compared.' }
  }
}

async function readPages(
  { repository, root }: JobProject,
  commit: string,
  signal: AbortSignal,
): Promise<{ path: string; content: Uint8Array }[]> {
  const entries = (await listTree(repository, commit, { signal }))
    .filter(({ path, mode }) => isPage(path, root) && mode.startsWith('100'))
    .slice(0, mostPages)
  await using reader = await openBlobReader(repository, { maxBytes: longestPage, signal })
  const pages: { path: string; content: Uint8Array }[] = []
  let bytes = 0
  for (let at = 0; at < entries.length && bytes < mostPageBytes; at += 200) {
    const some = entries.slice(at, at + 200)
    for (const [index, blob] of (await reader.readSome(some.map(({ oid }) => oid))).entries()) {
      const path = some[index]?.path
      if (path === undefined || blob.state !== 'read') continue
      bytes += blob.content.length
      pages.push({ path, content: blob.content })
    }
  }
  return pages
}

function isPage(path: string, root: string): boolean {
  return (
    (root === '' || path.startsWith(`${root}/`)) && /\.(?:mdx?|markdown|mdoc|rst|adoc|asciidoc)$/i.test(path)
  )
}

async function pagesTogether(
  { root }: JobProject,
  { repository, from }: FoundChange,
  files: readonly ChangedFile[],
  signal: AbortSignal,
): Promise<{ path: string; count: number }[]> {
  const code = files.map(({ path, oldPath }) => oldPath ?? path).filter((path) => !isPage(path, root))
  const isCommit = files.length > 0 && code.length > 0
  // The history may be longer than there is time for.
  const counts = isCommit
    ? await changedTogether(repository, { to: from, paths: code.slice(0, 50), signal }).catch(() => undefined)
    : undefined
  signal.throwIfAborted()
  return [...(counts ?? [])]
    .filter(([path]) => isPage(path, root))
    .map(([path, count]) => ({ path, count }))
    .toSorted((one, other) => other.count - one.count)
    .slice(0, mostTogether)
}

/** Each file in part, so that a long one leaves room for the others. */
function cutDiff(diff: string): { text: string; truncated: boolean } {
  const parts = diff === '' ? [] : diff.split(/^(?=diff --git )/m)
  const texts: string[] = []
  let left = mostShown
  let truncated = false
  for (const part of parts) {
    const most = Math.min(left, mostOfOne)
    if (part.length <= most) texts.push(part)
    else {
      truncated = true
      const lines = part.slice(0, Math.max(0, part.lastIndexOf('\n', most)))
      if (lines !== '') texts.push(`${lines}\n… (the rest of this file is left out)\n`)
    }
    left -= Math.min(part.length, most)
  }
  return { text: texts.join('').trimEnd(), truncated }
}
