import type { StartPorts } from '../../src/features/automations/start/ports.ts'
import { noTurns } from '../../src/integrations/models/model-turns.ts'
import { pino } from 'pino'
import { createAccess } from '../../src/api/access.ts'
import { createAttempts } from '../../src/nouns/people/sign-in/count-attempts.ts'
import { createApp } from '../../src/api/app.ts'
import { pageEndpoints } from '../../src/start/page-endpoints.ts'
import { createRowReader } from '../../src/nouns/changes/files/read-rows.ts'
import { llmsTxtEndpoints } from '../../src/api/docs/llms-txt.ts'
import { createPageLists } from '../../src/api/docs/navigation/page-list.ts'
import { createMarkdownWriter, createPartsWriter } from '../../src/api/docs/page-markdown.ts'
import type { App } from '../../src/api/endpoint.ts'
import { createPages } from '../../src/api/frame/pages.ts'
import { createMarkdownReader } from '../../src/api/render/markdown/read-markdown.ts'
import { sessionCookieName } from '../../src/api/session-cookie.ts'
import { abilities } from '../../src/builtin/requests/abilities.ts'
import { defaultLimits } from '../../src/features/agent/turns/budget.ts'
import { createRecentAnalytics } from '../../src/features/assistant/insights/recent-analytics.ts'
import { limitUses } from '../../src/nouns/usage/table.ts'
import { insertOrganization } from '../../src/features/projects/organizations.ts'
import { createIdentify } from '../../src/nouns/people/sign-in/identify.ts'
import { insertProject, type Project } from '../../src/features/projects/projects.ts'
import { changeSettings } from '../../src/nouns/projects/setup/change-settings.ts'
import type { ShownHost } from '../../src/nouns/projects/setup/project-hosts.ts'
import { createSignInLink, findSession, redeemSignInLink } from '../../src/features/projects/sign-in.ts'
import type { Mergeability } from '../../src/integrations/forges/local/merge-pull-request.ts'
import type { PullRequestComment } from '../../src/integrations/forges/local/pull-request-comments.ts'
import type { PullRequest } from '../../src/integrations/forges/local/pull-request-detail.ts'
import type { Models } from '../../src/integrations/models/model.ts'
import { AppError } from '../../src/lib/errors.ts'
import { createWidgetReader } from '../../src/start/widget-files.ts'
import type { Store } from '../../src/store/database.ts'
import { fakeAssistant } from '../assistant-server.ts'
import { chatApisWith } from './chat-apis.ts'
import { testMachine } from './machine.ts'

/** For tests: the pages over a real store, with what stands behind them faked where it needs a repository. */
/** What the pages need together. */
type DashboardPorts = Parameters<typeof pageEndpoints>[1] & Parameters<typeof createPages>[0]

export interface DashboardWorld {
  app: App
  ports: DashboardPorts
  project: Project
  /** As the forge has them; the token of each is `token-<number>`. */
  pulls: PullRequest[]
  comments: PullRequestComment[]
  mergeability: Mergeability
  /** What is known of the project's host; undefined for a folder. */
  host: ShownHost | undefined
  /** What it was connected or added with. */
  connected: unknown[]
  warnings: string[]
  /** What connecting brings instead of success. */
  refusal: Error | undefined
  /** Queue messages: `job <id>`, `sync <id>`. */
  sent: string[]
  /** What the forge was asked to do. */
  acts: string[]
  errors: Error[]
  cookie: string
  csrf: string
  get(path: string, cookie?: string): Promise<Response>
  post(path: string, fields: Record<string, string>, cookie?: string): Promise<Response>
}

const publicUrl = 'http://127.0.0.1:4000'
const git = { environment: {}, folder: '/nowhere' }
let domains = 0
let clients = 0

/** No rule starts anything behind these pages. */
function noStart(store: Store): StartPorts {
  const none = (): Promise<never> => Promise.reject(new AppError('not_found', 'No rule starts here'))
  return {
    store,
    openProject: none,
    touchedBy: none,
    brokenLinks: none,
    gapWork: none,
    openElsewhere: none,
    stalePages: none,
    hasOnlyBuiltIn: none,
    createJob: none,
    addFollowUp: none,
  }
}

