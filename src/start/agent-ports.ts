import { createHostedPulls, type HostedPulls } from '../features/agent/hosts/hosted-pulls.ts'
import { requestSync, followDefaultBranch } from '../features/projects/sync.ts'
import { othersWait } from '../features/agent/turns/job-claims.ts'
import type { JobProject, JobSettings } from '../features/agent/job-project.ts'
import type { RunPorts } from '../features/agent/turns/turn-run.ts'
import type { Config } from '../config.ts'
import { defaultLimits, type RunLimits } from '../features/agent/turns/budget.ts'
import { recordLocalState } from '../features/agent/publish/record-publication.ts'
import type { OpenToolbox } from '../features/agent/workspace/toolbox.ts'
import { askHostWhy } from '../features/connections/follow-rename.ts'
import { findProject, type Project } from '../features/projects/projects.ts'
import { createPullRequests, type PullRequests } from '../features/projects/pull-requests.ts'
import type { ContextRepository } from '../features/projects/settings/context-repositories.ts'
import { withDefaults } from '../features/projects/settings/schemas.ts'
import { createLocalForge } from '../integrations/forges/local/local-forge.ts'
import type { LocalForgePorts } from '../integrations/forges/local/local-project.ts'
import { plainForge } from '../integrations/forges/plain-git.ts'
import type { Forge } from '../integrations/forges/forge.ts'
import { recogniseKnown } from '../integrations/forges/hosts.ts'
import { pageAddress } from '../integrations/forges/page-address.ts'
import { isSuspect } from '../integrations/git/corruption.ts'
import { fetchMirror } from '../integrations/git/mirrors/fetch-mirror.ts'
import { registeredFolder } from '../integrations/git/remote.ts'
import { TurnFailure } from '../features/agent/turns/turn-failure.ts'
import { assessRange } from '../features/impact/assess-range.ts'
import { impactThread } from './impact-thread.ts'
import type { Services } from './services.ts'
import { namedPages } from '../features/docs/pages.ts'
import { searchDocs, whenIndexed } from '../features/docs/search-docs.ts'
import { sourceFileOf } from '../site/openapi/operation-pages.ts'

/** What the local forge needs. A merge moves the base branch, so the pages are read again at once. */
export function localForgePorts({ store, queue }: Services): LocalForgePorts {
  return {
    store,
    async onStateChange(tx, change) {
      await recordLocalState(tx, change)
      if (change.state === 'merged') await queue.send(tx, 'sync', change.projectId)
    },
  }
}

/** A project as the agent and the local forge take it. */
export async function jobProjectOf(services: Services, project: Project): Promise<JobProject> {
  return {
    id: project.id,
    domain: project.domain,
    ref: project.ref,
    formerRefs: project.formerRefs,
    root: project.root,
    framework: project.framework,
    settings: jobSettingsOf(services, project),
    addressOf: await addressesOf(services, project),
    repository: await services.mirror(project),
    remote: await services.remote(project),
  }
}

/** Pages of the project's repository, and of those that its jobs may read, at their hosts. */
export async function addressesOf(
  { hosts, openConnection }: Services,
  { id, kind, settings }: Project,
): Promise<JobProject['addressOf']> {
  const own = kind === 'https' ? (await openConnection(id))?.connection.repository : undefined
  const others = new Map(
    (settings.contextRepositories ?? []).flatMap((one) => {
      if (one.kind !== 'https') return []
      const near = own !== undefined && one.location.startsWith(`${own.site}/`) ? own : undefined
      return [[`@${one.name}`, recogniseKnown(hosts, one.location, near)]]
    }),
  )
  return ({ repository, ...place }) => {
    const at = repository === undefined ? own : others.get(repository)
    return at && pageAddress(at, place)
  }
}

function jobSettingsOf(services: Services, { id, organizationId, settings }: Project): JobSettings {
  const { budget: { cost, ...budget } = {}, contextRepositories, ...others } = withDefaults(settings)
  return {
    ...others,
    budget: { ...budget, ...(cost !== undefined && { cost: cost * 1e6 }) },
    contextRepositories: openContextRepositories(services, { id, organizationId, contextRepositories }),
  }
}

/** Repositories besides a project's own, to be opened when they are read. */
export function openContextRepositories(
  services: Services,
  {
    id,
    organizationId,
    contextRepositories,
  }: Pick<Project, 'id' | 'organizationId'> & { contextRepositories: readonly ContextRepository[] },
): (JobSettings['contextRepositories'][number] & { ref: string })[] {
  return contextRepositories.map(({ name, ref, kind, location }) => ({
    name,
    ref,
    open: async () => ({
      repository: await services.mirror({ kind, location, organizationId }),
      remote: kind === 'https' ? await services.readable(location, id) : registeredFolder(location),
    }),
  }))
}

