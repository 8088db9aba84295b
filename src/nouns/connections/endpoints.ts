import { z } from '@hono/zod-openapi'
import { mayDo, type Caller } from '../../features/projects/allow.ts'
import type { Project } from '../../features/projects/projects.ts'
import type { ShownHost } from '../projects/setup/project-hosts.ts'
import { hostBody } from './answers.ts'
import { operations } from '../../api/description/operation.ts'
import type { Endpoint } from '../../api/endpoint.ts'
import { hostCredential, notedProject, projectBody, type ProjectPorts } from '../projects/present-project.ts'
import { hostKind } from '../projects/answers.ts'

const connectBody = z
  .object({
    location: z.string().min(1).optional().describe('Another address of the repository.'),
    ref: z.string().min(1).optional().describe('Branch; `HEAD` is the default one.'),
    root: z.string().optional().describe('Folder of the pages; empty: the whole repository.'),
    host: hostKind.optional(),
    credential: hostCredential
      .openapi({ description: 'Null removes the project’s own credential.', 'x-nullable': true })
      .nullish(),
    fork: z
      .string()
      .min(1)
      .nullable()
      .optional()
      .describe('The fork that branches are pushed to; null for the repository itself.'),
  })
  .openapi('ConnectProject', { description: 'A change of the connection.' })

/** The connection of a project to its git host. */
export function hostEndpoints(ports: ProjectPorts): Endpoint[] {
  const { access, hosts } = ports
  const { onProject } = operations(access, 'Git hosts')
  const path = '/admin/projects/{domain}/host'
  const answer = ['The host; null for a folder on the server', hostBody.nullable()] as const
  const show = async (caller: Caller, project: Project): Promise<z.output<typeof hostBody> | null> => {
    const host = await hosts.ask(project)
    return host ? toBody(host, mayDo(caller, 'readWebhookSecret')) : null
  }
  return [
    onProject('getHost', `get ${path}`, 'Get the git host', {
      description: 'Asks the host what the credential may do.',
      answer: [200, ...answer],
      handle: ({ caller, project }) => show(caller, project),
    }),
    onProject('connectProject', `patch ${path}`, 'Change the connection', {
      description: 'Tries the connection before saving it. An absent field stays unchanged.',
      body: connectBody,
      answer: [200, 'The project, with notes for people', notedProject],
      async handle({ caller, project, body }) {
        const { project: changed, notes } = await hosts.connect(project, body, caller)
        return { ...projectBody(ports, changed), notes }
      },
    }),
    onProject('checkHost', `post ${path}/check`, 'Check the git host', {
      description: 'Asks the host again, and sets up its webhook if there is none.',
      answer: [200, ...answer],
      async handle({ caller, project }) {
        await hosts.check(project)
        return show(caller, project)
      },
    }),
    onProject('forgetCredential', `delete ${path}/credential`, 'Forget the credential', {
      description:
        'Deletes the project’s own credential without trying the connection. Then the server’s is used, if it has one for the site.',
      answer: [200, ...answer],
      async handle({ caller, project }) {
        await hosts.forgetCredential(project)
        return show(caller, project)
      },
    }),
  ]
}

function toBody(host: ShownHost, withSecret: boolean): z.output<typeof hostBody> {
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
      secret: withSecret ? (webhook.secret ?? null) : null,
      calledAt: webhook.calledAt?.toISOString() ?? null,
    },
    notes: host.notes ?? [],
    problem: host.problem?.message ?? null,
  }
}
