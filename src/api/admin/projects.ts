import { z } from '@hono/zod-openapi'
import { addProject } from '../../features/projects/add-project.ts'
import { changeSettings } from '../../features/projects/change-settings.ts'
import { listProjects } from '../../features/projects/projects.ts'
import { removeProject } from '../../features/projects/remove-project.ts'
import { requestSync } from '../../features/projects/request-sync.ts'
import { givenVisibility } from '../../features/projects/settings.ts'
import { projectUsage } from '../../features/projects/usage.ts'
import type { Endpoint } from '../endpoint.ts'
import { jobBodyLimit, readBody, readQuery } from '../read-body.ts'
import { connectedBody, operatorProject, projectBody } from './project-body.ts'
import type { AdminProjectDependencies } from './project-body.ts'
import { adminHostEndpoints, hostCredential, hostKind } from './project-host.ts'

const addBody = z.object({
  location: z.string({ error: 'must be a path or an https URL' }).min(1, 'must be a path or an https URL'),
  domain: z.string({ error: 'must be a name' }).optional(),
  ref: z.string().optional(),
  root: z.string().optional(),
  site: z.string().optional(),
  organization: z.string().optional(),
  visibility: givenVisibility.optional(),
  host: hostKind.optional(),
  credential: hostCredential.optional(),
  fork: z.string().min(1).optional(),
})

const usageQuery = z.object({ days: z.coerce.number().int().min(1).max(366).default(30) })

/** Endpoints of the `docwright project` commands. */
export function adminProjectEndpoints(dependencies: AdminProjectDependencies): Endpoint[] {
  const { access, store, queue } = dependencies
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
        const added = await addProject(dependencies, { ...input, organizationId: organization })
        const body = await connectedBody(dependencies, added)
        return context.json({ ...body, hasCredential: added.hasCredential }, 201)
      },
    },
    {
      route: { method: 'get', path: '/admin/projects/{domain}', responses: {}, hide: true },
      async handle(context) {
        return context.json(projectBody(dependencies, await operatorProject(dependencies, context)))
      },
    },
    {
      route: { method: 'patch', path: '/admin/projects/{domain}/settings', responses: {}, hide: true },
      async handle(context) {
        const project = await operatorProject(dependencies, context)
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
        const project = await operatorProject(dependencies, context)
        const { days } = readQuery(context, usageQuery)
        const sums = await projectUsage(store.db, project.id, days)
        return context.json(sums.map((sum) => ({ ...sum, cost: sum.cost ?? null })))
      },
    },
    {
      route: { method: 'post', path: '/admin/projects/{domain}/sync', responses: {}, hide: true },
      async handle(context) {
        const project = await operatorProject(dependencies, context)
        await store.transaction((tx) => requestSync(tx, queue, project.id))
        return context.json(projectBody(dependencies, await operatorProject(dependencies, context)), 202)
      },
    },
    {
      route: { method: 'delete', path: '/admin/projects/{domain}', responses: {}, hide: true },
      async handle(context) {
        const project = await operatorProject(dependencies, context)
        const notes = await removeProject(dependencies, project)
        return context.json({ ...projectBody(dependencies, project), notes })
      },
    },
    ...adminHostEndpoints(dependencies),
  ]
}
