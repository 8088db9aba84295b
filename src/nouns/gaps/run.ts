import { pullRequestUrl } from '../../lib/pull-request-url.ts'
import { jobToBody } from '../jobs/job-body.ts'
import type { JobPorts } from '../../features/agent/ports.ts'
import { listExchanges } from '../../features/assistant/insights/conversations.ts'
import { askedBy } from '../../features/projects/allow.ts'
import type { Project } from '../../features/projects/projects.ts'
import { nextOffset } from '../../lib/list-query.ts'
import { deed, Otherwise } from '../../verbs/verb.ts'
import { jobStatus } from '../jobs/answers.ts'
import { startGapJob } from './gap-job.ts'
import * as table from './table.ts'
import { changeGap, createGapJob, getGap, listGaps, mergeGaps, usualDays } from './verbs.ts'

interface Ports extends JobPorts {
  repositoryUrl(project: Project): string
  publicUrl(): string
}

const listGapsDeed = deed(
  listGaps,
  async (ports: Ports, { project }, { days, state, limit, cursor = '0' }) => {
    const offset = Number(cursor)
    const gaps = await table.listGaps(ports.store.db, project.id, { days, state, offset, limit: limit + 1 })
    return {
      gaps: gaps.slice(0, limit).map((gap) => gapBody(ports, gap)),
      nextCursor: nextOffset(gaps.length, { offset, limit }),
    }
  },
)

const getGapDeed = deed(getGap, async (ports: Ports, { project }, { gap: id, days }) => {
  const { db } = ports.store
  const gap = await table.getGap(db, project.id, id, days)
  const { rows: exchanges } = await listExchanges(db, project.id, { filter: { gapId: id }, limit: 100 })
  const { searches, checks } = await table.readDetails(db, id)
  return {
    ...gapBody(ports, gap),
    exchanges,
    searches,
    checks,
  }
})

export const changeGapDeed = deed(changeGap, async (ports: Ports, { project }, { gap: id, ...change }) => {
  await ports.store.transaction((tx) => table.changeGap(tx, project.id, id, change))
  return changed(ports, project, id)
})

export const mergeGapsDeed = deed(mergeGaps, async (ports: Ports, { project }, { gap: id, from }) => {
  await ports.store.transaction((tx) => table.mergeGaps(tx, project.id, from, id))
  return changed(ports, project, id)
})

export const createGapJobDeed = deed(
  createGapJob,
  async (ports: Ports, { project, caller }, { gap, ...input }) => {
    const { job, isNew } = await startGapJob(ports, project, gap, { ...input, askedBy: askedBy(caller) })
    const body = jobToBody(job, project, ports)
    return isNew ? body : new Otherwise(body)
  },
)

export const gapDeeds = [listGapsDeed, getGapDeed, changeGapDeed, mergeGapsDeed, createGapJobDeed]

async function changed(
  ports: Ports,
  { id: projectId }: Project,
  id: string,
): Promise<ReturnType<typeof gapBody>> {
  return gapBody(ports, await table.getGap(ports.store.db, projectId, id, usualDays))
}

function gapBody(ports: Ports, gap: table.Gap) {
  const { job } = gap
  return {
    ...gap,
    job: job && {
      ...job,
      status: jobStatus.parse(job.status),
      pullRequest: job.pullRequest && {
        ...job.pullRequest,
        link: pullRequestUrl(ports.publicUrl(), job.pullRequest.link),
      },
    },
  }
}
