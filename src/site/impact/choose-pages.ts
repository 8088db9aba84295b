import type { BlobFile } from './assess.ts'
import type { ChangeMap } from './change-map.ts'
import { leftOutAs, type LeftOut } from './file-kinds.ts'

export interface LeftOutPages {
  why: LeftOut | 'map'
  count: number
}

/** The pages that are compared with a change of these files, and how many are left out. */
export function choosePages(
  files: readonly BlobFile[],
  changed: readonly string[],
  { root, map }: { root: string; map: ChangeMap },
): { pages: (BlobFile & { isPinned?: true })[]; leftOut: LeftOutPages[] } {
  const counts = new Map<LeftOutPages['why'], number>()
  const about = map.forChange(changed)
  const pages = files.flatMap(({ path, oid }) => {
    const own = root === '' ? path : path.slice(root.length + 1)
    const isOut = map.leavesOut(path) || about.never(path)
    const why = isOut ? 'map' : map.keeps(path) ? undefined : leftOutAs(own)
    if (why === undefined) return [{ path, oid, ...(about.documents(path) && { isPinned: true as const }) }]
    counts.set(why, (counts.get(why) ?? 0) + 1)
    return []
  })
  return { pages, leftOut: Array.from(counts, ([why, count]) => ({ why, count })) }
}
