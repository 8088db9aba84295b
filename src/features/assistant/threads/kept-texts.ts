import { sql, type RawBuilder } from 'kysely'

/** A text of a reader or an answer as it is stored: empty where the project keeps no texts, with a retention of 0 days. */
export function textIfKept(projectId: string, text: string): RawBuilder<string> {
  return sql<string>`case when ${keepsText(projectId)} then ${text} else '' end`
}

/** A list as it is stored: another one, without texts, where the project keeps none. */
export function listIfKept(
  projectId: string,
  list: readonly unknown[],
  bare: readonly unknown[],
): RawBuilder<unknown> {
  const [kept, without] = [list, bare].map((one) => JSON.stringify(one))
  return sql`case when ${keepsText(projectId)} then ${kept}::jsonb else ${without}::jsonb end`
}

// Asked in the statement that writes, so that a change of the setting holds at once in all processes.
function keepsText(projectId: string): RawBuilder<boolean> {
  return sql<boolean>`(select settings->>'retentionDays' is distinct from '0' from projects where id = ${projectId})`
}
