import { z } from 'zod'
import type { ChoiceColumn } from '../../store/columns.ts'

const longest = { label: 200, note: 300 }

/** Answers that a question of the agent can offer, the suggested one first: `answer: what it means`. */
export const choicesInput = z.array(z.string().max(1000)).max(6)

/** What the model has written, as it is kept. */
export function readChoices(written: readonly string[]): ChoiceColumn[] {
  return written.flatMap((text, index) => {
    const at = text.indexOf(': ')
    const label = (at === -1 ? text : text.slice(0, at)).trim().slice(0, longest.label)
    const note =
      at === -1
        ? ''
        : text
            .slice(at + 2)
            .trim()
            .slice(0, longest.note)
    if (label === '') return []
    return [{ label, ...(note !== '' && { note }), ...(index === 0 && { suggested: true }) }]
  })
}

/** The choices as the end of a question's text, for those who see only that. */
export function choicesText(choices: readonly ChoiceColumn[]): string {
  return choices
    .map(({ label, note, suggested }) => {
      const more = [...(note === undefined ? [] : [note]), ...(suggested ? ['suggested'] : [])]
      return `\n- ${label}${more.length === 0 ? '' : ` (${more.join('; ')})`}`
    })
    .join('')
}

/** The question itself, without the list of choices at its end. */
export function withoutChoices(text: string, choices: readonly ChoiceColumn[]): string {
  const list = choicesText(choices)
  return list !== '' && text.endsWith(list) ? text.slice(0, -list.length).trimEnd() : text
}
