import { z } from '@hono/zod-openapi'
import { removeContextRepository } from '../../features/projects/context-repositories.ts'
import { findProject, listProjects } from '../../features/projects/projects.ts'
import type { Project } from '../../features/projects/projects.ts'
import { removeProject } from '../../features/projects/remove-project.ts'
import { requestSync } from '../../features/projects/request-sync.ts'
import { givenVisibility, namedRepository, settingsChange } from '../../features/projects/settings.ts'
import { projectUsage } from '../../features/projects/usage.ts'
import type { Endpoint } from '../endpoint.ts'
import { notFound } from '../errors.ts'
import { projectOperation, serverOperation } from '../operation.ts'
import { hostCredential, hostKind, notedProject, oneProject, projectBody } from './project-body.ts'
import type { ProjectPorts } from './project-body.ts'

const addRule = 'must be a path or an https URL'
const addBody = z
  .object({
    location: z.string({ error: addRule }).min(1, addRule).openapi({
      description: 'An https address; with the operator’s token also a folder on the server.',
      example: 'https://github.com/example/handbook',
    }),
    domain: z
      .string({ error: 'must be a name' })
      .optional()
      .openapi({ description: 'As the repository is called when absent.' }),
    ref: z.string().optional().openapi({ description: 'The default branch when absent.' }),
    root: z.string().optional(),
    site: z.string().optional(),
    organization: z.string().optional().openapi({ description: 'The default one when absent.' }),
    visibility: givenVisibility.optional(),
    host: hostKind.optional(),
    credential: hostCredential.optional(),
    fork: z.string().min(1).optional().openapi({ description: 'Where branches are pushed to.' }),
  })
  .openapi('AddProject')

const usageQuery = z.object({
  days: z.coerce
    .number()
    .int()
    .min(1)
    .max(366)
    .default(30)
    .openapi({ description: 'Days back (UTC), today included.' }),
})

const usageSum = z
  .object({
    surface: z.enum(['agent', 'assistant']),
    model: z.string(),
    calls: z.int(),
    inputTokens: z.int(),
    cachedInputTokens: z.int(),
    outputTokens: z.int(),
    cost: z.number().nullable().openapi({ description: 'US dollars; null where a price is not known.' }),
  })
  .openapi('Usage')

export function projectEndpoints(ports: ProjectPorts): Endpoint[] {
  const { access, store, queue, hosts } = ports
  const tag = 'Projects'
  const path = '/admin/projects/{domain}'
  const answer = { text: 'The project', schema: oneProject }
  const body = (project: Project) => projectBody(ports, project)
  return [
    serverOperation(
      access,
      {
        verb: 'listProjects',
        method: 'get',
        path: '/admin/projects',
        tag,
        summary: 'List projects',
        description: 'Oldest first.',
        answer: { text: 'The projects', schema: z.array(oneProject) },
      },
      async () => (await listProjects(store.db)).map(body),
    ),
    serverOperation(
      access,
      {
        verb: 'addProject',
        method: 'post',
        path: '/admin/projects',
        tag,
        summary: 'Add a project',
        description:
          'Asks the repository for its branch and its host for permissions, then registers it and begins to index it.',
        body: addBody,
        errors: [404, 409],
        answer: {
          status: 201,
          text: 'The project, and what people should know',
          schema: notedProject
            .extend({
              hasCredential: z.boolean().openapi({
                description: 'Something opens the repository that not everybody has.',
              }),
            })
            .openapi('AddedProject'),
        },
      },
      async ({ caller, body: { organization, ...input } }) => {
        const added = await hosts.add({ ...input, organizationId: organization }, caller)
        return { ...body(added.project), notes: added.notes, hasCredential: added.hasCredential }
      },
    ),
    projectOperation(
      access,
      { verb: 'getProject', method: 'get', path, tag, summary: 'Get a project', answer },
      async ({ project }) => body(project),
    ),
    projectOperation(
      access,
      {
        verb: 'changeSettings',
        method: 'patch',
        path: `${path}/settings`,
        tag,
        summary: 'Change settings',
        description: 'Null takes a setting away, an absent field stays as it is.',
        body: settingsChange,
        answer,
      },
      async ({ caller, project, body: change }) =>
        body({ ...project, settings: await hosts.changeSettings(project, change, caller) }),
    ),
    projectOperation(
      access,
      {
        verb: 'addContextRepository',
        method: 'post',
        path: `${path}/context`,
        tag,
        summary: 'Add a context repository',
        description: 'One that the agent reads besides, after asking it for its branch.',
        body: namedRepository,
        errors: [409],
        answer,
      },
      async ({ caller, project, body: named }) =>
        body({ ...project, settings: await hosts.addContext(project, named, caller) }),
    ),
    projectOperation(
      access,
      {
        verb: 'removeContextRepository',
        method: 'delete',
        path: `${path}/context/{name}`,
        tag,
        summary: 'Remove a context repository',
        answer,
      },
      async ({ context, project }) => {
        const name = context.req.param('name') ?? ''
        if (!project.settings.contextRepositories?.some((one) => one.name === name))
          throw notFound('context repository', name)
        return body({ ...project, settings: await removeContextRepository(store, project.id, name) })
      },
    ),
    projectOperation(
      access,
      {
        verb: 'getUsage',
        method: 'get',
        path: `${path}/usage`,
        tag,
        summary: 'Get usage',
        description: 'Tokens and money by model, the most expensive first.',
        query: usageQuery,
        answer: { text: 'Sums', schema: z.array(usageSum) },
      },
      async ({ project, query: { days } }) =>
        (await projectUsage(store.db, project.id, days)).map((sum) => ({ ...sum, cost: sum.cost ?? null })),
    ),
    projectOperation(
      access,
      {
        verb: 'syncProject',
        method: 'post',
        path: `${path}/sync`,
        tag,
        summary: 'Fetch and index now',
        answer: { ...answer, status: 202 },
      },
      async ({ project }) => {
        await store.transaction((tx) => requestSync(tx, queue, project.id))
        return body((await findProject(store.db, project.id)) ?? project)
      },
    ),
    projectOperation(
      access,
      {
        verb: 'removeProject',
        method: 'delete',
        path,
        tag,
        summary: 'Remove a project',
        description: 'With its jobs, threads and keys. The repository itself is left alone.',
        answer: { text: 'What was removed, and what people should know', schema: notedProject },
      },
      async ({ project }) => ({ ...body(project), notes: await removeProject(ports, project) }),
    ),
  ]
}
