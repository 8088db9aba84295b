import { z } from 'zod'
import { endingSignal } from '../../lib/ending-signal.ts'
import { AppError } from '../../lib/errors.ts'
import { isRecord } from '../../lib/is-record.ts'
import { pageResult, searchResult } from '../../nouns/assistant/answers.ts'
import { framesOf } from '../assistant-commands.ts'
import { pathFromUser, resolveProject, type CommandContext } from '../command-context.ts'
import { readAnswer } from '../read-answer.ts'
import { connect, type ServerClient } from '../server-client.ts'
import type { Judge } from './judge.ts'
import type { Case } from './read-cases.ts'
import { scoreAnswer, scoreRanking, type Expected, type Found, type Scores } from './score.ts'
import { decoded } from '../../lib/text/decoded.ts'

/** What differs between two configurations. */
export interface Settings {
  /** Data folder of another server on this machine. */
  data?: string | undefined
  project?: string | undefined
  model?: string | undefined
  pageSize?: number | undefined
  without?: string[] | undefined
}

/** What came of one question. */
export interface Result {
  scores: Scores
  /** Milliseconds. */
  total: number
  /** Milliseconds until the first text of an answer. */
  firstText?: number | undefined
  outcome?: string | undefined
  /** The model that answered. */
  model?: string | undefined
  tokens?: number | undefined
  /** US dollars; null when a price is unknown. */
  cost?: number | null | undefined
  answer?: string | undefined
  /** Sections that were found, or that an answer cites, as `path#anchor`. */
  sections: string[]
  /** What a judge model thinks of the answer. */
  reason?: string | undefined
  /** Why there is no result. */
  error?: string | undefined
}

/** One configuration to measure. */
export interface Target {
  name: string
  domain: string
  commit: string | null
  /** The pages and sections that a case expects; those that this project lacks are `missing`. */
  expect(one: Case): Promise<{ expected: Expected[]; missing: string[] }>
  /**
   * A failure is the result's `error`.
   * @throws AppError `invalid` where the first question is refused, such as for a model that is not offered
   */
  measure(one: Case, expected: Expected[]): Promise<Result>
}

/** Milliseconds. */
const longestRequest = 300_000
/** Sections of which ten pages can be judged. */
const searchPageSize = 30

