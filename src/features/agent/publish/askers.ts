import type { Person } from '../../../integrations/git/trees/commit-tree.ts'
import { signOffBy } from '../../../integrations/git/trees/sign-off.ts'
import type { Reader } from '../../../store/database.ts'
import type { TurnRow } from '../turns.ts'
import type { TurnRun } from '../turns/turn-run.ts'

/** The people in a commit. */
export interface CommitPeople {
  author: Person
  /** Trailers that name people. */
  trailers: string[]
}

/**
 * The author of the commit of a turn, and the trailers that name people: those who asked for what it brings and want to
 * be named, and the sign-off that the project wants. That names the last person who asked.
 */
export async function peopleOf(
  { ports, project }: TurnRun,
  before: readonly TurnRow[],
  turn: TurnRow,
): Promise<CommitPeople> {
  const askers = await askersOf(ports.store.db, before, turn)
  const { name, email } = ports.author
  const { author, trailer } = signOffBy(project.settings.signOff, { name, email }, askers.at(-1))
  const named = askers
    .filter((one) => one.isNamed && one.email.toLowerCase() !== author.email.toLowerCase())
    .map((one) => `${one.name} <${one.email}>`)
  return {
    author,
    trailers: [
      ...[...new Set(named)].map((one) => `Co-authored-by: ${one}`),
      ...(trailer === undefined ? [] : [trailer]),
    ],
  }
}

// The people of this turn, and of the turns before it that have published nothing.
async function askersOf(
  db: Reader,
  before: readonly TurnRow[],
  turn: TurnRow,
): Promise<(Person & { isNamed: boolean })[]> {
  const isPublished = ({ status, publication }: TurnRow): boolean =>
    status === 'completed' && publication !== null
  const since = [...before.slice(before.findLastIndex(isPublished) + 1), turn]
  const ids = since.flatMap(({ person_id: id }) => id ?? [])
  if (ids.length === 0) return []
  const people = await db
    .selectFrom('people')
    .select(['id', 'name', 'email', 'co_author'])
    .where('id', 'in', ids)
    .execute()
  return ids.flatMap((id) =>
    people
      .filter((one) => one.id === id)
      .map(({ name, email, co_author: isNamed }) => ({ name, email, isNamed })),
  )
}
