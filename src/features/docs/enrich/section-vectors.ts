import { sql } from 'kysely'
import type { Reader, Tx } from '../../../store/database.ts'
import type { StoredVector } from './vector-index.ts'

/** Writes vectors; a section without one is noted too, so that it is not asked for again. */
export async function writeVectors(
  tx: Tx,
  projectId: string,
  model: string,
  rows: readonly { hash: string; vector: StoredVector | undefined }[],
): Promise<void> {
  const values = rows.map(({ hash, vector }) => ({
    hash,
    scale: vector?.scale ?? 0,
    numbers: Buffer.from(vector?.numbers.buffer ?? new ArrayBuffer()).toString('base64'),
  }))
  // One parameter for the whole batch: a statement of a thousand parameters takes longer to plan than to run.
  await sql`
    insert into section_vectors (project_id, model, hash, scale, numbers)
    select ${projectId}, ${model}, r.hash, r.scale, decode(r.numbers, 'base64')
    from jsonb_to_recordset(${JSON.stringify(values)}::jsonb) as r(hash text, scale real, numbers text)
    on conflict do nothing
  `.execute(tx)
}

/** The vectors of sections, by hash. */
export async function readVectors(
  db: Reader,
  projectId: string,
  model: string,
  hashes: readonly string[],
): Promise<Map<string, StoredVector>> {
  const { rows } = await sql<{ hash: string; scale: number; numbers: Uint8Array }>`
    select hash, scale, numbers from section_vectors
    where project_id = ${projectId} and model = ${model} and length(numbers) > 0
      and hash in (select jsonb_array_elements_text(${JSON.stringify(hashes)}::jsonb))
  `.execute(db)
  return new Map(rows.map(({ hash, scale, numbers }) => [hash, { scale, numbers: Int8Array.from(numbers) }]))
}
