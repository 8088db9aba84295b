import { sql } from 'kysely'
import type { Reader, Tx } from '../../../store/database.ts'
import type { SectionQuestions } from './write-questions.ts'

export async function writeRowsOfQuestions(
  tx: Tx,
  projectId: string,
  model: string,
  rows: readonly (SectionQuestions & { hash: string })[],
): Promise<void> {
  await sql`
    insert into section_questions (project_id, model, hash, questions, context)
    select ${projectId}, ${model}, r.hash, r.questions, r.context
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(hash text, questions jsonb, context text)
    on conflict do nothing
  `.execute(tx)
}

/** What a model wrote about sections, by hash. */
export async function readQuestionRows(
  db: Reader,
  projectId: string,
  model: string,
  hashes: readonly string[],
): Promise<Map<string, SectionQuestions>> {
  const { rows } = await sql<SectionQuestions & { hash: string }>`
    select hash, questions, context from section_questions where project_id = ${projectId} and model = ${model}
      and hash in (select jsonb_array_elements_text(${JSON.stringify(hashes)}::jsonb))
  `.execute(db)
  return new Map(rows.map(({ hash, questions, context }) => [hash, { questions, context }]))
}
