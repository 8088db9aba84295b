import type { LanguageModelV4ToolCall } from '@ai-sdk/provider'
import type { LanguageModelV4Text } from '@ai-sdk/provider'
import { replay, type Plan } from '../replay.ts'
import type { Request } from '../requests/request.ts'
import { parseRequests } from '../requests/parse-request.ts'
import type { Transcript } from '../transcript.ts'
import { addMissing } from './add-missing.ts'
import { addPage } from './add-page.ts'
import { addText } from './add-text.ts'
import { composeFinish } from './compose-finish.ts'
import { removePage } from './delete-page.ts'
import { describePage } from './describe-page.ts'
import { explainAbilities } from './explain-abilities.ts'
import { fixLinks } from './fix-links.ts'
import { fixTypo, fixTypos } from './fix-typo.ts'
import { move } from './move-page.ts'
import { normaliseTerms } from './normalise-terms.ts'
import type { Outcome, Work } from './outcome.ts'
import { relink } from './relink.ts'
import { renamePage } from './rename-page.ts'
import { replaceText } from './replace-text.ts'

/** The next tool calls of a job, or a closing text once it is finished. */
export function runJob(transcript: Transcript): (LanguageModelV4ToolCall | LanguageModelV4Text)[] {
  const progress = replay(planJob(transcript.asked.at(-1) ?? ''), transcript, 'This job is too long.')
  if (progress.done) return [{ type: 'text', text: progress.result }]
  return progress.calls.map(({ id, call }) => ({
    type: 'tool-call',
    toolCallId: id,
    toolName: call.tool,
    input: JSON.stringify(call.input),
  }))
}

function* planJob(prompt: string): Plan<string> {
  const outcomes: Outcome[] = []
  for (const request of parseRequests(prompt)) outcomes.push(yield* doRequest(request))
  const input = composeFinish(prompt, outcomes)
  const [ended] = yield [{ tool: 'finish', input: { ...input } }]
  if (ended?.ok !== false) return input.title
  // What the checks refuse is said where the reviewer reads it; there is nothing else that rules could do.
  const summary = `${input.summary}\n\nThe checks say: ${ended.message.slice(0, 2000)}`
  yield [{ tool: 'finish', input: { ...input, summary } }]
  return input.title
}

function* doRequest(request: Request): Work {
  switch (request.kind) {
    case 'replace':
      return yield* replaceText(request)
    case 'relink':
      return yield* relink(request)
    case 'typo':
      return yield* fixTypo(request)
    case 'typos':
      return yield* fixTypos(request)
    case 'links':
      return yield* fixLinks(request)
    case 'move':
      return yield* move(request)
    case 'rename':
      return yield* renamePage(request)
    case 'delete':
      return yield* removePage(request)
    case 'add page':
      return yield* addPage(request)
    case 'add section':
    case 'add paragraph':
    case 'add note':
      return yield* addText(request)
    case 'describe':
      return yield* describePage(request)
    case 'add missing':
      return yield* addMissing(request)
    case 'terms':
      return yield* normaliseTerms(request)
    case 'unknown':
      return explainAbilities(request.text)
  }
}
