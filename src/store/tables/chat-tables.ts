import type { Generated } from 'kysely'
import type { Maybe, MaybeTime, Time } from './column-types.ts'

export type ChatPlatformColumn = 'slack' | 'discord' | 'teams' | 'google-chat'
/** Who may ask in a channel. `linked`: members whose account here may. */
export type ChatAsksColumn = 'anyone' | 'linked' | 'nobody'
/** `quiet`: only what mentions the app, also in its threads. */
export type ChatAnswersColumn = 'quiet' | 'mentions' | 'everything'
/** Who may start jobs in a channel. */
export type ChatChangesColumn = 'linked' | 'nobody'
/**
 * What is posted in a channel without being asked. `attention`: what somebody has to do something about. `digest`: questions of
 * the agent at once, everything else once a day.
 */
export type ChatPostsColumn = 'nothing' | 'attention' | 'digest' | 'everything'
export type ChatPostKindColumn = 'opened' | 'waiting' | 'asked' | 'merged' | 'failed' | 'gaps' | 'digest'
/** `held`: waits for the message of the day. */
export type ChatPostStateColumn = 'waiting' | 'held' | 'done' | 'failed'

/** Workspaces of chat platforms, and what happens in them. */
export interface ChatTables {
  chats: {
    id: string
    project_id: string
    platform: ChatPlatformColumn
    workspace: string
    bot: string
    name: string
    secrets: string
    socket: Generated<boolean>
    session: Maybe<string>
    address: Maybe<string>
    created_at: Time
    problem: Maybe<string>
    checked_at: MaybeTime
  }
  chat_channels: {
    chat_id: string
    channel: string
    project_id: string
    name: string
    asks: ChatAsksColumn
    answers: ChatAnswersColumn
    changes: Generated<ChatChangesColumn>
    posts: Generated<ChatPostsColumn>
    language: Generated<string>
  }
  chat_people: { chat_id: string; member: string; person_id: string; created_at: Time }
  chat_links: { hash: string; chat_id: string; member: string; member_name: string; expires_at: Date }
  chat_events: {
    chat_id: string
    key: string
    thread: string
    content_type: string
    body: string
    received_at: Time
    state: Generated<'waiting' | 'done' | 'failed'>
    attempts: Generated<number>
    claimed_until: MaybeTime
    reply: Maybe<string>
    error: Maybe<string>
  }
  chat_threads: {
    chat_id: string
    thread: string
    project_id: string
    starter: string
    conversation: Maybe<string>
    job_id: Maybe<string>
    asked_by: Maybe<string>
    progress: Maybe<string>
    shown: Maybe<number>
    settled: Generated<boolean>
    created_at: Time
  }
  chat_posts: {
    chat_id: string
    channel: string
    key: string
    n: Generated<number>
    kind: ChatPostKindColumn
    job_id: Maybe<string>
    text: string
    created_at: Time
    state: Generated<ChatPostStateColumn>
    attempts: Generated<number>
    claimed_until: MaybeTime
    message: Maybe<string>
    error: Maybe<string>
  }
}
