import type {
  LanguageModelV4CallOptions,
  LanguageModelV4FinishReason,
  LanguageModelV4StreamPart,
} from '@ai-sdk/provider'
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { sql } from 'kysely'
import { MockLanguageModelV4 } from 'ai/test'
import type { Endpoint } from '../src/api/endpoint.ts'
import { errorResponse, toAppError } from '../src/api/errors.ts'
import { postOldMessageEndpoint } from '../src/api/discovery/v1/assistant/post-message.ts'
import { postPageEndpoint } from '../src/api/discovery/v1/page/post-page.ts'
import { postSearchEndpoint } from '../src/api/discovery/v1/search/post-search.ts'
import { getStartersEndpoint } from '../src/api/discovery/v2/assistant/get-starters.ts'
import { postFeedbackEndpoint } from '../src/api/discovery/v2/assistant/post-feedback.ts'
import { postMessageEndpoint, resumeAnswerEndpoint } from '../src/api/discovery/v2/assistant/post-message.ts'
import { insertAnswer, insertQuestion, type NewAnswer } from '../src/features/assistant/threads/messages.ts'
import type { Thread } from '../src/features/assistant/threads/threads.ts'
import { newId } from '../src/lib/ids.ts'
import type { CallerColumn, ContextColumn } from '../src/store/columns.ts'
import type { SearchLog } from '../src/features/assistant/insights/searches.ts'
import type { AssistantPorts, FoundPage, SearchHit } from '../src/features/assistant/ports.ts'
import { createAnswerStreams } from '../src/features/assistant/streams/answer-streams.ts'
import { createBuiltinModel } from '../src/builtin/create-builtin-model.ts'
import type { Model } from '../src/integrations/models/model.ts'
import { json, type Store } from '../src/store/database.ts'
import { homeSlug, readPageName, slugOf } from '../src/site/pages/page-name.ts'
import { testMachine } from './worlds/machine.ts'

export const site = 'https://docs.example.com'
export const project = { id: 'prj_docs', domain: 'docs' }

const pages: FoundPage[] = [
  {
    path: 'docs/guides/install.md',
    url: '/guides/install',
    title: 'Installation',
    groups: [],
    content: '# Installation\n\nRun `npm install thing`.',
    sections: [
      { anchor: undefined, headings: [] },
      { anchor: 'linux', headings: ['Install on Linux'], text: 'Run `npm install thing`.' },
    ],
  },
  {
    path: 'docs/guides/limits.md',
    url: '/guides/limits',
    title: 'Limits',
    groups: [],
    content: '# Limits\n\n100 an hour.',
    sections: [{ anchor: undefined, headings: [] }],
  },
]

const hits: SearchHit[] = [
  {
    path: 'docs/guides/install.md',
    url: '/guides/install',
    title: 'Installation',
    heading: 'Install on Linux',
    anchor: 'linux',
    content: 'Run npm install thing. More at https://elsewhere.example/x',
    score: 0.9,
  },
  {
    path: 'docs/guides/limits.md',
    url: '/guides/limits',
    title: 'Limits',
    content: '100 an hour',
    score: 0.45,
    questions: ['How much may I send in an hour?'],
  },
]

export const cited = `Run [the installer](${site}/guides/install#linux). `

/** One call of a scripted model: a search or another tool, or text in pieces, or something that goes wrong. */
export type Turn =
  | { search: string; input?: string; ending?: Error }
  | { searches: number }
  | { read: string }
  | { code: string }
  | { text: string[]; reason?: LanguageModelV4FinishReason['unified'] }
  | { fail: Error }
  | { text: string[]; ending: Error | 'hang' }

/** A model that does what it is told, call by call of one answer. */
export function scriptedModel(turnOf: (options: LanguageModelV4CallOptions) => Turn): MockLanguageModelV4 {
  return new MockLanguageModelV4({
    doStream: (options) => {
      const turn = turnOf(options)
      if ('fail' in turn) return Promise.reject(turn.fail)
      return Promise.resolve({ stream: streamOf(turn, options.abortSignal) })
    },
  })
}

/** A model that says `before`, and `after` once it is opened. */
export function gatedModel(before: string, after: string): { model: MockLanguageModelV4; open(): void } {
  const gate = Promise.withResolvers<void>()
  const model = new MockLanguageModelV4({
    doStream: ({ abortSignal }) => {
      const stopped = new Promise<void>((resolve) => abortSignal?.addEventListener('abort', () => resolve()))
      const parts = streamOf({ text: [before, after] }, abortSignal)
      const wait = new TransformStream<LanguageModelV4StreamPart, LanguageModelV4StreamPart>({
        async transform(part, controller) {
          if (part.type === 'text-delta' && part.delta === after) await Promise.race([gate.promise, stopped])
          controller.enqueue(part)
        },
      })
      return Promise.resolve({ stream: parts.pipeThrough(wait) })
    },
  })
  return { model, open: gate.resolve }
}

