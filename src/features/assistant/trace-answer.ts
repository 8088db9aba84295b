import { newId } from '../../lib/ids.ts'
import { AppError } from '../../lib/errors.ts'
import { isRecord } from '../../lib/is-record.ts'
import type { Tx } from '../../store/database.ts'
import type { AnswerOutcomeColumn } from '../../store/columns.ts'
import { ask } from './ask.ts'
import type { CheckReport } from './check.ts'
import type { Said } from './threads/messages.ts'
import type { AssistantPorts, AssistantProject, SearchFilter } from './ports.ts'
import type { Trace } from './trace.ts'

export interface TracedQuestion<Project extends AssistantProject> {
  project: Project
  question: string
  /** What was said before, the oldest first. */
  history: Said[]
  /** The page that the reader is on. */
  currentPath: string | undefined
  filter?: SearchFilter | undefined
  /** The model that answers, in place of the project's own. */
  model: string | undefined
  signal: AbortSignal
  /** Counts the question against limits. */
  charge(tx: Tx): Promise<void>
}

/** An answer with how it came about. */
export interface TracedAnswer {
  /** Markdown. */
  text: string
  outcome: AnswerOutcomeColumn
  /** Of `unanswered`. */
  cause: string | null
  missing: readonly string[]
  /** The model that answered. */
  model: string | null
  inputTokens: number
  outputTokens: number
  /** US dollars; null when a price is unknown. */
  cost: number | null
  sources: { url: string; title: string; path: string | null; file: string | null; words: string[] }[]
  suggestions: string[]
  /** Why there is no whole answer. */
  problem: string | null
  trace: Trace
}

const pageSize = 5

/**
 * Answers a question as a reader would get it, without recording it, and tells how. The pieces are those of its text.
 * @throws AppError `invalid` for a model that is not offered, and what `charge` throws
 */
export async function traceAnswer<Project extends AssistantProject>(
  deps: AssistantPorts<Project>,
  { question, history, model, charge, ...asked }: TracedQuestion<Project>,
): Promise<AsyncGenerator<TracedPiece, TracedAnswer, undefined>> {
  const { frames } = await ask(deps, {
    ...asked,
    threadId: undefined,
    question: { id: newId('msg'), fp: 'docwright', text: question, again: 'no' },
    history,
    pageSize,
    filter: asked.filter,
    caller: 'web',
    context: [],
    charge,
    check: { model, trace: true },
  })
  return readFrames(frames)
}

/** A piece of the text, or why there is none yet. */
export type TracedPiece = { text: string } | { status: string }

function describeStatus(status: unknown): string {
  if (!isRecord(status) || status['state'] !== 'waiting') return 'The model is reading.'
  const ahead = Number(status['ahead'])
  return `Waiting for the model. ${ahead === 1 ? '1 question is' : `${ahead} questions are`} ahead.`
}

async function* readFrames(
  frames: Awaited<ReturnType<typeof ask>>['frames'],
): AsyncGenerator<TracedPiece, TracedAnswer, undefined> {
  let text = ''
  let problem: string | null = null
  let trace: Trace | undefined
  let report: CheckReport | undefined
  let outcome: AnswerOutcomeColumn = 'failed'
  let suggestions: string[] = []
  const links = new Map<string, string>()
  for await (const frame of frames) {
    if (frame.type === 'text-delta' || (frame.type === 'text-start' && text !== '')) {
      const piece = frame.type === 'text-delta' ? String(frame['delta']) : '\n\n'
      text += piece
      yield { text: piece }
    } else if (frame.type === 'source-url') links.set(String(frame['url']), String(frame['title']))
    else if (frame.type === 'data-status') yield { status: describeStatus(frame['data']) }
    else if (frame.type === 'data-suggestions') suggestions = frame['data'] as string[]
    else if (frame.type === 'data-trace') trace = frame['data'] as Trace
    else if (frame.type === 'error') problem = String(frame['errorText'])
    else if (frame.type === 'finish' && isRecord(frame['messageMetadata'])) {
      outcome = frame['messageMetadata']['outcome'] as AnswerOutcomeColumn
      report = frame['messageMetadata']['check'] as CheckReport
    }
  }
  if (!trace) throw new AppError('unavailable', 'The answer was broken off; ask again')
  const cited = new Map(report?.citations.map((one) => [one.url, one]))
  const calls = trace.calls
  const sum = (of: (call: Trace['calls'][number]) => number): number =>
    calls.reduce((total, call) => total + of(call), 0)
  return {
    text,
    outcome,
    cause: report?.cause ?? null,
    missing: report?.missing ?? [],
    model: report?.model ?? calls.at(-1)?.model ?? null,
    inputTokens: sum(({ inputTokens }) => inputTokens),
    outputTokens: sum(({ outputTokens }) => outputTokens),
    cost: calls.some(({ cost }) => cost === null) ? null : sum(({ cost }) => cost ?? 0),
    sources: Array.from(links, ([url, title]) => ({
      url,
      title,
      path: cited.get(url)?.path ?? null,
      file: cited.get(url)?.file ?? null,
      words: cited.get(url)?.words ?? [],
    })),
    suggestions,
    problem,
    trace,
  }
}