export async function createDashboardWorld(
  store: Store,
  override: Partial<DashboardPorts> = {},
): Promise<DashboardWorld> {
  const { project, session, csrf } = await seed(store)
  // Attempts to sign in are counted by address, in a store that several worlds share.
  const address = `198.51.100.${clients++ % 250}`
  const pulls: PullRequest[] = []
  const comments: PullRequestComment[] = []
  const world = {
    project,
    pulls,
    comments,
    mergeability: { state: 'clean', conflicts: [] } as Mergeability,
    host: undefined as ShownHost | undefined,
    connected: [] as unknown[],
    warnings: [] as string[],
    refusal: undefined as Error | undefined,
    sent: [] as string[],
    acts: [] as string[],
    errors: [] as Error[],
    machine: testMachine(),
    cookie: `docwright_4000_session=${session}`,
    csrf,
  }
  const act = (verb: string, number: number): Promise<void> => {
    if (world.mergeability.state !== 'clean')
      return Promise.reject(new AppError('conflict', 'Both sides changed guide.md; close this'))
    world.acts.push(`${verb} ${number}`)
    return Promise.resolve()
  }
  const connect = (input: unknown): Promise<void> => {
    if (world.refusal) return Promise.reject(world.refusal)
    world.connected.push(input)
    return Promise.resolve()
  }
  const ports: DashboardPorts = {
    access: createAccess({
      store,
      operatorToken: `operator_${'0'.repeat(43)}`,
      addressOf: () => '192.0.2.1',
      publicUrl: () => publicUrl,
    }),
    abilities,
    runLimits: defaultLimits,
    stopping: new AbortController().signal,
    store,
    queue: { send: async (_tx, name, key) => void world.sent.push(`${name} ${key}`) },
    models: noModels,
    machine: world.machine,
    publicUrl: () => publicUrl,
    repositoryUrl: ({ location }) => location,
    chatApis: chatApisWith(),
    clientAddress: () => address,
    attempts: createAttempts(store),
    identify: createIdentify({
      store,
      secret: () => 'a secret of tests, which is long enough',
      publicUrl: () => publicUrl,
      sessionCookie: () => sessionCookieName(publicUrl),
      providers: { github: undefined, oidc: undefined },
      reportProblem: (message) => void world.errors.push(new Error(message)),
    }),
    reportError: (error) => void world.errors.push(error),
    now: () => new Date(),
    readMarkdown: createMarkdownReader(),
    readRows: createRowReader(),
    mirror: () => Promise.resolve({ git: { environment: {}, version: '' } as never, folder: '/nowhere' }),
    warningsOf: () => world.warnings,
    secretKey: [new Uint8Array(32)],
    toPrivate: false,
    health: () => Promise.reject(new Error('No server stands behind these pages')),
    offeredModels: () =>
      Promise.resolve({
        models: [{ name: 'builtin', price: { input: 0, output: 0 }, context: undefined }],
        problems: [],
      }),
    testModel: (name) =>
      name === 'builtin'
        ? Promise.resolve('builtin needs no key')
        : Promise.reject(new AppError('unavailable', `${name} cannot be reached`)),
    limitUses: (project) => limitUses(store.db, project),
    readMap: () => Promise.resolve({ pairs: [], commits: 0, hasFile: false, mapProblem: undefined }),
    assessImpact: () => Promise.reject(new AppError('not_found', 'There is no such change')),
    automationStart: noStart(store),
    siteChecks: {
      look: () => Promise.resolve(undefined),
      again: () => Promise.resolve(),
      stop: () => undefined,
    },
    searchDocs: () => Promise.resolve({ hits: [], confidence: 0 }),
    searchLog: { record: () => undefined, flush: () => Promise.resolve() },
    assistant: fakeAssistant(store),
    assistantLimits: { look: () => Promise.resolve(), take: () => Promise.resolve() },
    analytics: createRecentAnalytics(store, () => performance.now()),
    pagesOf: createPageLists(store.db),
    writeMarkdown: createMarkdownWriter(
      createPartsWriter((_project, url) => `${publicUrl}/docs/docs${url}`, createMarkdownReader()),
    ),
    countRead: () => undefined,
    readWidget: createWidgetReader(),
    pullRequests: {
      list: (_project, { state }) =>
        Promise.resolve(pulls.filter((pull) => state === undefined || pull.state === state)),
      find: (_project, number) => Promise.resolve(pulls.find((pull) => pull.number === number)),
      opens: (_project, number, token) => Promise.resolve(token === `token-${number}`),
      diff: () => Promise.resolve(''),
      difference: () => Promise.resolve({ repository: { git, folder: '/nowhere' }, from: '', to: '' }),
      mergeability: () => Promise.resolve(world.mergeability),
      merge: (_project, number) => act('merge', number),
      close: (_project, number) => act('close', number),
      reopen: (_project, number) => act('reopen', number),
      comments: () => Promise.resolve(comments),
      comment: (_project, number, body, author) => {
        world.acts.push(`comment ${number}`)
        comments.push({ n: comments.length + 1, author, body, createdAt: new Date() })
        return Promise.resolve()
      },
    },
    hostedPulls: {
      find: () => Promise.resolve(undefined),
      merge: (_project, number, { style }) => act(`merge at the host ${style ?? ''}`, number),
    },
    hostedRequest: () =>
      Promise.resolve({
        host: 'GitHub',
        request: undefined,
        at: undefined,
        trouble: 'GitHub does not answer now',
      }),
    hosts: {
      describe: () => Promise.resolve(world.host),
      ask: () => Promise.resolve(world.host),
      add: (input) => connect(input).then(() => ({ project, notes: [], hasCredential: false })),
      tryRepository: (input) =>
        connect({ tried: input }).then(() => ({
          kind: 'github',
          host: 'GitHub',
          site: 'https://git.example.com',
          path: 'acme/docs',
          login: 'robot',
          branch: 'main',
          defaultBranch: 'main',
          rights: [{ name: 'push', state: 'no', why: 'The credential is missing Contents: write' }],
          notes: [],
        })),
      connect: (_project, input) => connect(input).then(() => ({ project, notes: [] })),
      changeSettings: (project, input) =>
        changeSettings({ store, git, models: noModels, remote: noRemote }, project, input, () =>
          Promise.resolve(),
        ),
      addContext: (_project, input) => connect(input).then(() => ({})),
      forgetCredential: () => connect('forget'),
      check: () => connect('check'),
    },
    openConnection: () => Promise.resolve(undefined),
    prepareForget: () => Promise.resolve(() => Promise.resolve()),
    hostInterval: 60,
    secretKeyOf: 'file',
    ...override,
  }
  const app = createApp(
    {
      log: pino({ level: 'silent' }),
      record: () => store.transaction(() => Promise.resolve()),
      isDraining: () => false,
    },
    [...llmsTxtEndpoints(ports), ...pageEndpoints(createPages(ports), ports)],
  )
  return Object.assign(world, {
    app,
    ports,
    get: async (path: string, cookie = world.cookie) => app.request(path, { headers: { cookie } }),
    post: async (path: string, fields: Record<string, string>, cookie = world.cookie) =>
      app.request(path, {
        method: 'POST',
        headers: { cookie, 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams(fields).toString(),
      }),
  })
}

async function seed(store: Store): Promise<{ project: Project; session: string; csrf: string }> {
  return store.transaction(async (tx) => {
    const { id: organizationId } = await insertOrganization(tx, 'Test')
    const project = await insertProject(tx, {
      organizationId,
      domain: `docs-${++domains}`,
      kind: 'path',
      location: '/srv/docs.git',
      ref: 'main',
      root: '',
      site: undefined,
    })
    const session = (await redeemSignInLink(tx, await createSignInLink(tx, 1))) ?? ''
    const csrf = (await findSession(tx, session))?.csrfToken ?? ''
    return { project, session, csrf }
  })
}

/** Jobs may be made, but none runs. */
const noModels: Models = {
  defaultModel: 'builtin',
  assistantModel: 'builtin',
  find: () => ({}) as never,
  findEmbedder: () => ({}) as never,
  fallbackOf: () => undefined,
  turns: noTurns,
  patienceOf: () => ({ firstText: 30_000, answer: 90_000, step: 300_000, calls: undefined }),
  readWindow: () => Promise.resolve({ tokens: undefined, source: 'unknown' }),
  costOf: () => undefined,
}

/** An open pull request of the forge. */
export function pullRequest(number: number): PullRequest {
  return {
    number,
    link: `/pulls/${number}`,
    title: `Title ${number}`,
    body: 'Body',
    head: 'docwright/a',
    base: 'main',
    state: 'open',
    draft: false,
    headCommit: 'a'.repeat(40),
    baseCommit: 'b'.repeat(40),
    mergeCommit: undefined,
    createdAt: new Date(),
    closedAt: undefined,
  }
}

const noRemote = (): Promise<never> => Promise.reject(new Error('The repository is not asked'))