/** Searches once, then says what it is told. */
export function searchThenSay(text: string[] = [cited, 'Then start it.']): MockLanguageModelV4 {
  return scriptedModel(({ prompt }) => (prompt.at(-1)?.role === 'tool' ? { text } : { search: 'install' }))
}

function streamOf(
  turn: Exclude<Turn, { fail: Error }>,
  signal: AbortSignal | undefined,
): ReadableStream<LanguageModelV4StreamPart> {
  const parts: LanguageModelV4StreamPart[] = [{ type: 'stream-start', warnings: [] }]
  const ending = 'ending' in turn ? turn.ending : undefined
  const calls = callsOf(turn)
  for (const { id, toolName, input } of calls) {
    parts.push(
      { type: 'tool-input-start', id, toolName, title: 'Search' },
      { type: 'tool-input-delta', id, delta: input },
    )
    if (ending) break
    const providerMetadata = { vendor: { secret: 'x' } }
    parts.push(
      { type: 'tool-input-end', id },
      { type: 'tool-call', toolCallId: id, toolName, input, providerMetadata },
    )
  }
  if ('text' in turn) {
    parts.push({ type: 'reasoning-start', id: 'r' }, { type: 'reasoning-delta', id: 'r', delta: 'hm' })
    parts.push({ type: 'reasoning-end', id: 'r' }, { type: 'text-start', id: '0' })
    parts.push(...turn.text.map((delta) => ({ type: 'text-delta', id: '0', delta }) as const))
    if (ending === undefined) parts.push({ type: 'text-end', id: '0' })
  }
  const reason = 'reason' in turn ? turn.reason : undefined
  const finish: LanguageModelV4StreamPart = {
    type: 'finish',
    finishReason: { unified: calls.length > 0 ? 'tool-calls' : (reason ?? 'stop'), raw: undefined },
    usage: {
      inputTokens: { total: 10, noCache: 6, cacheRead: 4, cacheWrite: 0 },
      outputTokens: { total: 1, text: 1, reasoning: 0 },
    },
  }
  let at = 0
  return new ReadableStream({
    pull(controller) {
      const part = parts[at++]
      if (part) return controller.enqueue(part)
      if (ending === 'hang') {
        return new Promise((resolve) => {
          signal?.addEventListener('abort', () => {
            controller.error(signal.reason)
            resolve()
          })
        })
      }
      if (ending) return controller.error(ending)
      controller.enqueue(finish)
      controller.close()
    },
  })
}

function callsOf(turn: Turn): { id: string; toolName: string; input: string }[] {
  const call = (n: number, toolName: string, input: unknown) => ({
    id: `call-${n}`,
    toolName,
    input: typeof input === 'string' ? input : JSON.stringify(input),
  })
  if ('search' in turn) return [call(1, 'search', turn.input ?? { query: turn.search })]
  if ('code' in turn) return [call(1, 'search_code', { query: turn.code })]
  if ('read' in turn) return [call(1, 'read_page', { path: turn.read })]
  if ('searches' in turn)
    return Array.from({ length: turn.searches }, (_, n) => call(n, 'search', { query: `query ${n}` }))
  return []
}

export interface FakeDocs extends Pick<
  AssistantPorts,
  'search' | 'findPage' | 'revisionsOf' | 'linkOf' | 'slugOf'
> {
  /** What was searched for, in order. */
  searched: Parameters<AssistantPorts['search']>[1][]
}

/** The page of a list that a name means. */
export function pageNamed<Page extends { url: string; path: string }>(
  among: readonly Page[],
  name: string,
  sites = [site],
): Page | undefined {
  for (const one of readPageName(name, sites)) {
    const found = among.find(({ url, path }) => ('url' in one ? url === one.url : path === one.path))
    if (found) return found
  }
  return undefined
}

/** A small documentation in memory. */
export function fakeDocs(): FakeDocs {
  const searched: FakeDocs['searched'] = []
  return {
    searched,
    search: (_project, request) => {
      searched.push(request)
      return Promise.resolve({ hits: hits.slice(0, request.limit), confidence: 0.9 })
    },
    findPage: (_project, name) => Promise.resolve(pageNamed(pages, name)),
    slugOf: (_project, url) => slugOf(url, homeSlug),
    revisionsOf: (_reader, _projectId, paths) =>
      Promise.resolve(new Map(paths.map((path) => [path, `revision of ${path}`]))),
    linkOf: (_project, url, anchor) => `${site}${url}${anchor === undefined ? '' : `#${anchor}`}`,
  }
}

export interface FakeAssistant extends AssistantPorts, FakeDocs {
  errors: unknown[]
}

interface Changes extends Partial<AssistantPorts> {
  /** What answers before the built-in model. */
  modelOf?: () => Model
  /** Milliseconds for which an answer goes on without a reader. */
  grace?: number
}

