import type { OpenRequest } from '../../../integrations/forges/forge.ts'
import type { RelatedColumn } from '../../../store/columns.ts'
import { isBranchOfJob } from '../jobs.ts'
import type { TurnRun } from '../turns/turn-run.ts'
import { within } from '../../../lib/within.ts'

const looked = 20
const named = 10
const deadline = 10_000

/**
 * Open pull requests that touch any of these pages. None when the host does not answer, because no turn may fail
 * for it.
 */
export async function relatedPullRequests(run: TurnRun, pages: readonly string[]): Promise<RelatedColumn[]> {
  if (pages.length === 0) return []
  return withinDeadline(run, async () => {
    const wanted = new Set(pages)
    const open = await run.forge.listOpen()
    const others = open.filter(({ head }) => !isBranchOfJob(run.job.id, head)).slice(0, looked)
    const requests = await Promise.all(others.map((request) => touched(run, request, wanted)))
    return requests.filter((request) => request.pages.length > 0).slice(0, named)
  })
}

/** Open pull requests that touch pages which the prompt names or a search for it finds. */
export async function relatedToPrompt(run: TurnRun, prompt: string): Promise<RelatedColumn[]> {
  const pages = await withinDeadline(run, () => run.ports.likelyPages(run.project, prompt))
  return relatedPullRequests(run, pages)
}

async function touched(
  { forge }: TurnRun,
  { number, title, link }: OpenRequest,
  wanted: ReadonlySet<string>,
): Promise<RelatedColumn> {
  const paths = await forge.changedPaths(number)
  const pages = paths.filter((path) => wanted.has(path)).slice(0, named)
  return { number, title: title.slice(0, 200), link: /^https?:/.test(link) ? link : null, pages }
}

async function withinDeadline<T>(run: TurnRun, look: () => Promise<T[]>): Promise<T[]> {
  try {
    return await within<T[], T[]>(deadline, look(), () => [])
  } catch (error) {
    run.signal.throwIfAborted()
    run.ports.reportError?.(error)
    return []
  }
}
