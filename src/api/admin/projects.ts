import { z } from '@hono/zod-openapi'
import { AppError } from '../../lib/errors.ts'
import { changeSettings } from '../../features/projects/change-settings.ts'
import { projectUsage } from '../../features/projects/usage.ts'
import type { Models } from '../../integrations/models/model.ts'
import { addProject } from '../../features/projects/add-project.ts'
import type { AddProjectDependencies, AddedProject } from '../../features/projects/add-project.ts'
import { connectProject } from '../../features/projects/connections/connect-project.ts'
import { askHost, describeHost } from '../../features/projects/connections/describe-host.ts'
import type { OpenConnection, OpenedConnection } from '../../features/projects/connections/open-connection.ts'
import { setUpWebhook } from '../../features/projects/connections/set-up-webhook.ts'
import type { Remote } from '../../integrations/git/remote.ts'
import { findProjectByDomain, listProjects } from '../../features/projects/projects.ts'
import type { Project } from '../../features/projects/projects.ts'
import { removeProject } from '../../features/projects/remove-project.ts'
import { requestSync } from '../../features/projects/request-sync.ts'
import type { Access } from '../access.ts'
import type { Endpoint } from '../endpoint.ts'
import { jobBodyLimit, readBody, readQuery } from '../read-body.ts'

export interface AdminProjectDependencies extends AddProjectDependencies {
  access: Access
  models: Pick<Models, 'find'>
  openConnection: OpenConnection
  /** The address that was configured for hosts and people; undefined: none was. */
  publicUrl: string | undefined
  readable(url: string, projectId: string): Promise<Remote>
  /** Full URL of a project's repository. */
  repositoryUrl(project: Project): string
  /** What its settings do not do, though they may look so. */
  warningsOf(project: Project): string[]
  /** Finds what memory and disk hold of a project, and gives what forgets it. */
  prepareForget(project: Project): Promise<() => Promise<void>>
}

const kind = z.enum(['github', 'gitlab', 'gitea', 'bitbucket', 'git'], {
  error: 'must be github, gitlab, gitea, bitbucket or git',
})
const secret = z.string().trim().min(1, 'must not be empty').max(20_000)
const credential = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('token'), token: secret, username: z.string().min(1).max(200).optional() }),
  z.object({ kind: z.literal('github_app'), appId: z.string().min(1).max(100), privateKey: secret }),
])

const addBody = z.object({
  location: z.string({ error: 'must be a path or an https URL' }).min(1, 'must be a path or an https URL'),
  domain: z.string({ error: 'must be a name' }),
  ref: z.string().optional(),
  root: z.string().optional(),
  site: z.string().optional(),
  organization: z.string().optional(),
  host: kind.optional(),
  credential: credential.optional(),
  fork: z.string().min(1).optional(),
})

const connectBody = z.object({
  location: z.string().min(1).optional(),
  ref: z.string().min(1).optional(),
  host: kind.optional(),
  credential: credential.nullable().optional(),
  fork: z.string().min(1).nullable().optional(),
})

const usageQuery = z.object({ days: z.coerce.number().int().min(1).max(366).default(30) })

/** What the commands see of a project. */
function projectBody({ repositoryUrl, warningsOf }: AdminProjectDependencies, project: Project): object {
  return {
    id: project.id,
    domain: project.domain,
    kind: project.kind,
    repository: repositoryUrl(project),
    ref: project.ref,
    root: project.root,
    pages: project.pageCount,
    site: project.site ?? null,
    framework: project.framework ?? null,
    organization: project.organizationId,
    settings: project.settings,
    warnings: warningsOf(project),
    sync: {
      state: project.sync.state,
      progress: project.sync.progress ?? null,
      error: project.sync.error ?? null,
      commit: project.sync.commit ?? null,
      at: project.sync.at?.toISOString() ?? null,
    },
  }
}

async function connectedBody(
  dependencies: AdminProjectDependencies,
  { project, notes }: AddedProject,
): Promise<object> {
  const more = await setUpWebhook(dependencies, project.id)
  return { ...projectBody(dependencies, project), notes: [...notes, ...more] }
}

// For the operator's eyes: the secret is what people paste at a host that takes no webhook from here.
async function hostBody(dependencies: AdminProjectDependencies, project: Project): Promise<object | null> {
  const inspect = (opened: OpenedConnection) => askHost(opened, dependencies.hosts.ports.now)
  const host = await describeHost({ ...dependencies, inspect }, project.id)
  if (!host) return null
  const { credential, webhook, access } = host
  return {
    kind: host.kind,
    site: host.site,
    path: host.path,
    fork: host.forkPath ?? null,
    login: access?.login ?? host.login ?? null,
    credential: credential?.of ?? null,
    credentialKind: credential?.kind ?? null,
    expiresAt: access?.expiresAt?.toISOString() ?? null,
    defaultBranch: access?.defaultBranch ?? null,
    webhook: {
      state: webhook.state,
      url: webhook.url ?? null,
      secret: webhook.secret ?? null,
      calledAt: webhook.calledAt?.toISOString() ?? null,
    },
    notes: host.notes ?? [],
    problem: host.problem?.message ?? null,
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
        const added = await addProject(dependencies, { ...input, organizationId: organization })
        return context.json(await connectedBody(dependencies, added), 201)
      },
    },
    {
      route: { method: 'patch', path: '/admin/projects/{domain}/host', responses: {}, hide: true },
      async handle(context) {
        access.operator(context)
        const project = await named(context.req.param('domain') ?? '')
        const input = await readBody(context, connectBody, jobBodyLimit)
        const changed = await connectProject(dependencies, project, input)
        return context.json(await connectedBody(dependencies, changed))
      },
    },
    {
      route: { method: 'get', path: '/admin/projects/{domain}/host', responses: {}, hide: true },
      async handle(context) {
        access.operator(context)
        const project = await named(context.req.param('domain') ?? '')
        return context.json(await hostBody(dependencies, project))
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
        const notes = await removeProject(dependencies, project)
        return context.json({ ...projectBody(dependencies, project), notes })
      },
    },
  ]
}
