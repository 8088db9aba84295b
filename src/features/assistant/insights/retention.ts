import { sql, type RawBuilder } from 'kysely'

/** A text of a reader or an answer as it is stored: empty where the project keeps no texts, with a retention of 0 days. */
export function textIfKept(projectId: string, text: string): RawBuilder<string> {
  return sql<string>`case when ${keepsText(projectId)} then ${text} else '' end`
}

/** Sources as they are stored: without the words of the answer where the project keeps no texts. */
export function sourcesIfKept(projectId: string, sources: object[]): RawBuilder<unknown> {
  const bare = JSON.stringify(sources.map((source) => ({ ...source, words: undefined })))
  return sql`case when ${keepsText(projectId)} then ${JSON.stringify(sources)}::jsonb else ${bare}::jsonb end`
}

// Asked in the statement that writes, so that a change of the setting holds at once in all processes.
function keepsText(projectId: string): RawBuilder<boolean> {
  return sql<boolean>`(select settings->>'retentionDays' is distinct from '0' from projects where id = ${projectId})`
}
