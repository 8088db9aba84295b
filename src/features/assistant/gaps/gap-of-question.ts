import type { Reader } from '../../../store/database.ts'

/** The gap that a question was put into, if there is one. */
export async function findGapOf(
  db: Reader,
  projectId: string,
  threadId: string,
  n: number,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('gap_questions')
    .select('gap_id')
    .where('project_id', '=', projectId)
    .where('thread_id', '=', threadId)
    .where('n', '=', n)
    .where('gap_id', 'is not', null)
    .limit(1)
    .executeTakeFirst()
  return row?.gap_id ?? undefined
}
