import { messageOf } from '../../../lib/errors.ts'
import { questionTerms, searchQuery } from '../../../lib/question-terms.ts'
import type { Citations } from '../citations.ts'
import type { Frame } from '../downgrade-frames.ts'
import { weakFloor, type Lookup } from '../lookup.ts'
import type { Conversation, Material } from './prompt.ts'
import type { Reply } from '../reply.ts'
import { weakNote } from './tools.ts'

const longestPage = 6000

/**
 * Runs the first search, whose results a hosted model gets with its first call. Clients see it like any other
 * search.
 */
export async function* gatherMaterial(
  { citations, lookup, reply }: { citations: Citations; lookup: Lookup; reply: Reply },
  { context, currentPath, history, question }: Conversation,
): AsyncGenerator<Frame, Material> {
  const asked = history.flatMap(({ role, text }) => (role === 'user' ? [text] : []))
  const query = searchQuery([...asked, question])
  // The page helps, but an answer is possible without it.
  const page = currentPath
    ? await citations.readPage(currentPath, longestPage).catch(() => undefined)
    : undefined
  // A greeting has no subject, and a search for it would only count as a gap.
  if (questionTerms(query).size === 0 && context.length === 0) return { page, search: undefined }
  const call = { toolCallId: 'first-search', toolName: 'search' }
  yield* await reply.take({ type: 'start-step' })
  yield* await reply.take({ type: 'tool-input-available', ...call, input: { query } })
  const output = await lookup.search(query, weakFloor).catch((error: unknown) => messageOf(error))
  if (typeof output === 'string')
    yield* await reply.take({ type: 'tool-output-error', ...call, errorText: output })
  else yield* await reply.take({ type: 'tool-output-available', ...call, output })
  yield* await reply.take({ type: 'finish-step' })
  if (typeof output === 'string') return { page, search: undefined }
  const note = lookup.isWeak(query) ? weakNote : undefined
  return { page, search: { query, ...output, note } }
}
