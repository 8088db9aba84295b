import type { AssistantGate } from '../api/discovery/ports.ts'
import type { Access } from '../api/access.ts'
import type { ClientAddress } from '../api/client-address.ts'
import type { AssistantDeps } from '../features/assistant/ports.ts'
import { findPage } from '../features/docs/pages.ts'
import { searchDocs } from '../features/docs/search-docs.ts'
import { limits, lookAtLimit, takeLimit } from '../features/projects/limits.ts'
import { findProject } from '../features/projects/projects.ts'
import type { Project } from '../features/projects/projects.ts'
import type { Services } from './open-services.ts'

interface Address {
  publicUrl(): string
}

/** Where people open a page: the published site, or this server's own rendering. */
function pageLink({ publicUrl }: Address, project: Project, url: string, anchor: string | undefined): string {
  const site = project.site ?? `${publicUrl()}/docs/${project.domain}`
  // File names hold what addresses may not: spaces, `#`, `%`.
  const path = url.split('/').map(encodeURIComponent).join('/')
  return `${site}${path}${anchor === undefined ? '' : `#${encodeURIComponent(anchor)}`}`
}

export function createAssistantPorts(
  { store, indexes, models, log }: Services,
  state: Address & { draining: AbortSignal },
): AssistantDeps<Project> {
  return {
    store,
    modelOf: ({ settings }) => models.find(settings.assistantModel ?? models.assistantModel),
    async search(projectId, { query, limit, filter, currentPath, context }) {
      const project = await findProject(store.db, projectId)
      if (!project) return { hits: [], confidence: 0 }
      const selected = context.map(({ value }) => value).join('\n')
      return searchDocs(indexes, project, {
        query,
        limit,
        filter,
        currentPath,
        context: selected || undefined,
      })
    },
    findPage: (projectId, name) => findPage(store.db, projectId, name),
    linkOf: (project, url, anchor) => pageLink(state, project, url, anchor),
    onError: (error) => log.warn({ err: error }, 'A reply of the assistant failed'),
    draining: state.draining,
  }
}

/** Limits per organization and per address, taken together. */
export function createAssistantGate(
  { store }: Services,
  access: Access,
  addressOf: ClientAddress,
): AssistantGate<Project> {
  return {
    access,
    limits: {
      async look(context, project) {
        await lookAtLimit(store.db, limits.assistantOrganization, project.organizationId)
        await lookAtLimit(store.db, limits.assistantAddress, addressOf(context))
      },
      async take(tx, context, project) {
        await takeLimit(tx, limits.assistantOrganization, project.organizationId)
        await takeLimit(tx, limits.assistantAddress, addressOf(context))
      },
    },
  }
}
