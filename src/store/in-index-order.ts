import { sql, type RawBuilder, type SqlBool } from 'kysely'

/**
 * A condition for a list that is ordered by this column and then by the next ones of an index. After `=`, the database
 * may take the newest rows of everybody instead and leave out the others, which are hundreds of thousands where this
 * one has been quiet for a while.
 */
export function only(column: string, value: string | RawBuilder<string>): RawBuilder<SqlBool> {
  return sql`${sql.ref(column)} = any (array[${value}]::text[])`
}
