import { sql, type Selectable } from 'kysely'
import { notFound } from '../../api/errors.ts'
import { randomText, sha256 } from '../../lib/ids.ts'
import { openSecret, type SecretKey } from '../../lib/secret-box.ts'
import { hasUnstorable } from '../../lib/text/plain-text.ts'
import type { Reader, Tx } from '../../store/database.ts'
import type { KeptSecret } from '../../store/kept-secret.ts'
import type { Tables } from '../../store/tables.ts'
import type {
  ChatAnswersColumn,
  ChatAsksColumn,
  ChatChangesColumn,
  ChatPlatformColumn,
  ChatPostsColumn,
} from '../../store/tables/chat-tables.ts'

/** A workspace of a chat platform that is connected to a project. */
export interface Chat {
  id: string
  platform: ChatPlatformColumn
  projectId: string
  /** Id of the workspace at the platform. */
  workspace: string
  /** Id of the app's own member in it. */
  bot: string
  name: string
  /** Encrypted. */
  sealed: string
  /** Where the platform answers for this workspace, when it has said so. */
  address: string | undefined
  createdAt: Date
}

export interface ChatSecrets {
  botToken: string
  /** Absent where Slack does not call this server. */
  signingSecret?: string | undefined
  /** Opens a socket by which Slack sends events. */
  appToken?: string | undefined
  /** On platforms where a token is had by the app’s ID and a secret. */
  appId?: string | undefined
}

/** What the team decided for a channel. */
export interface ChatChannel {
  channel: string
  name: string
  /** What is asked there is about this project. */
  projectId: string
  asks: ChatAsksColumn
  answers: ChatAnswersColumn
  changes: ChatChangesColumn
  posts: ChatPostsColumn
  /** Whose pages are searched; all when it is empty. */
  language: string
}

/** Writes a workspace, or the new tokens of one that is connected already. */
export async function saveChat(
  tx: Tx,
  chat: Omit<Chat, 'createdAt' | 'address'>,
  /** Whether events come over a socket, and what the platform has said of the token. */
  { socket = false, problem }: { socket?: boolean; problem?: string | undefined } = {},
): Promise<Chat> {
  const { id, projectId, platform, workspace, bot, name, sealed } = chat
  const tokens = {
    bot,
    name,
    secrets: sealed,
    socket,
    problem: problem ?? null,
    checked_at: sql<Date>`now()`,
    // Another token begins another one.
    session: null,
  }
  const row = await tx
    .insertInto('chats')
    .values({ id, project_id: projectId, platform, workspace, ...tokens })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(tokens))
    .returningAll()
    .executeTakeFirstOrThrow()
  return toChat(row)
}

/** The id under which a workspace of a project is kept, whose secrets are sealed for it. */
export async function findChatId(
  reader: Reader,
  projectId: string,
  { platform, workspace }: Pick<Chat, 'platform' | 'workspace'>,
): Promise<string | undefined> {
  const row = await reader
    .selectFrom('chats')
    .select('id')
    .where('project_id', '=', projectId)
    .where('platform', '=', platform)
    .where('workspace', '=', workspace)
    .executeTakeFirst()
  return row?.id
}

