import { readIgnoreRequest } from '../../../lib/prompts/ignore-prompt.ts'
import type { IgnoreEntry } from '../../../lib/prompts/ignore-prompt.ts'
import type { AskedByColumn } from '../../../store/columns.ts'

/**
 * The entry that a turn may add to `.docwright/ignore.yml`. No words of a model open the file: the turn has none, a
 * person began it, and its whole prompt is the entry.
 */
export function allowedEntry(
  { model }: { model: string },
  { prompt, asked_by }: { prompt: string; asked_by: AskedByColumn | null },
): IgnoreEntry | undefined {
  const isOfPerson = asked_by?.kind === 'person' || asked_by?.kind === 'operator'
  return model === 'builtin' && isOfPerson ? readIgnoreRequest(prompt) : undefined
}
