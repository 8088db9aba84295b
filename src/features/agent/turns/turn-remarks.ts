import type { Reader } from '../../../store/database.ts'

/** What people want to know of a turn besides what it is. */
export interface TurnRemark {
  /** Who asked for it in a comment on a git host, as the host names them; untrusted. */
  author: string | undefined
  /** Set while it waits for the git host. */
  waiting: { until: Date; message: string } | undefined
}

/** By the number of the turn. */
export async function listTurnRemarks(
  reader: Reader,
  projectId: string,
  jobId: string,
): Promise<ReadonlyMap<number, TurnRemark>> {
  const rows = await reader
    .selectFrom('events')
    .innerJoin('jobs', 'jobs.id', 'events.job_id')
    .innerJoin('turns', (join) =>
      join.onRef('turns.job_id', '=', 'events.job_id').onRef('turns.n', '=', 'events.turn'),
    )
    .select(['events.turn', 'events.type', 'events.data', 'turns.status', 'turns.parked_until'])
    .where('jobs.project_id', '=', projectId)
    .where('events.job_id', '=', jobId)
    .where('events.type', 'in', ['turn.queued', 'turn.waiting'])
    .orderBy('events.n')
    .execute()
  const remarks = new Map<number, TurnRemark>()
  for (const { turn, type, data, status, parked_until: until } of rows) {
    const known = remarks.get(turn) ?? { author: undefined, waiting: undefined }
    const isOpen = status === 'queued' || status === 'running'
    if (type === 'turn.queued') remarks.set(turn, { ...known, author: textOf(data, 'author') })
    else if (until !== null && isOpen)
      remarks.set(turn, { ...known, waiting: { until, message: textOf(data, 'message') ?? '' } })
  }
  return remarks
}

function textOf(data: unknown, name: string): string | undefined {
  const value = typeof data === 'object' && data !== null ? Object.entries(data) : []
  const found = value.find(([key]) => key === name)?.[1]
  return typeof found === 'string' ? found : undefined
}
