import type { ChatMarkupName } from '../../api/render/markdown/print-chat.ts'
import type { ChatPlatformColumn } from '../../store/tables/chat-tables.ts'
import type { ChatApis } from '../../lib/chat-apis.ts'
import type { Chat, ChatSecrets } from './table.ts'

/** Where something was written. */
export interface Place {
  channel: string
  /** As our rows name it: platform, channel and first message. Empty where a command has none. */
  thread: string
  isDirect: boolean
}

export interface Member {
  id: string
  /** Where the platform has sent it. */
  name?: string | undefined
}

/** What somebody did, which is to be answered. */
export type Incoming = { place: Place; member: Member } & (
  | { kind: 'message'; id: string; text: string; isMention: boolean }
  | { kind: 'command'; text: string }
  | { kind: 'button'; action: string; value: string }
)

/** What a platform sent, as far as this server has to do with it. */
export type Delivery =
  | { kind: 'challenge'; challenge: string }
  /** The app was removed from the workspace. */
  | { kind: 'removed' }
  /** The app was removed from a channel, or by a member. */
  | { kind: 'left'; channel?: string; member?: string }
  /**
   * The key is the same however often, and in whatever form, the platform sends it. The address is where the platform answers for
   * this workspace from now on.
   */
  | { kind: 'event'; key: string; incoming: Incoming; address?: string }
  | { kind: 'nothing' }

/** A delivery as it arrived. */
export interface Raw {
  contentType: string
  body: string
}

/** A call of a platform to this server. */
export interface Call {
  headers: Headers
  body: string
  /** The address that was given to the platform. */
  url: string
}

export type Button =
  | { label: string; id: string; value: string; isPrimary?: boolean | undefined }
  | { label: string; url: string }

/** A message of the app. */
export interface Content {
  /** In the platform’s mark-up. */
  blocks: readonly string[]
  buttons: readonly (readonly Button[])[]
  /** For notifications. */
  notice: string
}

/** A channel, or a thread of one. */
export interface Spot {
  channel: string
  thread?: string | undefined
}

/** By which a message is found again whose id was not noted. */
export interface Mark {
  mark: string
  since: Date
}

export type ThreadSpot = Spot & { thread: string }

export interface PastMessage {
  id: string
  text: string
  isOwn: boolean
}

/** A workspace’s side of a platform. All throw AppErrors: `unavailable` when nothing answers, `invalid` for what is refused. */
export interface Connection {
  /** @returns the id of the message, after that of its thread and a slash where the two differ */
  post(spot: Spot, content: Content, mark: Mark): Promise<string>
  /** The message with a mark, where an attempt that was cut off has posted it. */
  findPosted(spot: Spot, mark: Mark): Promise<string | undefined>
  edit(spot: Spot, id: string, content: Content): Promise<void>
  /** Says something to the member alone who gave a command or pressed a button, or in the thread where that cannot be. */
  tell(incoming: Incoming, raw: Raw, content: Content): Promise<void>
  /** Ends the wait of a command that was answered elsewhere. */
  finish?(incoming: Incoming, raw: Raw): Promise<void>
  /** What was written in a thread before a message, oldest first; of long threads the end. */
  messagesBefore(spot: ThreadSpot, id: string): Promise<PastMessage[]>
  nameOf(member: Member): Promise<string>
}

export interface TestedToken {
  workspace: string
  name: string
  /** The app’s own member. */
  bot: string
  /** What the app cannot do with it. */
  problem: string | undefined
}

/** A connection by which a platform sends events. */
export interface Socket {
  close(): void
}

export interface SocketPorts {
  /** Where the last socket stopped, on platforms that go on from there. */
  session: string | undefined
  /** Keeps a delivery before it is acknowledged, with where the socket stands after it. */
  keep(raw: Raw, session?: string): Promise<void>
  reportError(error: unknown): void
  /** The socket has ended, for whatever reason. */
  ended(): void
}

export interface ChatPlatform {
  /** As people call it. */
  name: string
  markup: ChatMarkupName
  /** What a message may hold. */
  longest: { block: number; blocks: number }
  /** Where people find the ID of a channel. */
  channel: { pattern: RegExp; example: string; where: string }
  /** Milliseconds between two edits of a message. */
  editEvery: number
  /** How the platform calls this server; undefined where it never does. */
  calls?: {
    /** The header without which a call is not looked at. */
    header: string
    /** Whether the platform itself made a call, and now. */
    verify(apis: ChatApis, secrets: ChatSecrets, call: Call): Promise<boolean> | boolean
    /** Whether it expects an object as JSON instead of nothing. */
    isAnsweredByJson?: true
  }
  read(raw: Raw, chat: Pick<Chat, 'bot' | 'workspace'>): Delivery
  /**
   * Asks whose the tokens are.
   * @param workspace where the app is in several
   */
  test(apis: ChatApis, secrets: ChatSecrets, workspace?: string): Promise<TestedToken>
  /** What else a workspace needs once. */
  prepare?(apis: ChatApis, secrets: ChatSecrets, tested: TestedToken): Promise<void>
  connect(apis: ChatApis, chat: Chat, secrets: ChatSecrets): Connection
  /** Undefined where the platform calls this server. */
  openSocket?(apis: ChatApis, secrets: ChatSecrets, ports: SocketPorts): Promise<Socket> | undefined
}

/** Our name of the thread that begins with a message. */
export function threadName(platform: ChatPlatformColumn, channel: string, first: string): string {
  return `${platform}:${channel.replaceAll(':', '%3A')}:${first.split('/')[0]}`
}

/** The channel of a thread. */
export function channelOf(thread: string): string {
  return (thread.split(':')[1] ?? '').replaceAll('%3A', ':')
}

/** The first message of all conversations that have no threads. */
export const onlyThread = 'all'

export function firstOf(thread: string): string {
  return thread.split(':')[2] ?? ''
}
