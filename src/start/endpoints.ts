import { createAccess } from '../api/access.ts'
import { createClientAddress } from '../api/client-address.ts'
import { createRowReader } from '../nouns/changes/files/read-rows.ts'
import { llmsTxtEndpoints } from '../api/docs/llms-txt.ts'
import { createPageLists } from '../api/docs/navigation/page-list.ts'
import { createMarkdownWriter, createPartsWriter } from '../api/docs/page-markdown.ts'
import type { Endpoint } from '../api/endpoint.ts'
import { createPages } from '../api/frame/pages.ts'
import { serveRepositoryEndpoints } from '../api/git/serve-repository.ts'
import { healthEndpoints } from '../api/health.ts'
import { metricsEndpoint, type CountRead, type Metrics } from '../api/metrics.ts'
import { createMarkdownReader } from '../api/render/markdown/read-markdown.ts'
import { abilities } from '../builtin/requests/abilities.ts'
import { createRecentAnalytics } from '../features/assistant/insights/recent-analytics.ts'
import { searchDocs } from '../features/docs/search-docs.ts'
import { createHostedRequests } from '../nouns/pulls/hosted-requests.ts'
import { limitUses } from '../nouns/usage/table.ts'
import type { Project } from '../features/projects/projects.ts'
import { createSessionPorts } from '../nouns/people/sign-in/session-ports.ts'
import { createProjectHosts } from '../nouns/projects/setup/project-hosts.ts'
import { fetchMirror } from '../integrations/git/mirrors/fetch-mirror.ts'
import { keyedHash } from '../lib/secret-box.ts'
import type { Unfinished } from '../lib/unfinished.ts'
import { hostedPullsOf, pullRequestsOf, repositoryUrlOf, runLimits } from './agent-ports.ts'
import { createAssistantGate, createAssistantPorts } from './assistant-ports.ts'
import { automationStartPorts } from './automations.ts'
import { streamBackup } from './backup/stream-backup.ts'
import { dataPaths } from './data-folder.ts'
import { branchWarnings, limitWarnings } from './limit-warnings.ts'
import { costWarnings } from './models/cost-warnings.ts'
import { createModelCheck } from './models/model-checks.ts'
import { createModelTest } from './models/model-test.ts'
import { createOfferedModels } from './models/offered-models.ts'
import { nounEndpoints } from './nouns.ts'
import { pageEndpoints } from './page-endpoints.ts'
import { createHealthCheck } from './server-health.ts'
import { impactOfProjects, mapOfProjects } from './impact.ts'
import type { Services } from './services.ts'
import { siteChecksOf } from './site-checks.ts'
import { createWidgetReader } from './widget-files.ts'

export interface ServerState {
  metrics: Metrics
  operatorToken: string
  /** Known once the server listens. */
  publicUrl(): string
  /** Aborted when the server begins to stop. */
  stopping: AbortSignal
  /** Aborted when streams must end. */
  draining: AbortSignal
  /** What the store is not closed before. */
  unfinished: Unfinished
}

