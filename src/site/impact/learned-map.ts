import type { ChangeMap } from './change-map.ts'
import type { CommitFiles } from './history-scores.ts'

/** A folder of code and a page, and how often they changed together. */
export interface LearnedPair {
  /** A glob, as `.docwright/map.yml` takes it. */
  code: string
  page: string
  /** Commits that changed both. */
  together: number
  /** Commits that changed the code. */
  of: number
  /** What people have said of the two. */
  said: 'documents' | 'never' | 'leaveOut' | undefined
}

const mostFilesOfCommit = 60
/** What is seen once proves nothing. */
const leastTogether = 2
const doubt = 2
const mostPairs = 200

/**
 * What is learned from history: which pages change with which code, what is surest first.
 * @param commits newest first
 */
export function learnedMap(
  commits: readonly CommitFiles[],
  { isPage, isCode, map }: { isPage(path: string): boolean; isCode(path: string): boolean; map: ChangeMap },
): LearnedPair[] {
  const folders = new Map<string, { of: number; file: string; pages: Map<string, number> }>()
  for (const commit of commits) {
    if (commit.length > mostFilesOfCommit) continue
    const pages = commit.filter(isPage)
    for (const [folder, file] of new Map(commit.filter(isCode).map((path) => [folderOf(path), path]))) {
      const one = folders.get(folder) ?? { of: 0, file, pages: new Map<string, number>() }
      one.of++
      for (const page of pages) one.pages.set(page, (one.pages.get(page) ?? 0) + 1)
      folders.set(folder, one)
    }
  }
  const pairs = [...folders].flatMap(([folder, { of, file, pages }]) => {
    const { documents, never } = map.forChange([file])
    return [...pages]
      .filter(([, together]) => together >= leastTogether)
      .map(([page, together]): LearnedPair => {
        const said = documents(page)
          ? 'documents'
          : never(page)
            ? 'never'
            : map.leavesOut(page)
              ? 'leaveOut'
              : undefined
        return { code: folder === '' ? '*' : `${folder}/*`, page, together, of, said }
      })
  })
  const sureness = ({ together, of }: LearnedPair): number => together / (of + doubt)
  return pairs
    .toSorted((one, other) => sureness(other) - sureness(one) || other.together - one.together)
    .slice(0, mostPairs)
}

function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')))
}