export function createAgentPorts(
  services: Services,
  publicUrl: () => string,
  stopping: AbortSignal,
): RunPorts {
  const { config, store, queue } = services
  const forgePorts = localForgePorts(services)
  return {
    store,
    queue,
    othersWait: (jobId) => othersWait(store.db, jobId),
    models: services.models,
    machine: services.machine,
    openProject: async (id) => {
      const project = await findProject(store.db, id)
      if (!project) return undefined
      const opened = await jobProjectOf(services, project)
      // A turn that is repeated after a damaged repository finds it repaired.
      if (isSuspect(opened.repository.folder)) await fetchMirror(opened.repository, opened.remote)
      return opened
    },
    forgeFor: (project) =>
      project.remote.kind === 'folder'
        ? createLocalForge(forgePorts, project)
        : hostedForge(services, project.id),
    followDefault: ({ id, remote }, gone) => followDefaultBranch(services, id, remote, gone),
    askHostWhy: (projectId, wanted) => askHostWhy(services, projectId, wanted),
    openToolbox: openToolboxWhenUsed(services),
    likelyPages: likelyPagesIn(services),
    impact: (input) => assessRange(impactThread, input),
    author: config.committer,
    jobLink: ({ domain }, jobId) => `${publicUrl()}/projects/${domain}/jobs/${jobId}`,
    reportError: (error) => services.log.error({ err: error }, 'Something went wrong in a turn'),
    limits: runLimits(config),
    stopping,
  }
}

/** What one prompt may use on this server. */
export function runLimits(config: Config): RunLimits {
  return {
    ...defaultLimits,
    steps: config.jobMaxSteps,
    tokens: config.jobMaxTokens,
    cost: config.jobMaxCost === undefined ? undefined : config.jobMaxCost * 1e6,
    turn: config.jobMaxMinutes * 60_000,
  }
}

// This loads much code that is not needed before the first turn.
function openToolboxWhenUsed(services: Services): OpenToolbox {
  let loaded: Promise<OpenToolbox> | undefined
  return async (input) => {
    loaded ??= import('./toolbox/open-toolbox.ts').then(({ createOpenToolbox }) =>
      createOpenToolbox(services),
    )
    return (await loaded)(input)
  }
}

/** Where a project's repository can be cloned from, never with a credential. */
export function repositoryUrlOf(publicUrl: () => string): (project: Project) => string {
  return ({ kind, domain, location }) => (kind === 'https' ? location : `${publicUrl()}/git/${domain}.git`)
}

/** Pull requests of repositories on this server. */
export function pullRequestsOf(services: Services): PullRequests {
  return createPullRequests({
    forge: localForgePorts(services),
    open: (project) => jobProjectOf(services, project),
    author: services.config.committer,
  })
}

/** The pull requests of jobs at git hosts. */
export function hostedPullsOf({ store, queue, openConnection }: Services): HostedPulls {
  return createHostedPulls({
    store,
    open: openConnection,
    onMerge: (tx, projectId) => requestSync(tx, queue, projectId),
  })
}

async function hostedForge({ openConnection }: Services, projectId: string): Promise<Forge> {
  const opened = await openConnection(projectId)
  if (opened?.hosted) return opened.hosted.forge
  if (!opened?.host) return plainForge
  throw new TurnFailure(
    'no_credential',
    `Can’t publish: no credential for ${opened.connection.repository.path} on ${opened.host.name}. Add one to the project`,
  )
}

const mostNamed = 20
const mostFound = 5

/** The pages that a prompt names, and the first that a search for it finds. */
function likelyPagesIn({ store, indexes }: Services): RunPorts['likelyPages'] {
  return async ({ id }, prompt) => {
    const project = await findProject(store.db, id)
    if (!project) return []
    const request = { query: prompt.slice(0, 1000), limit: mostFound * 3 }
    const result = await whenIndexed(searchDocs(indexes, project, request, { isPatient: true }))
    const pages = new Set(result?.hits.map(({ path }) => path))
    const names = await namedPages(store.db, id, prompt, mostNamed)
    return [...new Set([...names, ...[...pages].slice(0, mostFound)].map(sourceFileOf))]
  }
}
