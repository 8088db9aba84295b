import type { JobProject, JobSettings } from '../features/agent/job-project.ts'
import type { RunPorts } from '../features/agent/ports.ts'
import { defaultLimits } from '../features/agent/ports.ts'
import { recordPullRequestState } from '../features/agent/record-pull-request-state.ts'
import { findProject } from '../features/projects/projects.ts'
import type { Project } from '../features/projects/projects.ts'
import { createLocalForge } from '../integrations/forges/local/local-forge.ts'
import type { LocalForgePorts } from '../integrations/forges/local/local-project.ts'
import { likelyPagesIn } from './likely-pages.ts'
import { createOpenToolbox } from './open-toolbox.ts'
import type { Services } from './open-services.ts'

/** The local forge's needs; merging moves the base, so the pages are read again at once. */
export function localForgePorts({ store, queue }: Services): LocalForgePorts {
  return {
    store,
    async onStateChange(tx, { projectId, number, state }) {
      await recordPullRequestState(tx, projectId, number, state)
      if (state === 'merged') await queue.send(tx, 'sync', projectId)
    },
  }
}

/** A project as the agent and the local forge take it. */
export async function jobProjectOf(services: Services, project: Project): Promise<JobProject> {
  return {
    id: project.id,
    domain: project.domain,
    ref: project.ref,
    root: project.root,
    framework: project.framework,
    settings: jobSettingsOf(services, project),
    repository: await services.mirror(project),
    remote: await services.remote(project),
  }
}

function jobSettingsOf(services: Services, { settings }: Project): JobSettings {
  const { cost, ...budget } = settings.budget ?? {}
  return {
    model: settings.model,
    budget: { ...budget, ...(cost !== undefined && { cost: cost * 1e6 }) },
    onProblems: settings.onProblems ?? 'draft',
    allow: settings.allow ?? [],
    protect: settings.protect ?? [],
    contextRepositories: (settings.contextRepositories ?? []).map(({ name, ref, kind, location }) => ({
      name,
      ref,
      open: async () => ({
        repository: await services.mirror({ kind, location }),
        remote: await services.remote({ kind, location }),
      }),
    })),
  }
}

export function createAgentPorts(services: Services, publicUrl: string, stopping: AbortSignal): RunPorts {
  const { config, store, queue } = services
  const forgePorts = localForgePorts(services)
  return {
    store,
    queue,
    models: services.models,
    openProject: async (id) => {
      const project = await findProject(store.db, id)
      return project && jobProjectOf(services, project)
    },
    forgeFor: (project) =>
      project.remote.kind === 'folder' ? createLocalForge(forgePorts, project) : undefined,
    openToolbox: createOpenToolbox(services),
    likelyPages: likelyPagesIn(services),
    author: { name: config.commitName, email: config.commitEmail },
    jobLink: ({ domain }, jobId) => `${publicUrl}/projects/${domain}/jobs/${jobId}`,
    reportError: (error) => services.log.error({ err: error }, 'A turn failed'),
    limits: {
      ...defaultLimits,
      steps: config.jobMaxSteps,
      tokens: config.jobMaxTokens,
      cost: config.jobMaxCost === undefined ? undefined : config.jobMaxCost * 1e6,
      turn: config.jobMaxMinutes * 60_000,
    },
    stopping,
  }
}
