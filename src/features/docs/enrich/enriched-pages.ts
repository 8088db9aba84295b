import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Page } from '../../../site/pages/page.ts'
import type { Reader, Store, Tx } from '../../../store/database.ts'
import { readPages } from '../pages.ts'
import { raiseRevision, type EnrichmentSettings } from './enrichment.ts'
import { sectionTexts } from './section-texts.ts'

const atOnce = 50

/** Brings the sections of the project's pages up to date: those of pages that were written since. */
export async function updateSections(store: Store, projectId: string, stopping: AbortSignal): Promise<void> {
  for (;;) {
    stopping.throwIfAborted()
    const changed = await store.db
      .selectFrom('pages')
      .leftJoin('enriched_pages as known', (join) =>
        join.onRef('known.project_id', '=', 'pages.project_id').onRef('known.path', '=', 'pages.path'),
      )
      .select(['pages.path', 'pages.generation', 'pages.hidden'])
      .where('pages.project_id', '=', projectId)
      .where((is) =>
        is.or([
          is.and([is('known.path', 'is', null), is('pages.hidden', '=', false)]),
          is('known.generation', '<', is.ref('pages.generation')),
        ]),
      )
      .orderBy('pages.path')
      .limit(atOnce)
      .execute()
    if (changed.length === 0) return
    const texts = await readPages(
      store.db,
      projectId,
      changed.map(({ path }) => path),
    )
    const rows = changed.map(({ path, generation, hidden }) => {
      const page = hidden ? undefined : texts.find((one) => one.path === path)
      return { path, generation, sections: page === undefined ? [] : pairsOf(page) }
    })
    await store.transaction((tx) => writeRows(tx, projectId, rows))
    await setImmediate()
  }
}

function pairsOf(page: Page): [hash: string, bytes: number][] {
  return sectionTexts(page).map((section) => [section?.hash ?? '', section?.bytes ?? 0])
}

async function writeRows(
  tx: Tx,
  projectId: string,
  rows: { path: string; generation: number; sections: [string, number][] }[],
): Promise<void> {
  const revision = await raiseRevision(tx, projectId)
  // A page may be removed at the same time.
  await sql`
    insert into enriched_pages (project_id, revision, path, generation, sections)
    select ${projectId}, ${revision}::bigint, r.path, r.generation, r.sections
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(path text, generation bigint, sections jsonb)
    join pages on pages.project_id = ${projectId} and pages.path = r.path
    on conflict (project_id, path) do update set revision = excluded.revision, generation = excluded.generation,
      sections = excluded.sections, done = null
  `.execute(tx)
}

/** Some pages with sections that the models have not read, as pages. */
export async function pagesToDo(
  db: Reader,
  projectId: string,
  settings: EnrichmentSettings,
  limit: number,
): Promise<Page[]> {
  const rows = await db
    .selectFrom('enriched_pages')
    .select('path')
    .where('project_id', '=', projectId)
    .where('done', 'is distinct from', modelsOf(settings))
    .orderBy('path')
    .limit(limit)
    .execute()
  return readPages(
    db,
    projectId,
    rows.map(({ path }) => path),
  )
}

/** Notes that the models have read all sections of pages. */
export async function notePagesDone(
  tx: Tx,
  projectId: string,
  paths: readonly string[],
  settings: EnrichmentSettings,
): Promise<void> {
  const revision = await raiseRevision(tx, projectId)
  await tx
    .updateTable('enriched_pages')
    .set({ done: modelsOf(settings), revision })
    .where('project_id', '=', projectId)
    .where('path', 'in', paths)
    .execute()
}

const window = 500

/** The sections of all pages, by hash, with their bytes. */
export async function listSections(db: Reader, projectId: string): Promise<Map<string, number>> {
  const bytesOf = new Map<string, number>()
  for (let after = ''; ;) {
    const rows = await db
      .selectFrom('enriched_pages')
      .select(['path', 'sections'])
      .where('project_id', '=', projectId)
      .where('path', '>', after)
      .orderBy('path')
      .limit(window)
      .execute()
    for (const { sections } of rows)
      for (const [hash, bytes] of sections) if (hash !== '') bytesOf.set(hash, bytes)
    const last = rows.at(-1)
    if (last === undefined || rows.length < window) return bytesOf
    after = last.path
  }
}

/** The hashes among these that have a row of the model. */
export async function hashesDone(
  db: Reader,
  table: 'section_questions' | 'section_vectors',
  projectId: string,
  model: string,
  hashes: readonly string[],
): Promise<Set<string>> {
  const done = new Set<string>()
  for (let at = 0; at < hashes.length; at += 2000) {
    const { rows } = await sql<{ hash: string }>`
      select hash from ${sql.table(table)} where project_id = ${projectId} and model = ${model}
        and hash in (select jsonb_array_elements_text(${JSON.stringify(hashes.slice(at, at + 2000))}::jsonb))
    `.execute(db)
    for (const { hash } of rows) done.add(hash)
  }
  return done
}

/** Deletes what belongs to sections that no page has any more. */
export async function deleteRetired(store: Store, projectId: string): Promise<void> {
  for (const table of ['section_questions', 'section_vectors'] as const)
    await store.transaction((tx) =>
      sql`
        delete from ${sql.table(table)} where project_id = ${projectId} and hash in (
          select hash from ${sql.table(table)} where project_id = ${projectId}
          except
          select pair ->> 0 from enriched_pages, jsonb_array_elements(sections) as pair where project_id = ${projectId}
        )
      `.execute(tx),
    )
}

function modelsOf({ questions, vectors }: EnrichmentSettings): string {
  return JSON.stringify([questions, vectors])
}
