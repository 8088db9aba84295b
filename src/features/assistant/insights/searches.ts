import { sql } from 'kysely'
import type { CallerColumn } from '../../../store/columns.ts'
import type { Store } from '../../../store/database.ts'

/** A search of a person or a program. */
export interface RecordedSearch {
  projectId: string
  /** As it was asked; only its beginning is kept. */
  query: string
  results: number
  /** From 0 to 1: how well the documentation speaks of it. */
  confidence: number
  caller: CallerColumn
  fp: string | undefined
  milliseconds: number
}

/** Records searches in the background, so that none waits for the database. */
export interface SearchLog {
  record(search: RecordedSearch): void
  /** Writes what is still in memory. */
  flush(): Promise<void>
}

/** Characters of a query. */
const longestQuery = 500
/** Milliseconds between two writes. */
const interval = 1000
/** Searches in memory; more are lost, which happens only while the database is away or overloaded. */
const mostWaiting = 5000

/** @param onLost called once for each write that failed, with the number of searches that are not recorded */
export function createSearchLog(
  store: Pick<Store, 'transaction'>,
  onLost: (lost: number, error: unknown) => void,
): SearchLog {
  let waiting: RecordedSearch[] = []
  let dropped = 0
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> = Promise.resolve()
  const write = async (): Promise<void> => {
    clearTimeout(timer)
    timer = undefined
    const [rows, lost] = [waiting, dropped]
    waiting = []
    dropped = 0
    if (rows.length === 0) return
    try {
      await insertSearches(store, rows)
      if (lost > 0) onLost(lost, undefined)
    } catch (error) {
      onLost(lost + rows.length, error)
    }
  }
  const flush = (): Promise<void> => (writing = writing.then(write))
  return {
    record(search) {
      if (waiting.length >= mostWaiting) {
        dropped++
        return
      }
      waiting.push({ ...search, query: search.query.slice(0, longestQuery).toWellFormed() })
      timer ??= setTimeout(() => void flush(), interval).unref()
    },
    flush,
  }
}

// A project that was removed meanwhile, or that keeps no texts, is found out in the same statement.
async function insertSearches(
  { transaction }: Pick<Store, 'transaction'>,
  rows: RecordedSearch[],
): Promise<void> {
  await transaction((tx) =>
    sql`
      insert into searches (project_id, query, results, confidence, caller, fp, milliseconds)
      select projects.id, case when settings->>'retentionDays' is distinct from '0' then query else '' end,
        results, confidence, caller, fp, milliseconds
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as searched("projectId" text, query text,
        results integer, confidence real, caller text, fp text, milliseconds integer)
      join projects on projects.id = "projectId"
    `.execute(tx),
  )
}
