import { firstParentChanges, type BranchChange } from '../../integrations/git/trees/first-parent-changes.ts'
import type { Repository } from '../../integrations/git/git.ts'
import type { DocsNotion } from './docs-notion.ts'
import { foldedAs, isCodeFile, leftOutAs } from '../../site/impact/file-kinds.ts'

/** `code`: code and pages. `docs`: pages alone. `silent`: code that people did not document. */
export const pastKinds = ['code', 'docs', 'silent'] as const
export type PastKind = (typeof pastKinds)[number]

/** A change of the past with what people did to the documentation. */
export interface PastChange {
  commit: string
  parent: string
  date: Date
  kind: PastKind
  /** Pages that people changed, by their paths in the repository. */
  pages: string[]
}

const mostCommits = 5000
const mostPages = 30
const mostFiles = 300

/** The changes of a branch that say something about a model, newest first, and why others do not. */
export async function readPastChanges(
  repository: Repository,
  notion: DocsNotion,
  range: { from: string | undefined; to: string; since: string | undefined; signal: AbortSignal },
): Promise<{ changes: PastChange[]; leftOut: Record<string, number> }> {
  const leftOut: Record<string, number> = {}
  const changes = (await firstParentChanges(repository, { ...range, most: mostCommits })).flatMap(
    (change) => {
      const kind = kindOf(change, notion)
      if (typeof kind !== 'string') {
        leftOut[kind.why] = (leftOut[kind.why] ?? 0) + 1
        return []
      }
      const { id, parent, date, entries } = change
      const pages = entries.map(({ path }) => path).filter((path) => notion.isMeasured(path))
      return [{ commit: id, parent, date, kind, pages }]
    },
  )
  return { changes, leftOut }
}

function kindOf({ entries }: BranchChange, { isDocs, isMeasured }: DocsNotion): PastKind | { why: string } {
  const docs = entries.filter(({ path }) => isDocs(path))
  const pages = docs.filter(({ path }) => isMeasured(path))
  const code = entries.filter(
    ({ path }) => !isDocs(path) && isCodeFile(path) && foldedAs(path, false) === undefined,
  )
  if (pages.length > mostPages || entries.length > mostFiles) return { why: 'too large' }
  if (pages.length > 0) return code.length > 0 ? 'code' : 'docs'
  if (code.length === 0) return { why: 'no page and no code' }
  // People did write something, which is not measured.
  if (docs.some(({ path }) => leftOutAs(path) !== 'changes')) return { why: 'docs that are not measured' }
  return 'silent'
}

/**
 * So many changes, an equal share of each kind as far as there are enough: the newest, or some of all of them, which are always
 * the same ones.
 * @returns newest first
 */
export function choosePastChanges(
  changes: readonly PastChange[],
  { limit, kinds, isSample }: { limit: number; kinds: readonly PastKind[]; isSample: boolean },
): PastChange[] {
  const lists = kinds.map((kind) => {
    const list = changes.filter((one) => one.kind === kind)
    // Ids of commits are as good as chance.
    return isSample ? list.toSorted((a, b) => (a.commit < b.commit ? -1 : 1)) : list
  })
  const chosen = new Set<PastChange>()
  for (let at = 0; chosen.size < limit && lists.some(({ length }) => at < length); at++)
    for (const list of lists) {
      const change = list[at]
      if (change !== undefined && chosen.size < limit) chosen.add(change)
    }
  return changes.filter((change) => chosen.has(change))
}
