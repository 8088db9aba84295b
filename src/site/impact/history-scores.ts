/** What was changed in one commit before. */
export type CommitFiles = readonly string[]

export interface TogetherScore {
  /** Share of the changes of these files in which the page changed too, from 0 to 1. */
  files: number
  /** The same for the folders of these files. */
  folders: number
  /** Commits that changed one of these files and the page. */
  count: number
  /** People have said that the page documents these files. */
  pinned?: true
}

const mostFilesOfCommit = 60
/** What is seen once proves little. */
const doubt = 2

/**
 * How often pages changed together with files before.
 * @param commits newest first
 */
export function scoresTogether(
  commits: readonly CommitFiles[],
  changed: readonly string[],
  isPage: (path: string) => boolean,
): Map<string, TogetherScore> {
  const files = new Set(changed)
  const folders = new Set(changed.map(folderOf).filter((folder) => folder !== ''))
  const perFile = new Map<string, { all: number; pages: Map<string, number> }>()
  const perFolder = new Map<string, { all: number; pages: Map<string, number> }>()
  const counts = new Map<string, number>()
  for (const commit of commits) {
    if (commit.length > mostFilesOfCommit) continue
    const own = commit.filter((path) => files.has(path))
    const near = new Set(commit.map(folderOf).filter((folder) => folders.has(folder)))
    if (own.length === 0 && near.size === 0) continue
    const pages = commit.filter(isPage)
    for (const path of own) add(perFile, path, pages)
    for (const folder of near) add(perFolder, folder, pages)
    if (own.length > 0) for (const page of pages) counts.set(page, (counts.get(page) ?? 0) + 1)
  }
  const scores = new Map<string, TogetherScore>()
  const take = (all: typeof perFile, key: 'files' | 'folders'): void => {
    for (const { all: total, pages } of all.values())
      for (const [page, count] of pages) {
        const score = scores.get(page) ?? { files: 0, folders: 0, count: counts.get(page) ?? 0 }
        score[key] = Math.max(score[key], count / (total + doubt))
        scores.set(page, score)
      }
  }
  take(perFile, 'files')
  take(perFolder, 'folders')
  return scores
}

function add(
  all: Map<string, { all: number; pages: Map<string, number> }>,
  key: string,
  pages: readonly string[],
): void {
  const one = all.get(key) ?? { all: 0, pages: new Map<string, number>() }
  one.all++
  for (const page of pages) one.pages.set(page, (one.pages.get(page) ?? 0) + 1)
  all.set(key, one)
}

function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')))
}
