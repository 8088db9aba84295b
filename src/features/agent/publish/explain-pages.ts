import { checkRemote } from '../../../integrations/git/remotes/check-remote.ts'
import { resolveReference } from '../../../integrations/git/resolve-reference.ts'
import { treeEntries } from '../../../integrations/git/trees/tree-entries.ts'
import type { ChangeColumn, PageColumn } from '../../../store/columns.ts'
import type { TurnEnd } from '../turns/steps.ts'
import type { TurnRun } from '../turns/turn-run.ts'

const maxReason = 500
const maxSources = 5

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
  const exists = await findSources(
    run,
    baseCommit,
    end.pages.flatMap(({ sources }) => sources),
  )
  const consequence = consequences(changes)
  return changes.map((change) => {
    const { path, oldPath } = change
    const page = explained.get(path) ?? (oldPath === null ? undefined : explained.get(oldPath))
    if (page === undefined) return { path, reason: consequence(change), sources: [] }
    const sources = page.sources.map((source) => (exists(source) ? source : 'the prompt'))
    return {
      path,
      reason: page.reason.slice(0, maxReason),
      sources: [...new Set(sources.length === 0 ? ['the prompt'] : sources)].slice(0, maxSources),
    }
  })
}

// Navigation, redirects and links change together with a page.
function consequences(changes: readonly ChangeColumn[]): (change: ChangeColumn) => string {
  const follow = (word: string, status: ChangeColumn['status']): string | undefined => {
    const [first, ...more] = changes.filter((one) => one.status === status)
    if (first === undefined) return undefined
    return `follows the ${word} of ${first.oldPath ?? first.path}${more.length === 0 ? '' : ` and ${more.length} more`}`
  }
  const moved = follow('move', 'renamed') ?? follow('removal', 'deleted')
  const added = follow('addition', 'added')
  return ({ path, status }) => {
    if (status !== 'modified') return ''
    const isNavigation = /\.(?:jsonc?|ya?ml|[cm]?[jt]s)$/.test(path)
    return moved ?? (isNavigation ? added : undefined) ?? ''
  }
}

async function findSources(
  run: Pick<TurnRun, 'project' | 'signal'>,
  baseCommit: string,
  sources: readonly string[],
): Promise<(source: string) => boolean> {
  const { repository, settings } = run.project
  const parsed = sources.map(parse).filter((one) => one !== undefined)
  const known = new Set<string>()
  const own = parsed.filter(({ repository: name }) => name === undefined)
  for (const path of (
    await treeEntries(
      repository,
      baseCommit,
      own.map(({ path }) => path),
    )
  ).keys())
    known.add(path)
  for (const { name, ref, open } of settings.contextRepositories) {
    const paths = parsed.filter((one) => one.repository === name).map(({ path }) => path)
    if (paths.length === 0) continue
    // Without that repository its sources cannot be linked, which does not stop the publication.
    const found = await open()
      .then(async (other) => {
        const { git } = other.repository
        const branch = ref ?? (await checkRemote(git, other.remote, { signal: run.signal })).branch
        const commit = await resolveReference(other.repository, `refs/heads/${branch}`)
        return commit === undefined ? [] : [...(await treeEntries(other.repository, commit, paths)).keys()]
      })
      .catch(() => [])
    for (const path of found) known.add(`@${name}/${path}`)
  }
  return (source) => {
    const one = parse(source)
    return (
      one !== undefined &&
      known.has(one.repository === undefined ? one.path : `@${one.repository}/${one.path}`)
    )
  }
}

function parse(source: string): { repository: string | undefined; path: string } | undefined {
  const [, path = ''] = /^(.{1,1000}?)(?::\d{1,7}(?:-\d{1,7})?)?$/.exec(source) ?? []
  const [, repository, inside] = /^@([^/]{1,100})\/(.+)$/.exec(path) ?? []
  if (repository !== undefined && inside !== undefined) return { repository, path: inside }
  return path === '' ? undefined : { repository: undefined, path }
}
