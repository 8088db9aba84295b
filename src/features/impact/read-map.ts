import { openBlobReader } from '../../integrations/git/trees/blob-reader.ts'
import { listTree } from '../../integrations/git/trees/list-tree.ts'
import { readHistory } from '../../integrations/git/trees/read-history.ts'
import { changeMapPath } from '../../site/impact/change-map-path.ts'
import { readChangeMap } from '../../site/impact/change-map.ts'
import { foldedAs, isCodeFile, isPageFile } from '../../site/impact/file-kinds.ts'
import { learnedMap, type LearnedPair } from '../../site/impact/learned-map.ts'
import type { DocsPlace } from './assess-change.ts'

/** What is known of code and pages without a change. */
export interface ReadMap {
  pairs: LearnedPair[]
  /** Commits that were looked at. */
  commits: number
  /** Whether there is a `.docwright/map.yml`, and what is wrong with it. */
  hasFile: boolean
  mapProblem: string | undefined
}

const mostCommits = 3000
const longestMap = 64 * 1024

/** Which pages changed with which code before, in one repository, and what people have said of them. */
export async function readMap(
  { repository, commit, root }: DocsPlace,
  signal: AbortSignal,
): Promise<ReadMap> {
  const [history, entries] = await Promise.all([
    readHistory(repository, { to: commit, most: mostCommits, signal }),
    listTree(repository, commit, { signal }),
  ])
  const present = new Set(entries.map(({ path }) => path))
  const entry = entries.find(({ path, mode }) => path === changeMapPath && mode.startsWith('100'))
  await using reader = await openBlobReader(repository, { maxBytes: longestMap, signal })
  const [file] = entry === undefined ? [] : await reader.readSome([entry.oid])
  const map = readChangeMap(file?.state === 'read' ? new TextDecoder().decode(file.content) : undefined)
  const isBelow = (path: string): boolean => root === '' || path.startsWith(`${root}/`)
  const isPage = (path: string): boolean => present.has(path) && isPageFile(path) && isBelow(path)
  const isCode = (path: string): boolean =>
    present.has(path) &&
    isCodeFile(path) &&
    foldedAs(path, false) === undefined &&
    !(root !== '' && isBelow(path))
  return {
    pairs: learnedMap(history, { isPage, isCode, map }),
    commits: history.length,
    hasFile: entry !== undefined,
    mapProblem: map.problem,
  }
}
