import { sql } from 'kysely'
import type { ThreadFailure } from '../../lib/threads/text-thread.ts'
import type { Reader, Tx } from '../../store/database.ts'
import type { LeftOutFile } from './left-out.ts'
import { makeStorable } from '../../lib/text/plain-text.ts'
import { parserVersion } from './fingerprint.ts'

/** A file as git knows it. */
export interface FileVersion {
  path: string
  oid: string
}

const mostKept = 200

/** Files of a project that this version of the parser could not read, by path, with the ids that they had. */
export async function unreadableFiles(db: Reader, projectId: string): Promise<Map<string, string>> {
  const row = await db
    .selectFrom('projects')
    .select('unreadable_files')
    .where('id', '=', projectId)
    .executeTakeFirst()
  const files = (row?.unreadable_files ?? []).filter(({ parser }) => parser === parserVersion)
  return new Map(files.map(({ path, oid }) => [path, oid]))
}

/** Records an unreadable file, so that it is left out until it changes, and shown to people. */
export async function noteUnreadable(
  tx: Tx,
  projectId: string,
  { path, oid }: FileVersion,
  { reason }: ThreadFailure,
): Promise<void> {
  const what = reason === 'memory' ? 'needs too much memory' : 'takes too long'
  const message = `Reading it ${what}, so it is left out: make it shorter or less nested`
  const file = JSON.stringify([{ path, oid, parser: parserVersion, message }])
  await sql`
    update projects set unreadable_files = ${file}::jsonb || (
      select coalesce(jsonb_agg(f.file order by f.n), '[]') from jsonb_array_elements(unreadable_files)
        with ordinality as f(file, n)
      where f.file->>'path' <> ${path} and f.n < ${mostKept}::int
    ) where id = ${projectId}
  `.execute(tx)
}

/**
 * Records what a sync has left out, and forgets what it has read by now or what was removed.
 * @param files `kept`: paths that were left out before and still are; `found`: what is left out since
 */
export async function writeLeftOut(
  tx: Tx,
  projectId: string,
  { kept, found }: { kept: readonly string[]; found: readonly LeftOutFile[] },
): Promise<void> {
  const files = found.map(({ path, oid, message }) => ({
    path: makeStorable(path),
    oid,
    parser: parserVersion,
    message,
  }))
  await sql`
    update projects set unreadable_files = (
      select coalesce(jsonb_agg(f.file order by f.n), '[]') from jsonb_array_elements(unreadable_files)
        with ordinality as f(file, n)
      where f.file->>'path' in (select jsonb_array_elements_text(${JSON.stringify(kept)}::jsonb))
    ) || ${JSON.stringify(files)}::jsonb
    where id = ${projectId} and (unreadable_files <> '[]' or ${files.length}::int > 0)
  `.execute(tx)
}
