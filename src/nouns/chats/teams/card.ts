import type { Button, Content } from '../platform.ts'

const contentType = 'application/vnd.microsoft.card.adaptive'
/** Actions that a set may hold. */
const mostActions = 6

/** A message as an Adaptive Card, in a version that all Teams clients show. */
export function activityOf({ blocks, buttons, notice }: Content): object {
  return {
    type: 'message',
    summary: notice.slice(0, 200),
    attachments: [
      {
        contentType,
        content: {
          type: 'AdaptiveCard',
          $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
          version: '1.4',
          msteams: { width: 'Full' },
          body: [
            ...blocks.flatMap(textBlocks),
            ...buttons.map((row) => ({
              type: 'ActionSet',
              actions: row.slice(0, mostActions).map(actionOf),
            })),
          ],
        },
      },
    ],
  }
}

/** Cards know no mark-up of code: what stands between its fences gets a part of its own. */
function textBlocks(block: string): object[] {
  return block.split('```').flatMap((part, index) => {
    const isCode = index % 2 === 1
    // A single end of a line shows as none, and spaces at the begin of one as code.
    const text = isCode
      ? part.trim().replaceAll(' ', '\u00a0').replaceAll('\n', '\n\n')
      : part.trim().replaceAll(/\n\s*/g, '\n\n')
    if (text === '') return []
    return [{ type: 'TextBlock', wrap: true, text, ...(isCode && { fontType: 'Monospace' }) }]
  })
}

function actionOf(button: Button): object {
  const title = button.label.slice(0, 80)
  if ('url' in button) return { type: 'Action.OpenUrl', title, url: button.url }
  const { id, value, isPrimary = false } = button
  return {
    type: 'Action.Submit',
    title,
    data: { docwright: { action: id, value } },
    ...(isPrimary && { style: 'positive' }),
  }
}
