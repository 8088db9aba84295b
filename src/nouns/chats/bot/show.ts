import { Actions, Card, CardText, type ActionsElement, type CardElement } from 'chat'
import { keepStars } from '../slack/keep-stars.ts'
import { mrkdwnOf } from '../slack/mrkdwn.ts'
import type { ReadMarkdown } from '../../../api/render/markdown/read-markdown.ts'

type Pressable = ActionsElement['children'][number]

/**
 * Markdown as a message of the platform, with buttons below it. What a text of a stranger says stays text: it mentions
 * nobody.
 */
export async function messageOf(
  { readMarkdown }: { readMarkdown: ReadMarkdown },
  projectId: string,
  markdown: string,
  ...rows: readonly Pressable[][]
): Promise<CardElement> {
  return Card({
    children: [
      ...(await mrkdwnOf({ readMarkdown }, projectId, markdown)).map((block) => CardText(keepStars(block))),
      ...rows.filter((row) => row.length > 0).map((row) => Actions(row)),
    ],
  })
}
