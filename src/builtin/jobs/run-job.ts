import type { LanguageModelV4Text, LanguageModelV4ToolCall } from '@ai-sdk/provider'
import { z } from 'zod'
import { replay, type Plan } from '../replay.ts'
import type { Request } from '../requests/request.ts'
import { parseRequests } from '../requests/parse-request.ts'
import type { ToolOutput, Transcript } from '../transcript.ts'
import { addMissing } from './add-missing.ts'
import { addPage } from './add-page.ts'
import { addText } from './add-text.ts'
import { composeAgain, composeFinish, type Finish } from './compose-finish.ts'
import { removePage } from './delete-page.ts'
import { describePage } from './describe-page.ts'
import { explainAbilities } from './explain-abilities.ts'
import { fixLinks, repair } from './fix-links.ts'
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
  const input: Finish = composeFinish(prompt, outcomes)
  const [ended] = yield [{ tool: 'finish', input: { ...input } }]
  const refused = refusalOf(ended)
  if (!refused) return input.title
  const repaired: string[] = []
  const failed: string[] = []
  const certain = refused.problems.filter((problem) => problem.suggestions.length === 1)
  yield* repair(certain, repaired, failed)
  const rest = refused.problems.filter((problem) => !certain.includes(problem))
  yield [{ tool: 'finish', input: { ...composeAgain(input, refused, { repaired, failed, rest }) } }]
  return input.title
}

const problem = z.object({
  check: z.string().catch(''),
  path: z.string(),
  line: z.number().catch(0),
  message: z.string().catch(''),
  href: z.string().optional().catch(undefined),
  suggestions: z.array(z.string()).catch([]),
})
const refusal = z.object({
  ok: z.literal(false),
  message: z.string().catch(''),
  changed: z.array(z.string()).optional().catch(undefined),
  violations: z.array(z.string()).catch([]),
  problems: z.array(problem).catch([]),
})

/** `finish` sends a turn back once when its result is not fit to publish. */
function refusalOf(output: ToolOutput | undefined): z.infer<typeof refusal> | undefined {
  if (!output) return undefined
  if (!output.ok) {
    return { ok: false, message: output.message, changed: undefined, violations: [], problems: [] }
  }
  return refusal.safeParse(output.value).data
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
