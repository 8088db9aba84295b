import type { Reader } from '../../store/database.ts'
import type { Waiting } from './turns.ts'

/** Additional information about a turn for people. */
export interface TurnRemark {
  /** The author of the comment on a git host that asked for the turn; untrusted. */
  author: string | undefined
  waiting: Waiting | undefined
}

/** Remarks by the number of the turn. */
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
    .select([
      'events.turn',
      'events.type',
      'events.data',
      'turns.status',
      'turns.parked_until',
      'turns.parked_for',
    ])
    .where('jobs.project_id', '=', projectId)
    .where('events.job_id', '=', jobId)
    .where('events.type', 'in', ['turn.queued', 'turn.waiting'])
    .orderBy('events.n')
    .execute()
  const remarks = new Map<number, TurnRemark>()
  for (const { turn, type, data, status, parked_until: until, parked_for: reason } of rows) {
    const known = remarks.get(turn) ?? { author: undefined, waiting: undefined }
    const isOpen = status === 'queued' || status === 'running'
    if (type === 'turn.queued') remarks.set(turn, { ...known, author: textOf(data, 'author') })
    else if (until !== null && isOpen) {
      const message = textOf(data, 'message') ?? ''
      remarks.set(turn, { ...known, waiting: { for: reason ?? 'host', until, message } })
    }
  }
  return remarks
}

function textOf(data: unknown, name: string): string | undefined {
  const value = typeof data === 'object' && data !== null ? Object.entries(data) : []
  const field = value.find(([key]) => key === name)?.[1]
  return typeof field === 'string' ? field : undefined
}
