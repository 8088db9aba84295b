import { sql } from 'kysely'
import type { Embedder } from '../../../integrations/models/model.ts'
import { ModelTrouble } from '../../../integrations/models/trouble.ts'
import type { Reader, Store, Tx } from '../../../store/database.ts'
import { raiseRevision } from './enrichment.ts'
import { storedVector, type StoredVector } from './vector-index.ts'

/** Never changed: its vectors are stored. */
export const probeText = 'The documentation explains how to install, configure and repair the machine.'
/** Milliseconds after which a model is looked at again. */
export const probeEvery = 3_600_000
/** Quantization and batches move a vector a little, another model turns it away. */
const leastSimilarity = 0.9

interface Probing {
  store: Store
  projectId: string
  name: string
  embedder: Embedder
  signal: AbortSignal
}

/**
 * Compares a model of vectors with the one that made what is stored, by the vector of a fixed text. Where it is another
 * one under the same name, all that was made before is deleted, so that it is made anew.
 * @returns the tokens that were read, and what has changed, as a sentence
 * @throws ModelTrouble, or the signal's reason
 */
export async function probeVectors({ store, projectId, name, embedder, signal }: Probing): Promise<{
  tokens: number
  changed: string | undefined
}> {
  const known = await readProbe(store.db, projectId, name)
  if (known?.isFresh) return { tokens: 0, changed: undefined }
  const { vectors, tokens } = await embedder.embed([probeText], 'document', { signal, retries: 3 })
  const now = storedVector(vectors[0] ?? [])
  if (now === undefined) throw new ModelTrouble('answer', `${name} gave an embedding without a direction`)
  const before = known?.vector.numbers.length ?? (await storedLength(store.db, projectId, name))
  const changed = describeChange(name, { before, known: known?.vector, now })
  await store.transaction(async (tx) => {
    if (changed !== undefined) await forgetVectors(tx, projectId, name)
    await writeProbe(tx, projectId, name, now)
  })
  return { tokens, changed }
}

function describeChange(
  name: string,
  { before, known, now }: { before: number | undefined; known: StoredVector | undefined; now: StoredVector },
): string | undefined {
  const { length } = now.numbers
  if (before !== undefined && before !== length)
    return `The embeddings model ${name} has changed (${length} dimensions instead of ${before}). All sections are being indexed again`
  if (known !== undefined && similarity(known, now) < leastSimilarity)
    return `The embeddings model ${name} has changed. It returns different embeddings for the same text. All sections are being indexed again`
  return undefined
}

function similarity(one: StoredVector, other: StoredVector): number {
  const sum = one.numbers.reduce((total, value, at) => total + value * (other.numbers[at] ?? 0), 0)
  return sum * one.scale * other.scale
}

async function readProbe(
  db: Reader,
  projectId: string,
  model: string,
): Promise<{ vector: StoredVector; isFresh: boolean } | undefined> {
  const { rows } = await sql<{ scale: number; numbers: Uint8Array; fresh: boolean }>`
    select scale, numbers, checked_at > now() - make_interval(secs => ${probeEvery / 1000}) as fresh
    from vector_probes where project_id = ${projectId} and model = ${model}
  `.execute(db)
  return rows
    .map(({ scale, numbers, fresh }) => ({
      vector: { scale, numbers: Int8Array.from(numbers) },
      isFresh: fresh,
    }))
    .at(0)
}

/** Of vectors that were made before there were probes. */
async function storedLength(db: Reader, projectId: string, model: string): Promise<number | undefined> {
  const { rows } = await sql<{ length: number }>`
    select length(numbers) as length from section_vectors
    where project_id = ${projectId} and model = ${model} and length(numbers) > 0 limit 1
  `.execute(db)
  return rows[0]?.length
}

async function writeProbe(tx: Tx, projectId: string, model: string, vector: StoredVector): Promise<void> {
  const numbers = Buffer.from(vector.numbers.buffer).toString('base64')
  await sql`
    insert into vector_probes (project_id, model, scale, numbers)
    values (${projectId}, ${model}, ${vector.scale}, decode(${numbers}, 'base64'))
    on conflict (project_id, model) do update
      set scale = excluded.scale, numbers = excluded.numbers, checked_at = now()
  `.execute(tx)
}

/** Deletes what a model made of a project's sections, so that it is made anew. */
async function forgetVectors(tx: Tx, projectId: string, model: string): Promise<void> {
  await sql`delete from section_vectors where project_id = ${projectId} and model = ${model}`.execute(tx)
  const revision = await raiseRevision(tx, projectId)
  await tx
    .updateTable('enriched_pages')
    .set({ done: null, revision })
    .where('project_id', '=', projectId)
    .execute()
}

/** Has the model looked at as soon as possible: its vectors do not fit those that are stored. */
export async function forgetProbe(tx: Tx, projectId: string, model: string): Promise<void> {
  await sql`
    update vector_probes set checked_at = '-infinity' where project_id = ${projectId} and model = ${model}
  `.execute(tx)
  await tx
    .updateTable('projects')
    .set({ enrichment: sql`enrichment - 'checkAt'` })
    .where('id', '=', projectId)
    .execute()
}
