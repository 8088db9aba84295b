import { z } from '@hono/zod-openapi'
import { askHost } from '../../features/projects/connections/ask-host.ts'
import { connectProject } from '../../features/projects/connections/connect-project.ts'
import { describeHost } from '../../features/projects/connections/describe-host.ts'
import type { OpenedConnection } from '../../features/projects/connections/open-connection.ts'
import type { Project } from '../../features/projects/projects.ts'
import type { Endpoint } from '../endpoint.ts'
import { jobBodyLimit, readBody } from '../read-body.ts'
import { connectedBody, operatorProject } from './project-body.ts'
import type { AdminProjectDependencies } from './project-body.ts'

export const hostKind = z.enum(['github', 'gitlab', 'gitea', 'bitbucket', 'git'], {
  error: 'must be github, gitlab, gitea, bitbucket or git',
})
const secret = z.string().trim().min(1, 'must not be empty').max(20_000)
export const hostCredential = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('token'), token: secret, username: z.string().min(1).max(200).optional() }),
  z.object({ kind: z.literal('github_app'), appId: z.string().min(1).max(100), privateKey: secret }),
])

const connectBody = z.object({
  location: z.string().min(1).optional(),
  ref: z.string().min(1).optional(),
  host: hostKind.optional(),
  credential: hostCredential.nullable().optional(),
  fork: z.string().min(1).nullable().optional(),
})

/** Endpoints of `docwright project connect` and `project host`. */
export function adminHostEndpoints(dependencies: AdminProjectDependencies): Endpoint[] {
  const path = '/admin/projects/{domain}/host'
  return [
    {
      route: { method: 'patch', path, responses: {}, hide: true },
      async handle(context) {
        const project = await operatorProject(dependencies, context)
        const input = await readBody(context, connectBody, jobBodyLimit)
        const changed = await connectProject(dependencies, project, input)
        return context.json(await connectedBody(dependencies, changed))
      },
    },
    {
      route: { method: 'get', path, responses: {}, hide: true },
      async handle(context) {
        return context.json(await hostBody(dependencies, await operatorProject(dependencies, context)))
      },
    },
  ]
}

// For the operator's eyes: the secret is what people paste at a host that takes no webhook from here.
async function hostBody(dependencies: AdminProjectDependencies, project: Project): Promise<object | null> {
  const ask = (opened: OpenedConnection) => askHost(opened, dependencies.hosts.ports.now)
  const host = await describeHost({ ...dependencies, ask }, project.id)
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
