import { sql, type RawBuilder, type SqlBool } from 'kysely'
import type { Reader } from './database.ts'

/**
 * A condition for a list that is ordered by this column and then by the next ones of an index. After `=`, the database
 * may take the newest rows of everybody instead and leave out the others, which are hundreds of thousands where this
 * one has been quiet for a while.
 */
export function only(column: string, value: string | RawBuilder<string>): RawBuilder<SqlBool> {
  return sql`${sql.ref(column)} = any (array[${value}]::text[])`
}

/** A part of a list. Where it was searched for it may be short, or empty, although there are more. */
export interface Page<Row, Place> {
  rows: Row[]
  /** The place after which the next page begins; undefined on the last one. */
  next: Place | undefined
  /** How many rows were looked through for it, where those behind them were not. */
  searched: number | undefined
}

/** A page of a list that follows an index, or that is searched for in a bounded number of its rows. */
export async function readPage<Key, Row extends Key, Place>(
  db: Reader,
  list: {
    limit: number
    /** Set where the index does not tell what fits: all rows in their order, and how many of them one page looks through. */
    search: { keys: RawBuilder<Key>; within: number } | undefined
    placeOf: (key: Key) => Place
    /** The first rows that fit, up to a place and with it. */
    read: (count: number, end: Place | undefined) => Promise<Row[]>
  },
): Promise<Page<Row, Place>> {
  const { limit, search, placeOf, read } = list
  const end = search && (await endOf(db, search.keys, search.within, placeOf))
  const batch = await read(limit + 1, end)
  const rows = batch.slice(0, limit)
  const last = batch.length > limit ? rows.at(-1) : undefined
  if (last !== undefined) return { rows, next: placeOf(last), searched: undefined }
  return { rows, next: end, searched: end === undefined ? undefined : search?.within }
}

/** The place of the last of so many rows; undefined where there are none behind it. */
async function endOf<Key, Place>(
  db: Reader,
  keys: RawBuilder<Key>,
  count: number,
  placeOf: (key: Key) => Place,
): Promise<Place | undefined> {
  const { rows } = await sql<Key>`${keys} offset ${count - 1} limit 2`.execute(db)
  const [last, behind] = rows
  return last === undefined || behind === undefined ? undefined : placeOf(last)
}

/** A whole list, of which one page is in memory at a time. */
export async function* eachPage<Row, Place>(
  read: (after: Place | undefined) => Promise<Page<Row, Place>>,
): AsyncGenerator<Row[], void, undefined> {
  let after: Place | undefined
  do {
    const { rows, next } = await read(after)
    yield rows
    after = next
  } while (after !== undefined)
}
