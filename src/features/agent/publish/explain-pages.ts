import { grepTree } from '../../../integrations/git/trees/grep-tree.ts'
import type { ChangeColumn, PageColumn } from '../../../store/columns.ts'
import type { TurnEnd } from '../turns/steps.ts'
import type { TurnRun } from '../turns/turn-run.ts'

const maxReason = 500
const maxSources = 5
/** Moved and removed pages whose names are searched for. */
const mostLookedUp = 20

/**
 * The reason for each changed file: the model's own and, for files that tools changed along with others, the change
 * that they follow. Empty where it is not known.
 */
export async function explainPages(
  run: Pick<TurnRun, 'project' | 'signal'>,
  baseCommit: string,
  end: Pick<TurnEnd, 'pages'>,
  changes: readonly ChangeColumn[],
): Promise<PageColumn[]> {
  const explained = new Map(end.pages.map((page) => [page.path.replace(/^\.?\//, ''), page]))
  const consequence = await consequences(run, baseCommit, changes)
  return changes.map((change) => {
    const { path, oldPath } = change
    const page = explained.get(path) ?? (oldPath === null ? undefined : explained.get(oldPath))
    if (page === undefined) {
      const reason = consequence(change)
      return { path, reason, sources: [], ...(reason !== '' && { follows: true as const }) }
    }
    const { reason, sources, links } = page
    return {
      path,
      reason: reason.slice(0, maxReason),
      sources: sources.slice(0, maxSources),
      ...(links && { links }),
    }
  })
}

/** What a file that tools changed follows: pages that were moved or removed, or were added to the navigation. */
async function consequences(
  { project: { repository }, signal }: Pick<TurnRun, 'project' | 'signal'>,
  baseCommit: string,
  changes: readonly ChangeColumn[],
): Promise<(change: ChangeColumn) => string> {
  const of = (status: ChangeColumn['status']): string[] =>
    changes.filter((one) => one.status === status).map(({ oldPath, path }) => oldPath ?? path)
  const [moved, removed, added] = [of('renamed'), of('deleted'), of('added')]
  const naming = new Map<string, ReadonlySet<string>>()
  for (const path of [...moved, ...removed].slice(0, mostLookedUp)) {
    // No link is written over two lines.
    if (path.includes('\n')) continue
    const options = { fixed: true, limitPerFile: 1, signal }
    const { matches } = await grepTree(repository, baseCommit, nameOf(path), options)
    naming.set(path, new Set(matches.map((match) => match.path)))
  }
  return ({ path, status }) => {
    if (status !== 'modified') return ''
    const isNavigation = /\.(?:jsonc?|ya?ml|[cm]?[jt]s)$/.test(path)
    // Navigation may name pages in ways of its own. Of other files, those follow that have named the page.
    const isCause = (page: string): boolean => isNavigation || naming.get(page)?.has(path) === true
    return (
      follow('move', moved.filter(isCause)) ??
      follow('removal', removed.filter(isCause)) ??
      (isNavigation ? follow('addition', added) : undefined) ??
      ''
    )
  }
}

function follow(word: string, [first, ...more]: readonly string[]): string | undefined {
  if (first === undefined) return undefined
  return `follows the ${word} of ${first}${more.length === 0 ? '' : ` and ${more.length} more`}`
}

/** How links call a page: by its file without the extension, or by its folder. */
function nameOf(path: string): string {
  const parts = path.replace(/\.\w{1,10}$/, '').split('/')
  if (parts.length > 1 && /^(?:index|readme)$/i.test(parts.at(-1) ?? '')) parts.pop()
  return parts.at(-1) || path
}
