import type { LanguageModelV4Text, LanguageModelV4ToolCall } from '@ai-sdk/provider'
import { z } from 'zod'
import { readChoice, slugOf, whichPage } from '../pages/find-page.ts'
import type { ReadPage } from '../../site/page-text.ts'
import { replay, toolCalls, type Plan } from '../replay.ts'
import { parseRequests } from '../requests/parse-request.ts'
import type { Request } from '../requests/request.ts'
import { check, hasNoChange, problem, revertFile, type Problem } from '../tools.ts'
import type { ToolOutput, Transcript } from '../transcript.ts'
import { addPage } from './add-page.ts'
import { addText } from './add-text.ts'
import { explainAbilities } from './explain-abilities.ts'
import { composeFinish, composeSecondFinish, composeUndone } from './finish.ts'
import { fixLinks, isCertain, repair } from './fix-links.ts'
import { addMissing, describePage } from './front-matter.ts'
import { ignoreProblem } from './ignore-problem.ts'
import { deletePage, movePage } from './move-page.ts'
import { applySuggestion } from './apply-suggestion.ts'
import type { Outcome, RenamedHeading, Work } from './outcome.ts'
import { renamePage } from './rename-page.ts'
import { fixTypos, normaliseTerms, relink, replaceText, updateVersion } from './replace.ts'

/** The tool that ends the turn with a question. */
export const askPerson = 'ask_person'

/**
 * Returns the next tool calls of a job, or a closing text once it is finished.
 * @param canAsk whether there is a tool that asks the person
 */
export function runJob(
  transcript: Transcript,
  read: ReadPage,
  canAsk: boolean,
): (LanguageModelV4ToolCall | LanguageModelV4Text)[] {
  const last = transcript.asked.at(-1) ?? ''
  // The answer to a question completes the request before it.
  const choice = readChoice(transcript.said, last)
  const prompt = choice === undefined ? last : (transcript.asked.at(-2) ?? '')
  const plan = planJob(prompt, read, { choice, canAsk })
  const progress = replay(plan, transcript, 'This job is too long.')
  return progress.done ? [{ type: 'text', text: progress.result }] : toolCalls(progress.calls)
}

interface Choice {
  /** The page that the person chose. */
  choice: string | undefined
  canAsk: boolean
}

/** Answers which page is meant with the person's choice. A question to the person ends the turn. */
function* choosing(work: Work, { choice, canAsk }: Choice): Work {
  let step = work.next()
  while (step.done !== true) {
    const [call] = step.value
    if (call?.tool === whichPage) {
      if (choice === undefined && canAsk) yield [{ tool: askPerson, input: call.input }]
      step = work.next([{ ok: true, value: choice }])
    } else step = work.next(yield step.value)
  }
  return step.value
}

function* planJob(prompt: string, read: ReadPage, { choice, canAsk }: Choice): Plan<string> {
  const outcomes: Outcome[] = []
  const requests = parseRequests(prompt)
  const unknown = requests.flatMap((request) => (request.kind === 'unknown' ? [request.text] : []))
  for (const request of requests) {
    if (request.kind === 'unknown') continue
    // Of several requests the others are done, and this one is reported.
    const answer = { choice, canAsk: canAsk && requests.length === 1 }
    outcomes.push(yield* choosing(doRequest(request, read), answer))
  }
  // What was not understood comes first, so that people notice that the rest is incomplete.
  if (unknown.length > 0 || requests.length === 0)
    outcomes.unshift(yield* explainAbilities(unknown.length > 0 ? unknown : [prompt]))
  const [only, ...others] = outcomes
  if (canAsk && only?.meant !== undefined && others.length === 0)
    yield [{ tool: askPerson, input: { question: only.what.split('\n\n', 1)[0] ?? '', choices: only.meant } }]
  const input = composeFinish(outcomes)
  const [ended] = yield [{ tool: 'finish', input: { ...input } }]
  const refused = refusalOf(ended)
  if (!refused) return input.title
  const reverted: string[] = []
  for (const violation of refused.violations) {
    const path = /^(\S+\.\w+):/.exec(violation)?.[1]
    if (path === undefined) continue
    const isDone = reverted.some((other) => other.startsWith(`${path}:`))
    if (isDone || (yield* revertFile(path)).ok) reverted.push(violation)
  }
  if (reverted.length > 0 && (yield* hasNoChange())) {
    yield [{ tool: 'finish', input: { ...composeUndone(input, reverted) } }]
    return input.title
  }
  const headings = outcomes.flatMap((outcome) => outcome.headings ?? [])
  // The refusal may leave out the links and what they may mean, which the check says.
  const looked =
    refused.problems.length > 0 ? yield* check(refused.problems.map(({ path }) => path)) : undefined
  const known = looked?.ok === true ? looked.value.problems : []
  const isSame = (one: Problem) => (other: Problem) =>
    one.path === other.path && one.line === other.line && one.message === other.message
  const problems = refused.problems.map((one) => followHeading(known.find(isSame(one)) ?? one, headings))
  const certain = problems.filter(isCertain)
  const { changed: repaired, failed } = yield* repair(certain)
  const rest = problems.filter((one) => !certain.includes(one))
  yield [
    {
      tool: 'finish',
      input: { ...composeSecondFinish(input, refused, { repaired, failed, rest, reverted }) },
    },
  ]
  return input.title
}

/** A link to a heading that the job renamed has its new anchor as the only suggestion. */
function followHeading(broken: Problem, headings: readonly RenamedHeading[]): Problem {
  const [address = '', anchor = ''] = broken.href?.split('#') ?? []
  const renamed = headings.find(({ from }) => broken.check === 'anchor' && slugOf(from) === slugOf(anchor))
  return renamed ? { ...broken, suggestions: [`${address}#${slugOf(renamed.to)}`] } : broken
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
    case 'version':
      return updateVersion(request, read)
    case 'relink':
      return relink(request, read)
    case 'typos':
      return fixTypos(request, read)
    case 'terms':
      return normaliseTerms(request, read)
    case 'links':
      return fixLinks(request)
    case 'suggestion':
      return applySuggestion(request)
    case 'ignore':
      return ignoreProblem(request)
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
