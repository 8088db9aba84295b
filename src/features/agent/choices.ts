import { z } from 'zod'
import type { ChoiceColumn } from '../../store/columns.ts'

/** Answers that a question of the agent can offer. */
export const choicesInput = z
  .array(
    z.object({
      label: z.string().trim().min(1).max(200),
      note: z.string().trim().max(300).optional(),
      suggested: z.boolean().optional(),
    }),
  )
  .max(6)

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
