import { sql } from 'kysely'
import type { ChatToken } from '../../features/server/health.ts'
import { messageOf } from '../../lib/errors.ts'
import type { SecretKey } from '../../lib/secret-box.ts'
import type { Reader, Store } from '../../store/database.ts'
import { platforms } from './platforms.ts'
import type { ChatApis } from '../../lib/chat-apis.ts'
import { secretsOf } from './table.ts'

interface CheckPorts {
  store: Store
  secretKey: SecretKey
  chatApis: ChatApis
}

/** What platforms last said of the tokens of all workspaces. */
export async function listTokens(reader: Reader): Promise<ChatToken[]> {
  const rows = await reader
    .selectFrom('chats')
    .innerJoin('projects', 'projects.id', 'chats.project_id')
    .select(['chats.name', 'projects.domain', 'chats.checked_at', 'chats.problem'])
    .orderBy('projects.domain')
    .orderBy('chats.id')
    .execute()
  return rows.map(({ name, domain, checked_at: checkedAt, problem }) => ({
    name,
    domain,
    checkedAt: checkedAt ?? undefined,
    problem: problem ?? undefined,
  }))
}

/** Asks of each workspace whether its token works, and may do what the app needs. */
export async function checkTokens({ store, secretKey, chatApis }: CheckPorts): Promise<void> {
  const rows = await store.db
    .selectFrom('chats')
    .select(['id', 'platform', 'workspace', 'secrets'])
    .orderBy('id')
    .execute()
  for (const { id, platform, workspace, secrets } of rows) {
    const problem = await problemOf(async () =>
      platforms[platform].test(chatApis, secretsOf(secretKey, { id, sealed: secrets }), workspace),
    )
    await store.transaction((tx) =>
      tx
        .updateTable('chats')
        .set({ problem: problem ?? null, checked_at: sql<Date>`now()` })
        .where('id', '=', id)
        // What was said of a token is not said of the one that came after it.
        .where('secrets', '=', secrets)
        .execute(),
    )
  }
}

async function problemOf(test: () => Promise<{ problem: string | undefined }>): Promise<string | undefined> {
  try {
    return (await test()).problem
  } catch (error) {
    return messageOf(error)
  }
}
