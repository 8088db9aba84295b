import type { Forge } from '../integrations/forges/forge.ts'
import { isBranchOfJob } from '../features/agent/jobs.ts'

export type PullForge = Pick<Forge, 'listOpen' | 'changedPaths'>

const mostLooked = 20

/** Pages that stand in open pull requests, with the number of the newest. Those of one job do not count. */
export async function openPages(
  forge: PullForge | undefined,
  root: string,
  pages: readonly string[],
  ownJob: string | undefined,
): Promise<ReadonlyMap<string, number>> {
  const numbers = new Map<string, number>()
  if (forge === undefined) return numbers
  const byPath = new Map(pages.flatMap((page) => [[page, page] as const, [`${root}/${page}`, page] as const]))
  const open = (await forge.listOpen()).filter(
    ({ head }) => ownJob === undefined || !isBranchOfJob(ownJob, head),
  )
  for (const { number } of open.slice(0, mostLooked))
    for (const path of await forge.changedPaths(number)) {
      const page = byPath.get(path)
      if (page !== undefined && !numbers.has(page)) numbers.set(page, number)
    }
  return numbers
}
