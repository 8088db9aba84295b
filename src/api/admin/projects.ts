import { z } from '@hono/zod-openapi'
import { AppError } from '../../lib/errors.ts'
import { changeSettings } from '../../features/projects/change-settings.ts'
import { projectUsage } from '../../features/projects/usage.ts'
import type { Models } from '../../integrations/models/model.ts'
import { addProject } from '../../features/projects/add-project.ts'
import type { AddProjectDependencies } from '../../features/projects/add-project.ts'
import { deleteProject, findProjectByDomain, listProjects } from '../../features/projects/projects.ts'
import type { Project } from '../../features/projects/projects.ts'
import { requestSync } from '../../features/projects/request-sync.ts'
import type { Access } from '../access.ts'
import type { Endpoint } from '../endpoint.ts'
import { jobBodyLimit, readBody, readQuery } from '../read-body.ts'

export interface AdminProjectDependencies extends AddProjectDependencies {
  access: Access
  models: Pick<Models, 'find'>
  /** Full URL of a project's repository. */
  repositoryUrl(project: Project): string
  /** Forgets what memory and disk hold of a project that was removed. */
  forget(project: Project): Promise<void>
}

const addBody = z.object({
  location: z.string({ error: 'must be a path or an https URL' }).min(1, 'must be a path or an https URL'),
  domain: z.string({ error: 'must be a name' }),
  ref: z.string().optional(),
  root: z.string().optional(),
  site: z.string().optional(),
  organization: z.string().optional(),
})

const usageQuery = z.object({ days: z.coerce.number().int().min(1).max(366).default(30) })

/** What the commands see of a project. */
function projectBody({ repositoryUrl }: AdminProjectDependencies, project: Project): object {
  return {
    id: project.id,
    domain: project.domain,
    repository: repositoryUrl(project),
    ref: project.ref,
    root: project.root,
    pages: project.pageCount,
    site: project.site ?? null,
    framework: project.framework ?? null,
    organization: project.organizationId,
    settings: project.settings,
    sync: {
      state: project.sync.state,
      progress: project.sync.progress ?? null,
      error: project.sync.error ?? null,
      commit: project.sync.commit ?? null,
      at: project.sync.at?.toISOString() ?? null,
    },
  }
}

/** Endpoints of the `docwright project` commands. */
export function adminProjectEndpoints(dependencies: AdminProjectDependencies): Endpoint[] {
  const { access, store, queue } = dependencies
  const named = async (domain: string): Promise<Project> => {
    const project = await findProjectByDomain(store.db, domain)
    if (!project)
      throw new AppError('not_found', `There is no project with the domain "${domain}"; see "project list"`)
    return project
  }
  return [
    {
      route: { method: 'get', path: '/admin/projects', responses: {}, hide: true },
      async handle(context) {
        access.operator(context)
        const projects = await listProjects(store.db)
        return context.json(projects.map((project) => projectBody(dependencies, project)))
      },
    },
    {
      route: { method: 'post', path: '/admin/projects', responses: {}, hide: true },
      async handle(context) {
        access.operator(context)
        const { organization, ...input } = await readBody(context, addBody, jobBodyLimit)
        const project = await addProject(dependencies, { ...input, organizationId: organization })
        return context.json(projectBody(dependencies, project), 201)
      },
    },
    {
      route: { method: 'get', path: '/admin/projects/{domain}', responses: {}, hide: true },
      async handle(context) {
        access.operator(context)
        return context.json(projectBody(dependencies, await named(context.req.param('domain') ?? '')))
      },
    },
    {
      route: { method: 'patch', path: '/admin/projects/{domain}/settings', responses: {}, hide: true },
      async handle(context) {
        access.operator(context)
        const project = await named(context.req.param('domain') ?? '')
        const settings = await changeSettings(
          dependencies,
          project.id,
          await readBody(context, z.unknown(), jobBodyLimit),
        )
        return context.json(projectBody(dependencies, { ...project, settings }))
      },
    },
    {
      route: { method: 'get', path: '/admin/projects/{domain}/usage', responses: {}, hide: true },
      async handle(context) {
        access.operator(context)
        const project = await named(context.req.param('domain') ?? '')
        const { days } = readQuery(context, usageQuery)
        const sums = await projectUsage(store.db, project.id, days)
        return context.json(sums.map((sum) => ({ ...sum, cost: sum.cost ?? null })))
      },
    },
    {
      route: { method: 'post', path: '/admin/projects/{domain}/sync', responses: {}, hide: true },
      async handle(context) {
        access.operator(context)
        const project = await named(context.req.param('domain') ?? '')
        await store.transaction((tx) => requestSync(tx, queue, project.id))
        return context.json(projectBody(dependencies, await named(project.domain)), 202)
      },
    },
    {
      route: { method: 'delete', path: '/admin/projects/{domain}', responses: {}, hide: true },
      async handle(context) {
        access.operator(context)
        const project = await named(context.req.param('domain') ?? '')
        await deleteProject(store, project.id)
        await dependencies.forget(project)
        return context.json(projectBody(dependencies, project))
      },
    },
  ]
}
