import { addMessage } from '../features/agent/add-message.ts'
import { createJob } from '../features/agent/create-job.ts'
import type { Job } from '../features/agent/jobs.ts'
import { hostsOfProject, openForReading } from '../features/connections/open-connection.ts'
import { createAutomationEngine, type AutomationEngine } from '../features/automations/engine.ts'
import type { WatchedRepository } from '../features/automations/events/repositories.ts'
import type { SiteChecks } from '../features/docs/problems/site-checks.ts'
import type { Hooks, StartPorts } from '../features/automations/start/ports.ts'
import { impactMarkdown } from '../features/impact/impact-markdown.ts'
import { countLimits, limits, useBy } from '../features/projects/limits.ts'
import { findProject, type Project } from '../features/projects/projects.ts'
import { fetchMirror } from '../integrations/git/mirrors/fetch-mirror.ts'
import { listReferences, listRemoteReferences } from '../integrations/git/remotes/list-references.ts'
import { resolveReference } from '../integrations/git/resolve-reference.ts'
import { lastChanges } from '../integrations/git/trees/last-changes.ts'
import type { HostedRepository } from '../integrations/forges/host.ts'
import { AppError, messageOf } from '../lib/errors.ts'
import { workOfGap } from '../nouns/gaps/gap-job.ts'
import { listGaps } from '../nouns/gaps/table.ts'
import type { Tx } from '../store/database.ts'
import { openContextRepositories } from './agent-ports.ts'
import { impactOfProjects } from './impact.ts'
import { mergeIfReady } from './merge-if-ready.ts'
import { docsForge } from './docs-forge.ts'
import { followCodeOf } from './follow-code.ts'
import { openPages } from './open-pages.ts'
import type { Services } from './services.ts'
import { siteChecksOf } from './site-checks.ts'

/** What makes rules work on this server. */
export function createAutomations(
  services: Services,
  publicUrl: () => string,
  stopping: AbortSignal,
): AutomationEngine {
  const { store, config, log } = services
  return createAutomationEngine({
    ...automationStartPorts(services, stopping, siteChecksOf(services)),
    ownEmails: [config.committer.email],
    interval: config.syncIntervalSeconds,
    watched: async (projectId, name) => {
      const project = await findProject(store.db, projectId)
      return project && watchedRepository(services, project, name)
    },
    async hosted(projectId, name) {
      const project = await findProject(store.db, projectId)
      return project && hostOf(services, project, name)
    },
    async automationsLink(projectId) {
      const project = await findProject(store.db, projectId)
      return project && `${publicUrl()}/projects/${project.domain}/automations`
    },
    mergeIfReady: mergeIfReady(services),
    followCode: followCodeOf(services),
    now: () => new Date(),
    reportError: (error, projectId) =>
      log.warn({ projectId, err: error }, `An automation had trouble: ${messageOf(error)}`),
    stopping,
  })
}

const linkKinds: ReadonlySet<string> = new Set(['link', 'anchor', 'image'])
/** Milliseconds after which a page that was not changed is worth a look. */
const staleAfter = 182 * 86_400_000

