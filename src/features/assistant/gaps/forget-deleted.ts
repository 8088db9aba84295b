import { sql } from 'kysely'
import { json, type Tx } from '../../../store/database.ts'

/**
 * Removes what came from questions that were deleted elsewhere: gaps without a question, the names of gaps, and the
 * evidence for jobs that were made from questions of which one is gone. Names that a person gave stay.
 */
export async function forgetDeleted(tx: Tx, projectId: string): Promise<void> {
  await sql`
    update jobs set evidence = null where project_id = ${projectId} and about_thread is not null
      and evidence is not null and not exists (
        select from messages m where m.project_id = jobs.project_id and m.thread_id = jobs.about_thread
          and m.n = jobs.about_question and m.text <> '')
  `.execute(tx)
  const { rows } = await sql<{ id: string; size: number }>`
    select g.id, (select count(*)::int from gap_questions where gap_id = g.id) as size
    from gaps g where g.project_id = ${projectId}
      and g.size > (select count(*) from gap_questions where gap_id = g.id)
    order by g.id for update
  `.execute(tx)
  if (rows.length === 0) return
  const ids = rows.map(({ id }) => id)
  await tx.updateTable('jobs').set({ evidence: null }).where('gap_id', 'in', ids).execute()
  await sql`
    update gaps set size = now.size, named_size = 0, name = case named_by when 'person' then name end,
      named_by = case named_by when 'person' then 'person' else 'words' end
    from jsonb_to_recordset(${json(rows)}) as now(id text, size integer) where gaps.id = now.id
  `.execute(tx)
  await sql`delete from gaps where project_id = ${projectId} and id in (${sql.join(ids)}) and size = 0`.execute(
    tx,
  )
}