export async function openTarget(
  context: CommandContext,
  kind: 'search' | 'answers',
  settings: Settings,
  judge: Judge | undefined,
): Promise<Target> {
  const client = settings.data === undefined ? context : await connect(pathFromUser(settings.data))
  const { domain, sync } = await resolveProject(client, settings.project)
  const files = new Map<string, Promise<string | undefined>>()
  const fileOf = (page: string): Promise<string | undefined> => {
    const known = files.get(page)
    if (known) return known
    const file = findFile(client, domain, page)
    files.set(page, file)
    return file
  }
  let measured = 0
  return {
    name: nameOf(settings),
    domain,
    commit: sync.commit,
    async expect(one) {
      const named = [
        ...one.pages.map((text) => ({ text, page: text.replace(/#.*$/s, ''), anchor: undefined })),
        ...one.sections.map((text) => {
          const [page = '', anchor = ''] = text.split('#')
          return { text, page, anchor: decoded(anchor) }
        }),
      ]
      const places = await Promise.all(
        named.map(async (name) => ({ ...name, path: await fileOf(name.page) })),
      )
      return {
        expected: places.flatMap(({ path, anchor }) => (path === undefined ? [] : [{ path, anchor }])),
        missing: places.flatMap(({ path, text }) => (path === undefined ? [text] : [])),
      }
    },
    async measure(one, expected) {
      const asking = { client, domain, settings, one, expected }
      const measure = (): Promise<Result> =>
        kind === 'search' ? measureSearch(asking) : measureAnswer(asking, judge)
      try {
        const result = await measure().catch((error: unknown) => {
          // A server that is busy or restarts is asked once more; a wrong request stays wrong.
          if (isRefusal(error)) throw error
          return measure()
        })
        measured++
        return result
      } catch (error) {
        if (isRefusal(error) && measured === 0) throw error
        const text = error instanceof Error ? error.message : String(error)
        return { scores: {}, total: 0, sections: [], error: text }
      }
    },
  }
}

function nameOf({ data, project, model, pageSize, without = [] }: Settings): string {
  const parts = [
    project,
    data === undefined ? undefined : `data ${data}`,
    model,
    pageSize === undefined ? undefined : `page size ${pageSize}`,
    without.length === 0 ? undefined : `without ${without.join(' and ')}`,
  ]
  return parts.filter((part) => part !== undefined).join(', ') || 'as set'
}

function isRefusal(error: unknown): boolean {
  return error instanceof AppError && error.code === 'invalid'
}

async function findFile(client: ServerClient, domain: string, page: string): Promise<string | undefined> {
  try {
    const file = await client.read(pageResult, 'POST', `/discovery/v1/page/${domain}`, { path: page })
    return file.path
  } catch (error) {
    if (error instanceof AppError && error.code === 'unavailable') throw error
    return undefined
  }
}

interface Asking {
  client: ServerClient
  domain: string
  settings: Settings
  one: Case
  expected: Expected[]
}

async function measureSearch({ client, domain, settings, one, expected }: Asking): Promise<Result> {
  const { pageSize = searchPageSize, without = [] } = settings
  const { question, filter } = one
  const started = performance.now()
  const body = { query: question, pageSize, filter, check: { without } }
  using waiting = endingSignal({ milliseconds: longestRequest })
  const response = await client.request('POST', `/discovery/v1/search/${domain}`, body, waiting.signal)
  const results = readAnswer(z.array(searchResult), await response.json(), 'the search')
  const total = performance.now() - started
  const sections = results.map(({ path, metadata }) => ({ path, anchor: anchorOf(metadata.url) }))
  return { scores: scoreRanking(sections, expected), total, sections: sections.map(nameOfSection) }
}

const report = z.object({
  outcome: z.string(),
  check: z.object({
    model: z.string().optional(),
    pinned: z.string().optional(),
    inputTokens: z.number(),
    outputTokens: z.number(),
    cost: z.number().nullable(),
    citations: z.array(
      z.object({ path: z.string(), url: z.string(), words: z.array(z.string()), section: z.string() }),
    ),
  }),
})
const searchOutput = z.object({ results: z.array(z.object({ path: z.string(), url: z.string() })) })

async function measureAnswer(
  { client, domain, settings, one, expected }: Asking,
  judge: Judge | undefined,
): Promise<Result> {
  const { model, pageSize, without = [] } = settings
  const { question, history, filter, path, unanswerable, facts } = one
  const messages = [...history, { role: 'user', text: question }].map(({ role, text }, at) => ({
    id: `eval-${at}`,
    role,
    parts: [{ type: 'text', text }],
  }))
  const started = performance.now()
  const body = {
    fp: 'docwright-eval',
    messages,
    filter,
    currentPath: path,
    ...(pageSize === undefined ? {} : { retrievalPageSize: pageSize }),
    check: { without, ...(model === undefined ? {} : { model }) },
  }
  using waiting = endingSignal({ milliseconds: longestRequest })
  const response = await client.request(
    'POST',
    `/discovery/v2/assistant/${domain}/message`,
    body,
    waiting.signal,
  )
  let answer = ''
  let firstText: number | undefined
  let finished: unknown
  const hits: Found[] = []
  for await (const frame of framesOf(response)) {
    if (frame['type'] === 'text-delta') {
      firstText ??= performance.now() - started
      answer += String(frame['delta'])
    } else if (frame['type'] === 'tool-output-available') {
      const { data } = searchOutput.safeParse(frame['output'])
      hits.push(
        ...(data?.results ?? []).map(({ path: file, url }) => ({ path: file, anchor: anchorOf(url) })),
      )
    } else if (frame['type'] === 'finish') finished = frame['messageMetadata']
    else if (frame['type'] === 'error') throw new AppError('unavailable', String(frame['errorText']))
  }
  const total = performance.now() - started
  const read = report.safeParse(finished)
  if (!read.success)
    throw new AppError(
      'unavailable',
      isRecord(finished)
        ? 'The server is older than this command and doesn’t report the outcome of a check'
        : 'The answer broke off',
    )
  const { outcome, check } = read.data
  const citations = check.citations.map((cited) => ({ ...cited, anchor: anchorOf(cited.url) }))
  const verdict = await judge?.judge({
    question,
    answer,
    facts,
    unanswerable,
    sections: citations.map(({ section }) => section),
  })
  return {
    scores: {
      // What the docs team wrote says nothing of the documentation.
      ...(check.pinned === undefined && {
        ...scoreRanking(hits, expected),
        ...scoreAnswer({ text: answer, outcome, citations }, { unanswerable, facts }, expected),
      }),
      ...(verdict === undefined ? {} : { judged: verdict.score }),
    },
    total,
    firstText,
    outcome,
    model: check.model,
    tokens: check.inputTokens + check.outputTokens,
    cost: check.cost,
    answer,
    sections: citations.map(nameOfSection),
    reason: verdict?.reason,
  }
}

function anchorOf(url: string): string | undefined {
  const at = url.indexOf('#')
  return at < 0 ? undefined : decoded(url.slice(at + 1))
}

function nameOfSection({ path, anchor }: Found): string {
  return anchor === undefined ? path : `${path}#${anchor}`
}