/** What giving a rule's jobs needs. */
export function automationStartPorts(
  services: Services,
  stopping: AbortSignal,
  siteChecks: SiteChecks,
): StartPorts {
  const { store, queue, models, machine } = services
  const jobPorts = { store, queue, models, machine }
  const assess = impactOfProjects(services, stopping)
  const open = async (id: string): Promise<Project> => {
    const project = await findProject(store.db, id)
    if (!project) throw new AppError('not_found', 'The project no longer exists')
    return project
  }
  return {
    store,
    openProject: (id) => findProject(store.db, id),
    async touchedBy(projectId, about) {
      // A pull request is what it will bring, not how it came about.
      const impact = await assess(await open(projectId), about, about.pullRequest !== undefined)
      const { pages, edited, commits } = impact
      return { commits, edited, pages, markdown: impactMarkdown(impact) }
    },
    async brokenLinks(projectId) {
      const check = await siteChecks.look(await open(projectId))
      if (check?.error !== undefined)
        throw new AppError('invalid', `The site can’t be checked: ${check.error}`)
      const { found } = check ?? {}
      if (!found?.isCurrent) return undefined
      return { pages: found.pages, problems: found.problems.filter(({ kind }) => linkKinds.has(kind)) }
    },
    async gapWork(projectId, gapId) {
      const [gap] = await listGaps(store.db, projectId, { days: 30, id: gapId, offset: 0, limit: 1 })
      return gap?.state === 'open' && gap.job === null ? workOfGap(store.db, gap, undefined) : undefined
    },
    async openElsewhere(projectId, pages, ownJob) {
      const project = await open(projectId)
      return openPages(await docsForge(services, project), project.root, pages, ownJob)
    },
    async stalePages(projectId, signal) {
      const project = await open(projectId)
      const repository = await services.filledMirror(project)
      const commit = await resolveReference(repository, `refs/heads/${project.ref}`)
      if (commit === undefined) return []
      const changed = await lastChanges(repository, { commit, folder: project.root, signal })
      const rows = await store.db
        .selectFrom('pages')
        .select('path')
        .where('project_id', '=', projectId)
        .execute()
      const before = Date.now() - staleAfter
      return rows
        .flatMap(({ path }) => {
          const at = changed.get(path)
          return at === undefined || at.getTime() > before ? [] : [{ path, at }]
        })
        .toSorted((one, other) => one.at.getTime() - other.at.getTime())
        .slice(0, 500)
    },
    async hasOnlyBuiltIn(projectId, rule) {
      const { settings } = await open(projectId)
      return (rule.model ?? settings.model ?? models.defaultModel) === 'builtin'
    },
    async createJob(
      projectId,
      rule,
      { id, name },
      { title, prompt, about, evidence, gapId, isAhead },
      hooks,
    ) {
      const project = await open(projectId)
      const { cost, ...budget } = rule.budget ?? {}
      await createJob(
        jobPorts,
        project,
        {
          title,
          prompt,
          about,
          evidence,
          gapId,
          base: rule.base,
          model: rule.model,
          // A draft is not for merging, and nothing is merged before its code.
          draft: isAhead === true || (rule.draft && !rule.automerge),
          budget: { ...budget, ...(cost !== undefined && { cost: Math.ceil(cost * 1e6) }) },
          askedBy: { kind: 'automation', id, name },
        },
        finishing(project, hooks, 'jobCreate'),
        hooks.begin,
      )
    },
    async addFollowUp(projectId, jobId, { id, name }, { prompt, about, evidence }, hooks) {
      const project = await open(projectId)
      const job = await addMessage(
        jobPorts,
        project,
        jobId,
        { prompt, about, evidence, askedBy: { kind: 'automation', id, name } },
        finishing(project, hooks, 'jobMessage'),
        hooks.begin,
      )
      return job !== undefined
    },
  }
}

// The limits come last: their rows are locked until the end of the transaction.
function finishing(project: Project, hooks: Hooks, limit: 'jobCreate' | 'jobMessage') {
  return async (tx: Tx, job: Job): Promise<void> => {
    await hooks.finish(tx, job)
    await countLimits(tx, [useBy(project, limits[limit])])
  }
}

async function watchedRepository(
  services: Services,
  project: Project,
  name: string,
): Promise<WatchedRepository | undefined> {
  if (name === '')
    return {
      name,
      location: project.location,
      ref: project.ref,
      list: async () => {
        const mirror = await services.presentMirror(project)
        return mirror ? listReferences(mirror) : new Map()
      },
      open: () => services.filledMirror(project),
      ...requestsOf(await hostOf(services, project, '')),
    }
  const { contextRepositories = [] } = project.settings
  const [context] = openContextRepositories(services, {
    ...project,
    contextRepositories: contextRepositories.filter((one) => one.name === name),
  })
  const location = contextRepositories.find((one) => one.name === name)?.location
  if (context === undefined || location === undefined) return undefined
  return {
    name,
    location,
    ...requestsOf(await hostOf(services, project, name)),
    ref: context.ref,
    async list(signal) {
      const { repository, remote } = await context.open()
      return listRemoteReferences(repository.git, remote, { signal })
    },
    async open(signal) {
      const { repository, remote } = await context.open()
      await fetchMirror(repository, remote, { signal })
      return repository
    },
  }
}

function requestsOf(
  hosted: HostedRepository | undefined,
): Pick<WatchedRepository, 'requests' | 'stateOfRequest'> {
  if (hosted === undefined) return {}
  const { codeRequests, forge } = hosted
  return {
    requests: () => codeRequests.list(),
    stateOfRequest: async (number) => (await forge.read(number))?.state,
  }
}

/** The project's own repository by the empty name, or a context repository. */
async function hostOf(
  { store, hosts, openConnection }: Services,
  { id, settings }: Project,
  name: string,
): Promise<HostedRepository | undefined> {
  const near = await openConnection(id)
  if (name === '') return near?.hosted
  const context = settings.contextRepositories?.find((one) => one.name === name)
  if (context?.kind !== 'https') return undefined
  return openForReading(await hostsOfProject(store.db, hosts, id), context.location, near).opened.hosted
}