/** Oldest first. */
export async function listChats(reader: Reader, projectId: string): Promise<Chat[]> {
  const rows = await reader
    .selectFrom('chats')
    .selectAll()
    .where('project_id', '=', projectId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return rows.map(toChat)
}

export async function findChat(reader: Reader, id: string): Promise<Chat | undefined> {
  if (hasUnstorable(id)) return undefined
  const row = await reader.selectFrom('chats').selectAll().where('id', '=', id).executeTakeFirst()
  return row && toChat(row)
}

/** @throws AppError `not_found` */
export async function getChat(reader: Reader, projectId: string, id: string): Promise<Chat> {
  const chat = await findChat(reader, id)
  if (chat?.projectId !== projectId) throw notFound('chat', id)
  return chat
}

export async function deleteChat(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('chats').where('id', '=', id).execute()
}

/** @throws AppError `unavailable` when they were sealed with another key */
export function secretsOf(key: SecretKey, { id, sealed }: Pick<Chat, 'id' | 'sealed'>): ChatSecrets {
  // Only `connectChat` writes the column.
  return JSON.parse(openSecret(key, id, sealed)) as ChatSecrets
}

export async function listSealedSecrets(reader: Reader): Promise<KeptSecret[]> {
  const rows = await reader.selectFrom('chats').select(['id', 'name', 'secrets']).orderBy('id').execute()
  return rows.map(({ id, name, secrets }) => ({
    name: `the tokens of the chat ${name}`,
    owner: id,
    sealed: secrets,
    async replace(tx, sealed) {
      const { numUpdatedRows } = await tx
        .updateTable('chats')
        .set({ secrets: sealed })
        .where('id', '=', id)
        .where('secrets', '=', secrets)
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },
  }))
}

const channelColumns = [
  'channel',
  'name',
  'project_id as projectId',
  'asks',
  'answers',
  'changes',
  'posts',
  'language',
] as const

/** Channels that the team decided something for, by name. */
export async function listChannels(reader: Reader, chatId: string): Promise<ChatChannel[]> {
  return reader
    .selectFrom('chat_channels')
    .select(channelColumns)
    .where('chat_id', '=', chatId)
    .orderBy('name')
    .orderBy('channel')
    .execute()
}

export async function findChannel(
  reader: Reader,
  chatId: string,
  channel: string,
): Promise<ChatChannel | undefined> {
  return reader
    .selectFrom('chat_channels')
    .select(channelColumns)
    .where('chat_id', '=', chatId)
    .where('channel', '=', channel)
    .executeTakeFirst()
}

/** The project that is asked about in a channel, or in a direct message. */
export async function projectIdIn(reader: Reader, chat: Chat, channel: string): Promise<string> {
  return (await findChannel(reader, chat.id, channel))?.projectId ?? chat.projectId
}

export async function saveChannel(
  tx: Tx,
  chatId: string,
  { channel, projectId, ...decided }: ChatChannel,
): Promise<void> {
  const change = { ...decided, project_id: projectId }
  await tx
    .insertInto('chat_channels')
    .values({ chat_id: chatId, channel, ...change })
    .onConflict((conflict) => conflict.columns(['chat_id', 'channel']).doUpdateSet(change))
    .execute()
}

export async function deleteChannel(tx: Tx, chatId: string, channel: string): Promise<void> {
  await tx.deleteFrom('chat_channels').where('chat_id', '=', chatId).where('channel', '=', channel).execute()
}

/** The account here of a member of a workspace. */
export async function linkedPerson(
  reader: Reader,
  chatId: string,
  member: string,
): Promise<string | undefined> {
  const row = await reader
    .selectFrom('chat_people')
    .select('person_id')
    .where('chat_id', '=', chatId)
    .where('member', '=', member)
    .executeTakeFirst()
  return row?.person_id
}

/** Minutes for which an address to link an account works. */
export const linkMinutes = 15

/** @returns what the address carries, which is stored as a hash alone */
export async function createLink(
  tx: Tx,
  link: { chatId: string; member: string; memberName: string },
): Promise<string> {
  const token = `chl_${randomText(32)}`
  await tx
    .deleteFrom('chat_links')
    .where('expires_at', '<', sql<Date>`now()`)
    .execute()
  await tx
    .insertInto('chat_links')
    .values({
      hash: sha256(token),
      chat_id: link.chatId,
      member: link.member,
      member_name: link.memberName,
      expires_at: sql<Date>`now() + make_interval(mins => ${linkMinutes}::int)`,
    })
    .execute()
  return token
}

export interface PendingLink {
  chatId: string
  chatName: string
  member: string
  memberName: string
}

/** Undefined when the address was used or is too old. */
export async function findLink(reader: Reader, token: string): Promise<PendingLink | undefined> {
  return reader
    .selectFrom('chat_links')
    .innerJoin('chats', 'chats.id', 'chat_links.chat_id')
    .select(['chat_id as chatId', 'chats.name as chatName', 'member', 'member_name as memberName'])
    .where('hash', '=', sha256(token))
    .where('expires_at', '>', sql<Date>`now()`)
    .executeTakeFirst()
}

/** @returns undefined when the address was used or is too old */
export async function useLink(tx: Tx, token: string, personId: string): Promise<PendingLink | undefined> {
  const link = await findLink(tx, token)
  const { numDeletedRows } = await tx
    .deleteFrom('chat_links')
    .where('hash', '=', sha256(token))
    .executeTakeFirst()
  if (!link || numDeletedRows === 0n) return undefined
  await tx
    .insertInto('chat_people')
    .values({ chat_id: link.chatId, member: link.member, person_id: personId })
    .onConflict((conflict) =>
      conflict.columns(['chat_id', 'member']).doUpdateSet({ person_id: personId, created_at: sql`now()` }),
    )
    .execute()
  return link
}

export async function unlink(tx: Tx, chatId: string, member: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('chat_people')
    .where('chat_id', '=', chatId)
    .where('member', '=', member)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

function toChat(row: Selectable<Tables['chats']>): Chat {
  return {
    id: row.id,
    projectId: row.project_id,
    platform: row.platform,
    workspace: row.workspace,
    bot: row.bot,
    name: row.name,
    sealed: row.secrets,
    address: row.address ?? undefined,
    createdAt: row.created_at,
  }
}
