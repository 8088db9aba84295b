import { sql } from 'kysely'
import type { Reader, Tx } from '../../../store/database.ts'
import type { Range } from './list-searches.ts'
import { textIfKept } from '../threads/kept-texts.ts'

/** What an agent thought of a page, or of what a search found. */
export interface AgentFeedback {
  /** File of the page; null for a search. */
  path: string | null
  /** What was searched; null for a page. */
  query: string | null
  rating: 'up' | 'down'
  note: string | null
}

export async function recordAgentFeedback(
  tx: Tx,
  projectId: string,
  { path, query, rating, note }: AgentFeedback,
): Promise<void> {
  const kept = (text: string | null) => (text === null ? null : textIfKept(projectId, text))
  await tx
    .insertInto('agent_feedback')
    .values({ project_id: projectId, path, query: kept(query), rating, note: kept(note) })
    .execute()
}

/** The newest first. */
export async function listAgentFeedback(
  db: Reader,
  projectId: string,
  { from, to }: Range,
  limit: number,
): Promise<(AgentFeedback & { at: string })[]> {
  const { rows } = await sql<AgentFeedback & { at: Date }>`
    select path, nullif(query, '') as query, rating, nullif(note, '') as note, created_at as at
    from agent_feedback
    where project_id = ${projectId} and created_at >= ${from} and created_at < ${to} order by id desc limit ${limit}
  `.execute(db)
  return rows.map(({ at, ...feedback }) => ({ ...feedback, at: at.toISOString() }))
}
