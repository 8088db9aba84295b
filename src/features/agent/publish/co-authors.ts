import type { Reader } from '../../../store/database.ts'
import type { TurnRow } from '../turns.ts'

/**
 * The people who asked for what a commit brings and want to be named in it, as `Name <email>`: those of this turn, and
 * of the turns before it that have published nothing.
 */
export async function coAuthorsOf(db: Reader, before: readonly TurnRow[], turn: TurnRow): Promise<string[]> {
  const isPublished = ({ status, publication }: TurnRow): boolean =>
    status === 'completed' && publication !== null
  const since = [...before.slice(before.findLastIndex(isPublished) + 1), turn]
  const ids = since.flatMap(({ person_id: id }) => id ?? [])
  if (ids.length === 0) return []
  const people = await db
    .selectFrom('people')
    .select(['id', 'name', 'email'])
    .where('id', 'in', ids)
    .where('co_author', '=', true)
    .execute()
  return [...new Set(ids)].flatMap((id) =>
    people.filter((one) => one.id === id).map(({ name, email }) => `${name} <${email}>`),
  )
}
