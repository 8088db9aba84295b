import { sql, type RawBuilder } from 'kysely'
import type { ContextColumn } from '../../../store/columns.ts'

/** The text of a question or a search. */
export function textOf(table: string): RawBuilder<string> {
  const of = (column: string) => sql.ref(`${table}.${column}`)
  return sql<string>`coalesce(
    (select text from messages m where m.project_id = ${of('project_id')} and m.thread_id = ${of('thread_id')}
      and m.n = ${of('n')}),
    (select query from searches s where s.id = ${of('search_id')}), '')`
}

/** What the reader had selected for a question; null where that was nothing, and for a search. */
export function contextOf(table: string): RawBuilder<ContextColumn[] | null> {
  const of = (column: string) => sql.ref(`${table}.${column}`)
  return sql`(select nullif(m.context, '[]') from messages m where m.project_id = ${of('project_id')}
    and m.thread_id = ${of('thread_id')} and m.n = ${of('n')})`
}
