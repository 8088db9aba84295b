import { writeIgnoreRequest } from '../../../lib/prompts/ignore-prompt.ts'
import { ignoreEntry } from '../../../site/checks/whole/ignore-entry.ts'
import type { SiteProblemKind } from '../../../site/checks/whole/site-problem.ts'

const longestPath = 500

/** What to ask for, so that problems are ignored; undefined where an entry cannot say it. */
export function ignorePrompt(kind: SiteProblemKind, path?: string, message?: string): string | undefined {
  const isSayable = (path?.length ?? 1) <= longestPath && path !== '' && message !== ''
  return isSayable ? writeIgnoreRequest(ignoreEntry(kind, path, message)) : undefined
}
