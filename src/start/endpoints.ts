import { adminKeyEndpoints } from '../api/admin/keys.ts'
import { adminOrganizationEndpoints } from '../api/admin/organizations.ts'
import { adminProjectEndpoints } from '../api/admin/projects.ts'
import { adminSecretsEndpoints } from '../api/admin/secrets.ts'
import { deleteThreadsEndpoint } from '../api/admin/threads.ts'
import { createSignInLinkEndpoint } from '../api/admin/create-sign-in-link.ts'
import { createAccess } from '../api/access.ts'
import { createClientAddress } from '../api/client-address.ts'
import { dashboardEndpoints } from '../api/dashboard/endpoints.ts'
import { postMessageEndpoint } from '../api/discovery/v2/assistant/post-message.ts'
import { postOldMessageEndpoint } from '../api/discovery/v1/assistant/post-message.ts'
import { postPageEndpoint } from '../api/discovery/v1/page/post-page.ts'
import { postSearchEndpoint } from '../api/discovery/v1/search/post-search.ts'
import type { Endpoint } from '../api/endpoint.ts'
import { receiveWebhookEndpoint } from '../api/hosts/receive-webhook.ts'
import { serveRepositoryEndpoints } from '../api/git/serve-repository.ts'
import { metricsEndpoint } from '../api/metrics.ts'
import type { Metrics } from '../api/metrics.ts'
import { healthEndpoints } from '../api/health.ts'
import { createJobEndpoint } from '../api/v2/agent/create-job.ts'
import { archiveJobEndpoint, cancelJobEndpoint } from '../api/v2/agent/end-job.ts'
import { getDiffEndpoint } from '../api/v2/agent/get-diff.ts'
import { getJobEndpoint } from '../api/v2/agent/get-job.ts'
import { listEventsEndpoint } from '../api/v2/agent/list-events.ts'
import { listJobsEndpoint } from '../api/v2/agent/list-jobs.ts'
import { sendMessageEndpoint } from '../api/v2/agent/send-message.ts'
import { webhookEndpoints } from '../api/v2/agent/webhooks/endpoints.ts'
import type { Project } from '../features/projects/projects.ts'
import { fetchMirror } from '../integrations/git/fetch-mirror.ts'
import { createAssistantGate, createAssistantPorts } from './assistant-ports.ts'
import { costWarnings } from './models/cost-warnings.ts'
import { createDashboardPorts } from './dashboard-ports.ts'
import type { Services } from './open-services.ts'

export interface ServerState {
  metrics: Metrics
  operatorToken: string
  /** Known once the server listens. */
  publicUrl(): string
  /** Aborted when the server begins to stop. */
  stopping: AbortSignal
  /** Aborted when streams must end. */
  draining: AbortSignal
}

/** Every endpoint of the server, with what it needs. */
export function createEndpoints(services: Services, state: ServerState): Endpoint[] {
  const { store, queue, git, config } = services
  const addressOf = createClientAddress(config.trustedProxies)
  const access = createAccess(store, state.operatorToken, addressOf)
  const repositoryUrl = ({ kind, domain, location }: Project): string =>
    kind === 'https' ? location : `${state.publicUrl()}/git/${domain}.git`
  const jobs = {
    access,
    jobs: { store, queue, models: services.models, machine: services.machine },
    addresses: { repositoryUrl, publicUrl: state.publicUrl },
  }
  const assistant = {
    ...createAssistantGate(services, access, addressOf),
    assistant: createAssistantPorts(services, state),
  }
  return [
    ...healthEndpoints(store, services.machine),
    metricsEndpoint({ access, metrics: state.metrics }),
    postMessageEndpoint(assistant),
    postOldMessageEndpoint(assistant),
    postSearchEndpoint(assistant),
    postPageEndpoint(assistant),
    createJobEndpoint(jobs),
    getJobEndpoint(jobs),
    sendMessageEndpoint(jobs),
    listJobsEndpoint(jobs),
    archiveJobEndpoint(jobs),
    cancelJobEndpoint(jobs),
    listEventsEndpoint({ ...jobs, stopping: state.stopping }),
    getDiffEndpoint({ ...jobs, mirror: services.filledMirror }),
    ...webhookEndpoints({
      access,
      webhooks: { store, secretKey: services.secretKey, toPrivate: config.webhooksToPrivate },
    }),
    ...serveRepositoryEndpoints({
      access,
      mirror: services.filledMirror,
      async freshMirror(project) {
        const repository = await services.mirror(project)
        await fetchMirror(repository, await services.remote(project), { head: project.ref })
        return repository
      },
    }),
    receiveWebhookEndpoint({ store, queue, openConnection: services.openConnection }),
    ...adminOrganizationEndpoints({ access, store }),
    ...adminProjectEndpoints({
      access,
      models: services.models,
      store,
      queue,
      git,
      hosts: services.hosts,
      secretKey: services.secretKey,
      openConnection: services.openConnection,
      readable: services.readable,
      publicUrl: config.publicUrl,
      repositoryUrl,
      warningsOf: (project) => costWarnings(services.models, config, project),
      async prepareForget(project) {
        const dropMirror = await services.prepareDropMirror(project)
        return async () => {
          await services.indexes.forget(project.id)
          await dropMirror()
        }
      },
    }),
    ...adminKeyEndpoints({ access, store }),
    ...adminSecretsEndpoints({ access, store, secretKey: services.secretKey }),
    deleteThreadsEndpoint({ access, store }),
    createSignInLinkEndpoint({ access, store, publicUrl: state.publicUrl }),
    ...dashboardEndpoints(createDashboardPorts(services, access, addressOf, state.publicUrl)),
  ]
}
