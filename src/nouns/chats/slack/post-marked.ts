import { z } from 'zod'
import { askSlack } from './api.ts'

/** A message by which it is found again. */
export interface SlackPost {
  channel: string
  /** The message that it stands below. */
  below: string | undefined
  /** In Slack’s mark-up. */
  blocks: readonly string[]
  /** For notifications. */
  notice: string
  /** What Slack keeps with it, and shows nobody. */
  mark: string
  createdAt: Date
}

const markType = 'docwright_post'
/** Seconds by which the clocks may differ. */
const skew = 300
/** Messages that are looked through, in pages. */
const most = { page: 200, pages: 10 }

const posted = z.looseObject({ ts: z.string() })

/** @returns the id of the message */
export async function postMarked(api: string, token: string, post: SlackPost): Promise<string> {
  const answer = await askSlack(api, token, 'chat.postMessage', {
    channel: post.channel,
    ...(post.below !== undefined && { thread_ts: post.below }),
    text: post.notice,
    blocks: post.blocks.map((text) => ({ type: 'section', text: { type: 'mrkdwn', text } })),
    metadata: { event_type: markType, event_payload: { mark: post.mark } },
    unfurl_links: false,
    unfurl_media: false,
  })
  return posted.parse(answer).ts
}

const page = z.looseObject({
  messages: z.array(
    z.looseObject({
      ts: z.string(),
      metadata: z
        .looseObject({ event_type: z.string(), event_payload: z.looseObject({ mark: z.unknown() }) })
        .optional()
        .catch(undefined),
    }),
  ),
  response_metadata: z.looseObject({ next_cursor: z.string().optional() }).optional(),
})

/** The message with a mark, where it was posted. */
export async function findMarked(api: string, token: string, post: SlackPost): Promise<string | undefined> {
  const method = post.below === undefined ? 'conversations.history' : 'conversations.replies'
  let cursor = ''
  for (let pages = 0; pages < most.pages; pages++) {
    const answer = await askSlack(api, token, method, {
      channel: post.channel,
      ...(post.below !== undefined && { ts: post.below }),
      ...(cursor !== '' && { cursor }),
      oldest: String(Math.floor(post.createdAt.getTime() / 1000) - skew),
      limit: most.page,
      include_all_metadata: true,
    })
    const { messages, response_metadata: next } = page.parse(answer)
    const marked = messages.find(
      ({ metadata }) => metadata?.event_type === markType && metadata.event_payload.mark === post.mark,
    )
    if (marked) return marked.ts
    cursor = next?.next_cursor ?? ''
    if (cursor === '') return undefined
  }
  return undefined
}
