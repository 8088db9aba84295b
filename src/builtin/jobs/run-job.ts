import type { LanguageModelV4Text, LanguageModelV4ToolCall } from '@ai-sdk/provider'
import { z } from 'zod'
import type { ReadPage } from '../pages/page.ts'
import { replay, toolCalls, type Plan } from '../replay.ts'
import { parseRequests } from '../requests/parse-request.ts'
import type { Request } from '../requests/request.ts'
import { problem } from '../tools.ts'
import type { ToolOutput, Transcript } from '../transcript.ts'
import { addPage } from './add-page.ts'
import { addText } from './add-text.ts'
import { explainAbilities } from './explain-abilities.ts'
import { composeSecondFinish, composeFinish } from './finish.ts'
import { fixLinks, repair } from './fix-links.ts'
import { addMissing, describePage } from './front-matter.ts'
import { deletePage, movePage } from './move-page.ts'
import type { Outcome, Work } from './outcome.ts'
import { renamePage } from './rename-page.ts'
import { fixTypo, fixTypos, normaliseTerms, relink, replaceText } from './replace.ts'

/** Returns the next tool calls of a job, or a closing text once it is finished. */
export function runJob(
  transcript: Transcript,
  read: ReadPage,
): (LanguageModelV4ToolCall | LanguageModelV4Text)[] {
  const progress = replay(planJob(transcript.asked.at(-1) ?? '', read), transcript, 'This job is too long.')
  return progress.done ? [{ type: 'text', text: progress.result }] : toolCalls(progress.calls)
}

function* planJob(prompt: string, read: ReadPage): Plan<string> {
  const outcomes: Outcome[] = []
  const requests = parseRequests(prompt)
  const unknown = requests.flatMap((request) => (request.kind === 'unknown' ? [request.text] : []))
  for (const request of requests) {
    if (request.kind === 'unknown') continue
    outcomes.push(yield* doRequest(request, read))
  }
  // What was not understood comes first, so that people notice that the rest is incomplete.
  if (unknown.length > 0 || requests.length === 0)
    outcomes.unshift(yield* explainAbilities(unknown.length > 0 ? unknown : [prompt]))
  const input = composeFinish(outcomes)
  const [ended] = yield [{ tool: 'finish', input: { ...input } }]
  const refused = refusalOf(ended)
  if (!refused) return input.title
  const certain = refused.problems.filter((one) => one.suggestions.length === 1)
  const { changed: repaired, failed } = yield* repair(certain)
  const rest = refused.problems.filter((one) => !certain.includes(one))
  yield [{ tool: 'finish', input: { ...composeSecondFinish(input, refused, { repaired, failed, rest }) } }]
  return input.title
}

const refusal = z.object({
  ok: z.literal(false),
  message: z.string().catch(''),
  changed: z.array(z.string()).optional().catch(undefined),
  violations: z.array(z.string()).catch([]),
  problems: z.array(problem).catch([]),
})

/** `finish` rejects a turn once when its result cannot be published. */
function refusalOf(output: ToolOutput | undefined): z.infer<typeof refusal> | undefined {
  if (output?.ok === false)
    return { ok: false, message: output.message, changed: undefined, violations: [], problems: [] }
  return refusal.safeParse(output?.value).data
}

function doRequest(request: Exclude<Request, { kind: 'unknown' }>, read: ReadPage): Work {
  switch (request.kind) {
    case 'replace':
      return replaceText(request, read)
    case 'relink':
      return relink(request, read)
    case 'typo':
      return fixTypo(request, read)
    case 'typos':
      return fixTypos(request, read)
    case 'terms':
      return normaliseTerms(request, read)
    case 'links':
      return fixLinks(request)
    case 'move':
      return movePage(request)
    case 'rename':
      return renamePage(request, read)
    case 'delete':
      return deletePage(request, read)
    case 'add page':
      return addPage(request, read)
    case 'add section':
    case 'add paragraph':
    case 'add note':
      return addText(request, read)
    case 'describe':
      return describePage(request, read)
    case 'add missing':
      return addMissing(request, read)
    case 'help':
      return explainAbilities([])
  }
}
