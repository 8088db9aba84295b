import { z } from 'zod'
import { linkOfResult, type Result } from '../links/citations.ts'
import type { Frame } from '../streams/downgrade-frames.ts'
import { createLinkGuard } from '../links/guard.ts'
import { judgeReply, unanswered, withMissing, type Outcome, type ReplyMark } from '../outcome.ts'
import type { NamedModel } from '../ports.ts'
import { createMarkReader, markLine } from '../outcome-mark.ts'
import { runModel, type Run, type Written } from './run-model.ts'
import { deadlinesOf, type Trial } from './trial.ts'
import { watchModel } from './watch-model.ts'

/** Milliseconds that a reader waits for sources at the end of an answer. */
const longestWait = { firstToken: 15_000, call: 30_000 }

const mostNearest = 3

const askForSources = `Your reply links to no page of this documentation, so its reader cannot check it. Do one of these:

- The results or pages above support it: list what it rests on, one claim a line in a few words, each with its link
  [title](url), the url exactly as it is given, in the language of your reply. Correct what they say otherwise. Do not repeat the reply.
- It only greets, asks back, declines, or says that the documentation does not cover the question: write nothing but
  ${markLine('greeting')}, ${markLine('clarified')}, ${markLine('refused')} or ${markLine('not_covered')}.
- Nothing above supports it: write nothing but ${markLine('unsupported')}.`

const uncitedNote = 'This answer doesn’t cite a source. Verify it before you rely on it.'

/**
 * What became of a hosted model's reply, with what is owed to its reader: one that cites nothing gets one more call that
 * asks for sources, and if that brings none, a note; who gets no answer gets the nearest pages.
 * @param written undefined: the reply was cut, and nothing more is asked
 */
export async function* concludeAnswer(
  run: Run,
  model: NamedModel,
  written: Written | undefined,
  trial: Trial,
): AsyncGenerator<Frame, Outcome> {
  const { conversation, citations, lookup, reply } = trial
  const judge = (mark: ReplyMark | undefined): Outcome =>
    judgeReply({
      question: conversation.question,
      reply: reply.text(),
      cited: reply.sources().length,
      mark,
      looked: lookup.looked,
      found: lookup.hits.length > 0,
    })
  let outcome = judge(reply.mark())
  if (outcome.outcome === 'uncited' && written && maySpendMore(trial)) {
    const more = await readMore(run, model, written, trial)
    if (more.links > 0) yield* await reply.say(more.text)
    if (more.links > 0 || more.mark !== undefined) outcome = judge(more.links > 0 ? reply.mark() : more.mark)
  }
  if (trial.signal.aborted) return outcome
  const named = reply.sources().length > 0
  const results = citations.results()
  const nearest = named ? [] : nearestPages(results.length > 0 ? results : lookup.nearest())
  if (outcome.outcome === 'uncited')
    yield* await reply.say([uncitedNote, ...listUnder('Related pages:', nearest)].join('\n\n'))
  if (outcome.outcome === 'unanswered' && outcome.cause !== 'off_topic' && nearest.length > 0) {
    const lead = isEnglish(reply.text()) ? 'Related pages:' : undefined
    yield* await reply.say(listUnder(lead, nearest).join('\n\n'))
  }
  return withMissing(outcome, reply.missing())
}

function maySpendMore({ citations, used, tokens, signal }: Trial): boolean {
  const spent = used.flatMap(({ usage }) => usage()).map((call) => call.inputTokens + call.outputTokens)
  const left = (tokens ?? Infinity) - spent.reduce((sum, one) => sum + one, 0)
  return !signal.aborted && left > 0 && citations.hasMaterial()
}

interface More {
  text: string
  /** How many of its links lead to pages. */
  links: number
  mark: ReplyMark | undefined
}

// The words of this call are only shown if they name a source, so they are not streamed.
async function readMore(run: Run, model: NamedModel, written: Written, trial: Trial): Promise<More> {
  const { citations, used } = trial
  const deadlines = deadlinesOf(model, trial)
  const waits = {
    firstToken: Math.min(longestWait.firstToken, deadlines.firstToken),
    call: Math.min(longestWait.call, deadlines.call),
  }
  const watched = watchModel(model, waits, 'sources')
  used.push({ ...watched, name: model.name, task: 'sources' })
  const marks = createMarkReader()
  let text = ''
  const chunks = runModel({
    ...run,
    watched,
    messages: [...run.messages, ...written.messages, { role: 'user', content: askForSources }],
    steps: 1,
  })
  for (;;) {
    const { done, value } = await chunks.next()
    if (done === true) {
      if (value.kind === 'late') run.onError(watched.late.reason)
      if (value.kind !== 'done') return { text: '', links: 0, mark: undefined }
      break
    }
    if (value.type === 'text-delta') text += marks.write(value.delta)
  }
  text += marks.end()
  const guard = createLinkGuard(citations.resolve)
  const { links } = await guard.write(text)
  return { text, links: links.length + (await guard.end()).links.length, mark: marks.mark() }
}

function nearestPages(results: Result[]): Result[] {
  const pages = new Map<string, Result>()
  for (const result of results) if (!pages.has(result.path)) pages.set(result.path, result)
  return [...pages.values()].slice(0, mostNearest)
}

function listUnder(lead: string | undefined, results: Result[]): string[] {
  if (results.length === 0) return []
  const lines = results.map((result) => {
    const { title, url } = linkOfResult(result)
    return `- [${title.replaceAll(/[[\]\\]/g, '')}](${url})`
  })
  return [...(lead === undefined ? [] : [lead]), lines.join('\n')]
}

/** Whether a sentence in English fits under a text: under one in another language it would be out of place. */
export function isEnglish(text: string): boolean {
  return (text.match(/\b(?:the|does|not|is|of|this|and)\b/gi) ?? []).length >= 2
}

const builtinMetadata = z.object({
  outcome: z.enum(['answered', 'partial', 'weak', 'unanswered', 'clarified', 'greeting', 'refused']),
  missing: z.array(z.string()).catch([]),
})

/** What became of a reply of the built-in model, which tells its outcome beside its text. */
export function concludeBuiltin(written: Written | undefined, { lookup, reply }: Trial): Outcome {
  const { outcome: told, missing = [] } =
    builtinMetadata.safeParse(written?.metadata?.['docwright']).data ?? {}
  if (told === undefined && reply.sources().length > 0) return { outcome: 'answered' }
  const outcome: Outcome =
    told === undefined || told === 'unanswered' ? unanswered(lookup.looked) : { outcome: told }
  return withMissing(outcome, missing)
}
