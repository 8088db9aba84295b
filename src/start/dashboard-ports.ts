import type { Access } from '../api/access.ts'
import type { ClientAddress } from '../api/client-address.ts'
import type { DashboardPorts } from '../api/dashboard/ports.ts'
import { searchDocs } from '../features/docs/search-docs.ts'
import type { Project } from '../features/projects/projects.ts'
import { closePullRequest } from '../integrations/forges/local/pull-request-state.ts'
import type { LocalForgePorts } from '../integrations/forges/local/local-project.ts'
import { mergeability, mergePullRequest } from '../integrations/forges/local/merge-pull-request.ts'
import {
  listPullRequests,
  opensPullRequest,
  pullRequestDiff,
  readPullRequestDetail,
} from '../integrations/forges/local/pull-request-detail.ts'
import { addComment, readComments } from '../integrations/forges/local/pull-request-comments.ts'
import { jobProjectOf, localForgePorts } from './agent-ports.ts'
import type { Services } from './open-services.ts'
import { costWarnings } from './models/cost-warnings.ts'
import { createProjectHosts } from './hosts/project-hosts.ts'

export function createDashboardPorts(
  services: Services,
  access: Access,
  addressOf: ClientAddress,
  publicUrl: () => string,
): DashboardPorts {
  const { store, queue, config, indexes, log } = services
  const forge = (): LocalForgePorts => localForgePorts(services)
  const open = (project: Project): ReturnType<typeof jobProjectOf> => jobProjectOf(services, project)
  return {
    access,
    store,
    queue,
    models: services.models,
    machine: services.machine,
    publicUrl,
    clientAddress: addressOf,
    reportError: (error, requestId) => log.error({ err: error, requestId }, error.message),
    now: () => new Date(),
    git: services.git,
    mirror: services.filledMirror,
    webhooks: { secretKey: services.secretKey, toPrivate: config.webhooksToPrivate },
    hosts: createProjectHosts(services),
    warningsOf: (project) => costWarnings(services.models, config, project),
    pullRequests: {
      list: async (project, options) => listPullRequests(forge(), await open(project), options),
      find: async (project, number) => readPullRequestDetail(forge(), await open(project), number),
      opens: (project, number, token) => opensPullRequest(store.db, project.id, number, token),
      diff: async (project, request) => (await pullRequestDiff(await open(project), request)).text,
      mergeability: async (project, number) => mergeability(forge(), await open(project), number),
      async merge(project, number) {
        const author = { name: config.commitName, email: config.commitEmail }
        await mergePullRequest(forge(), await open(project), { number, author })
      },
      close: async (project, number) => closePullRequest(forge(), await open(project), number),
      comments: (project, number) => readComments(store.db, project.id, number, { limit: 200 }),
      // Sign-in links carry no names: whoever has one may write and merge.
      comment: (project, number, body) =>
        addComment(store, project.id, number, { author: 'maintainer', body }),
    },
    searchDocs: async (project, query) => (await searchDocs(indexes, project, { query, limit: 20 })).hits,
  }
}
