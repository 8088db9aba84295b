import type { ChatApis } from '../../lib/chat-apis.ts'
import { accountHolder, allow, type Caller } from '../../features/projects/allow.ts'
import {
  findProject,
  findProjectByDomain,
  findProjects,
  type Project,
} from '../../features/projects/projects.ts'
import { AppError } from '../../lib/errors.ts'
import { newId } from '../../lib/ids.ts'
import { sealSecret, type SecretKey } from '../../lib/secret-box.ts'
import { noteAct } from '../../store/acts.ts'
import type { Reader, Store } from '../../store/database.ts'
import type { Recorded } from '../../verbs/present.ts'
import { deed } from '../../verbs/verb.ts'
import { lastEvents, type EventSummary } from './events.ts'
import { platforms } from './platforms.ts'
import * as table from './table.ts'
import * as verbs from './verbs.ts'

export interface ChatPorts {
  store: Store
  secretKey: SecretKey
  chatApis: ChatApis
  publicUrl(): string
}

/** Events that are shown of a workspace. */
const mostShown = 10

const listChats = deed(verbs.listChats, async (ports: ChatPorts, { project }) => {
  const { db } = ports.store
  const chats = await table.listChats(db, project.id)
  return { workspaces: await Promise.all(chats.map((chat) => present(ports, db, chat))) }
})

export const connectChat = deed(
  verbs.connectChat,
  async (
    ports: ChatPorts,
    { project },
    { platform = 'slack', workspace: chosen, botToken, signingSecret, appToken, appId },
  ) => {
    const { store, secretKey, chatApis } = ports
    const { test, prepare, calls } = platforms[platform]
    const secrets = { botToken, signingSecret, appToken, appId }
    const tested = await test(chatApis, secrets, chosen)
    await prepare?.(chatApis, secrets, tested)
    const { workspace, name, bot, problem } = tested
    const chat = await store.transaction(async (tx) => {
      const id = (await table.findChatId(tx, project.id, { platform, workspace })) ?? newId('cht')
      const sealed = sealSecret(secretKey, id, JSON.stringify(secrets))
      noteAct({ target: id })
      return table.saveChat(
        tx,
        { id, projectId: project.id, platform, workspace, name, bot, sealed },
        { socket: !calls || appToken !== undefined, problem },
      )
    })
    return present(ports, store.db, chat)
  },
)

export const changeChatChannel = deed(
  verbs.changeChatChannel,
  async (ports: ChatPorts, { project, caller }, { chat: id, channel, ...decided }) => {
    const { store } = ports
    const chat = await table.getChat(store.db, project.id, id)
    const platform = platforms[chat.platform]
    const { pattern, example, where } = platform.channel
    if (!pattern.test(channel))
      throw new AppError(
        'invalid',
        `The channel must be an ID of ${platform.name}, such as ${example}. ${where.replace(/\.$/, '')}`,
      )
    const { name, asks, answers } = decided
    await store.transaction(async (tx) => {
      const before = await table.findChannel(tx, chat.id, channel)
      const projectId =
        decided.project === undefined
          ? (before?.projectId ?? project.id)
          : await projectFor(tx, caller, project, decided.project)
      const changes = decided.changes ?? before?.changes ?? 'linked'
      const posts = decided.posts ?? before?.posts ?? 'nothing'
      const language = decided.language ?? before?.language ?? ''
      await table.saveChannel(tx, chat.id, {
        channel,
        projectId,
        name,
        asks,
        answers,
        changes,
        posts,
        language,
      })
    })
    return present(ports, store.db, chat)
  },
)

/**
 * The project that a channel is to be about. Whoever chooses it must own it too.
 * @throws AppError `not_found` when it is of another organization, or `forbidden`
 */
async function projectFor(
  reader: Reader,
  caller: Caller,
  { organizationId }: Project,
  name: string,
): Promise<string> {
  const named = (await findProjectByDomain(reader, name)) ?? (await findProject(reader, name))
  const project = named?.organizationId === organizationId ? named : undefined
  return allow(caller, 'changeChatChannel', { name, project }).id
}

export const disconnectChat = deed(
  verbs.disconnectChat,
  async (ports: ChatPorts, { project }, { chat: id }) => {
    const { store } = ports
    const chat = await table.getChat(store.db, project.id, id)
    const disconnected = await present(ports, store.db, chat)
    await store.transaction((tx) => table.deleteChat(tx, chat.id))
    return disconnected
  },
)

export const linkChatAccount = deed(
  verbs.linkChatAccount,
  async ({ store }: ChatPorts, { caller }, { token }) => {
    const person = accountHolder(caller)
    if (!person)
      throw new AppError(
        'forbidden',
        'The operator’s session has no account. Sign in with an account of your own',
      )
    const link = await store.transaction((tx) => table.useLink(tx, token, person.id))
    if (!link)
      throw new AppError(
        'not_found',
        'This link was used already, or has expired. Write “/docwright link” in the chat for a new one',
      )
    return { workspace: link.chatName, member: link.memberName }
  },
)

export const chatDeeds = [listChats, connectChat, changeChatChannel, disconnectChat, linkChatAccount]

/** Where a platform sends what happens in a workspace. */
export function eventsUrl(publicUrl: string, id: string): string {
  return `${publicUrl}/chats/${id}/events`
}

async function present(
  { publicUrl }: ChatPorts,
  reader: Reader,
  chat: table.Chat,
): Promise<Recorded<verbs.ChatWorkspace>> {
  const { id, platform, name, createdAt } = chat
  return {
    id,
    platform,
    name,
    createdAt,
    eventsUrl: platforms[platform].calls ? eventsUrl(publicUrl(), id) : null,
    channels: await presentChannels(reader, id),
    events: (await lastEvents(reader, id, mostShown)).map(presentEvent),
  }
}

async function presentChannels(reader: Reader, id: string): Promise<verbs.ChatWorkspace['channels']> {
  const channels = await table.listChannels(reader, id)
  const projects = await findProjects(
    reader,
    channels.map(({ projectId }) => projectId),
  )
  return channels.map(({ projectId, ...channel }) => ({
    ...channel,
    project: projects.find((one) => one.id === projectId)?.domain ?? '',
  }))
}

function presentEvent({
  key,
  receivedAt,
  state,
  attempts,
  error,
}: EventSummary): Recorded<verbs.ChatWorkspace['events'][number]> {
  const [kind] = key.split(' ')
  return {
    receivedAt,
    kind: kind === 'command' || kind === 'button' ? kind : 'message',
    state,
    attempts,
    error,
  }
}
