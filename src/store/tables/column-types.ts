import type { ColumnType } from 'kysely'

/** Read as parsed JSON; written through `json()` of database.ts. */
export type Json<T> = ColumnType<T, unknown, unknown>
export type Time = ColumnType<Date, Date | undefined, Date>
export type MaybeTime = ColumnType<Date | null, Date | null | undefined, Date | null>
export type Maybe<T> = ColumnType<T | null, T | null | undefined, T | null>
