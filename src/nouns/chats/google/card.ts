import type { Button, Content } from '../platform.ts'

/** What a card is called among those of its message. */
const cardId = 'docwright'

/** A message as a card, in the form that Google publishes as version 2. */
export function cardsOf({ blocks, buttons }: Content): object[] {
  const widgets = [
    ...blocks.flatMap(paragraphs),
    ...buttons.map((row) => ({ buttonList: { buttons: row.map(buttonOf) } })),
  ]
  return [{ cardId, card: { sections: [{ widgets }] } }]
}

/** Cards know no mark-up of code: what stands between its fences gets a part of its own, which keeps its spaces. */
function paragraphs(block: string): object[] {
  return block.split('```').flatMap((part, index) => {
    const text = index % 2 === 1 ? part.trim().replaceAll(' ', '\u00a0') : part.trim()
    if (text === '') return []
    return [{ textParagraph: { text: withoutCut(text).replaceAll('\n', '<br>') } }]
  })
}

/** Without a tag or a character that a line’s end has cut through. */
function withoutCut(text: string): string {
  const last = text.lastIndexOf('<')
  return text.slice(0, last > text.lastIndexOf('>') ? last : undefined).replace(/&[a-z]{0,5}$/, '')
}

function buttonOf(button: Button): object {
  const text = button.label.slice(0, 80)
  if ('url' in button) return { text, onClick: { openLink: { url: button.url } } }
  const { id, value, isPrimary = false } = button
  const parameters = [
    { key: 'action', value: id },
    { key: 'value', value },
  ]
  return { text, onClick: { action: { function: cardId, parameters } }, ...(isPrimary && { type: 'FILLED' }) }
}