/** The assistant on that documentation, and whatever else a test puts in its place. */
export function fakeAssistant(
  store: Store,
  { modelOf = () => searchThenSay(), grace, ...changes }: Changes = {},
): FakeAssistant {
  const errors: unknown[] = []
  const onError = (error: unknown): number => errors.push(error)
  return {
    ...fakeDocs(),
    store,
    machine: testMachine(),
    errors,
    streams: createAnswerStreams({ store, onError, draining: changes.draining, grace }),
    modelsOf: () => [{ name: 'scripted', model: modelOf() }, builtin],
    takesImages: () => false,
    costOf: (_name, { inputTokens }) => inputTokens * 2,
    takeAllowance: () => Promise.resolve({ giveBack: () => Promise.resolve() }),
    onError,
    ...changes,
  }
}

export const builtin = { name: 'builtin', model: createBuiltinModel() }

export async function insertProject(store: Store): Promise<void> {
  await store.transaction(async (tx) => {
    await tx.insertInto('organizations').values({ id: 'org_docs', name: 'Docs' }).execute()
    for (const { id, domain } of [project, { id: 'prj_other', domain: 'other' }])
      await tx
        .insertInto('projects')
        .values({
          id,
          domain,
          organization_id: 'org_docs',
          kind: 'path',
          location: '/nowhere',
          ref: 'main',
          root: '',
        })
        .execute()
  })
}

/** A question and its answer as they are recorded. @returns their ids */
export async function addExchange(
  store: Store,
  {
    threadId,
    fp = 'anonymous',
    projectId = project.id,
    text = 'How?',
    said = 'So.',
    caller = 'api',
    page,
    context = [],
    at,
    ...answer
  }: Partial<NewAnswer> & {
    threadId?: string
    projectId?: string
    /** The answer. */
    said?: string
    caller?: CallerColumn
    page?: string
    context?: ContextColumn[]
    /** When it was asked and answered; now when absent. */
    at?: Date
  } = {},
): Promise<{ thread: Thread; questionId: string; answerId: string }> {
  const [questionId, answerId] = [newId('msg'), newId('msg')]
  return store.transaction(async (tx) => {
    const question = { id: questionId, fp, text, again: 'no', caller, page, context } as const
    const { thread, n } = await insertQuestion(tx, projectId, threadId, question)
    await insertAnswer(tx, thread, n, {
      text: said,
      sources: [],
      outcome: { outcome: 'answered' },
      model: 'builtin',
      milliseconds: 10,
      ...answer,
      id: answerId,
      fp,
    })
    if (at !== undefined) {
      const mine = { project_id: projectId, thread_id: thread.id }
      await tx
        .updateTable('messages')
        .set({ created_at: at })
        .where(({ and }) => and(mine))
        .where('n', 'in', [n, n + 1])
        .execute()
      await tx
        .updateTable('threads')
        .set({ updated_at: at, created_at: sql<Date>`least(created_at, ${at})` })
        .where(({ and }) => and({ project_id: projectId, id: thread.id }))
        .execute()
    }
    return { thread, questionId, answerId }
  })
}

/** Sets for how many days a project keeps what readers write. */
export async function setRetention(store: Store, projectId: string, retentionDays: number): Promise<void> {
  await store.transaction((tx) =>
    tx
      .updateTable('projects')
      .set({ settings: json({ retentionDays }) })
      .where('id', '=', projectId)
      .execute(),
  )
}

export type App = Hono<{ Variables: { requestId: string } }>

const access = { project: () => Promise.resolve({ project }) }

/** The assistant's endpoints without keys and limits. */
export function assistantApp(
  assistant: AssistantPorts,
  take: () => Promise<void> = () => Promise.resolve(),
): App {
  const limits = { look: () => Promise.resolve(), take }
  const threadKeyOf = (_project: object, threadId: string): string => `key of ${encodeURIComponent(threadId)}`
  const dependencies = { access, limits, assistant, threadKeyOf }
  return mount([
    postMessageEndpoint(dependencies),
    resumeAnswerEndpoint(dependencies),
    postOldMessageEndpoint(dependencies),
    postFeedbackEndpoint(dependencies),
    getStartersEndpoint(dependencies),
  ])
}

/** The endpoints that only read, without keys. */
export function docsApp(assistant: FakeDocs, record: SearchLog['record'] = () => undefined): App {
  return mount([
    postSearchEndpoint({ access, assistant, searchLog: { record } }),
    postPageEndpoint({ access, assistant }),
  ])
}

function mount(endpoints: Endpoint[]): App {
  const app: App = new Hono()
  for (const { route, handle } of endpoints)
    app.on(route.method.toUpperCase(), route.path.replaceAll(/\{(\w+)\}/g, ':$1'), handle)
  app.onError((error) => errorResponse(toAppError(error)))
  return app
}

export interface Listening {
  url: string
  [Symbol.asyncDispose](): Promise<void>
}

/** Listens on a free port of this machine. */
export function listen(app: App): Promise<Listening> {
  return new Promise((resolve) => {
    const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) =>
      resolve({
        url: `http://127.0.0.1:${port}`,
        [Symbol.asyncDispose]: () =>
          new Promise((closed) => {
            server.close(() => closed())
            if ('closeAllConnections' in server) server.closeAllConnections()
          }),
      }),
    )
  })
}