/** Every endpoint of the server, with what it needs. The dashboard gets the same functions as the API. */
export function createEndpoints(services: Services, state: ServerState): Endpoint[] {
  const { store, queue, config, secretKey, openConnection, log } = services
  const { publicUrl, operatorToken } = state
  const clientAddress = createClientAddress(config.trustedProxies)
  const access = createAccess({ store, operatorToken, publicUrl, addressOf: clientAddress })
  const repositoryUrl = repositoryUrlOf(publicUrl)
  const jobPorts = { store, queue, models: services.models, machine: services.machine }
  const assistant = {
    ...createAssistantGate(services, access, clientAddress),
    assistant: createAssistantPorts(services, state),
    searchLog: services.searchLog,
    threadKeyOf: ({ id }: Project, threadId: string) =>
      keyedHash(secretKey, `docwright thread ${id} ${threadId}`),
  }
  const warningsOf = (project: Project): string[] => [
    ...limitWarnings(config, project),
    ...costWarnings(services.models, config, project),
    ...branchWarnings(project),
  ]
  const hosts = createProjectHosts({
    ...services,
    publicUrl: config.publicUrl,
  })
  const pullRequests = pullRequestsOf(services)
  const hostedPulls = hostedPullsOf(services)
  const sessions = createSessionPorts({
    store,
    publicUrl,
    clientAddress,
    secretKey,
    providers: config.signIn,
    reportProblem: (message) => log.warn(`Signing in: ${message}`),
  })
  const projects = {
    hosts,
    openConnection,
    repositoryUrl,
    warningsOf,
    async prepareForget(project: Project) {
      const dropMirror = await services.prepareDropMirror(project)
      return async () => {
        await services.indexes.forget(project.id)
        await dropMirror()
      }
    },
  }
  const reportError = (error: Error, requestId: string): void =>
    log.error({ err: error, requestId }, error.message)
  const siteChecks = siteChecksOf(services)
  const health = createHealthCheck(services)
  const choice = {
    offeredModels: createOfferedModels(config, services.models),
    testModel: createModelTest(config),
    limitUses: (project: Project) => limitUses(store.db, project),
  }
  // Programs read whole sites, and people should not wait for them.
  const writeParts = createPartsWriter(assistant.assistant.linkOf, createMarkdownReader(2000, 10_000, 1))
  const docs = {
    store,
    access,
    publicUrl,
    reportError,
    assistant: assistant.assistant,
    searchLog: services.searchLog,
    pagesOf: createPageLists(store.db),
    writeParts,
    writeMarkdown: createMarkdownWriter(writeParts),
    countRead: (...read: Parameters<CountRead>) => state.metrics.countRead(...read),
  }
  const readWidget = createWidgetReader()
  const nouns = {
    ...jobPorts,
    pullRequests,
    hostedPulls,
    ...assistant,
    ...docs,
    mirror: services.filledMirror,
    stopping: state.stopping,
    ...sessions,
    ...projects,
    ...choice,
    access,
    secretKey,
    readWidget,
    toPrivate: config.webhooksToPrivate,
    chatApis: config.chatApis,
    siteChecks,
    assessImpact: impactOfProjects(services, state.stopping),
    readMap: mapOfProjects(services, state.stopping),
    automationStart: automationStartPorts(services, state.stopping, siteChecks),
    health,
    now: () => new Date(),
    checkModel: createModelCheck(config),
    committer: config.committer,
    backup: (options: { withSecretKey: boolean }) =>
      streamBackup({ ...services, repositories: dataPaths(config.dataFolder).repositories }, options),
  }
  return [
    ...healthEndpoints({ ...services, stopping: state.stopping }),
    metricsEndpoint({ access, metrics: state.metrics }),
    ...nounEndpoints(nouns),
    ...llmsTxtEndpoints(docs),
    ...serveRepositoryEndpoints({
      access,
      noteClone: (err, requestId) => log.warn({ err, requestId }, err.message),
      mirror: services.filledMirror,
      async freshMirror(project) {
        const repository = await services.mirror(project)
        await fetchMirror(repository, await services.remote(project), { head: project.ref })
        return repository
      },
    }),
    ...pageEndpoints(createPages({ ...sessions, machine: services.machine, reportError }), {
      ...nouns,
      runLimits: runLimits(config),
      abilities,
      hostedRequest: createHostedRequests({ openConnection, now: () => new Date() }),
      hostInterval: config.syncIntervalSeconds,
      secretKeyOf: config.secretKey === undefined ? 'file' : 'DOCWRIGHT_SECRET_KEY',
      readMarkdown: createMarkdownReader(),
      readRows: createRowReader(),
      searchDocs: (project, query) => searchDocs(services.indexes, project, { query, limit: 20 }),
      searchLog: services.searchLog,
      assistantLimits: assistant.limits,
      analytics: createRecentAnalytics(store, () => performance.now()),
    }),
  ]
}
