import { z } from '@hono/zod-openapi'
import { domainHint, findProject, type Project } from '../../features/projects/projects.ts'
import { requestSync } from '../../features/projects/sync.ts'
import { namedRepository } from '../../features/projects/settings/context-repositories.ts'
import { projectSettings, settingsChange } from '../../features/projects/settings/schemas.ts'
import { removeContextRepository } from './setup/change-settings.ts'
import { removeProject } from './setup/connect-project.ts'
import { projectUsage } from '../usage/table.ts'
import { listVisibleProjects } from '../../features/projects/allow.ts'
import { AppError } from '../../lib/errors.ts'
import { typedWholeNumber } from '../../lib/whole-number.ts'
import { operations } from '../../api/description/operation.ts'
import type { Endpoint } from '../../api/endpoint.ts'
import { notFound } from '../../api/errors.ts'
import { organizationFor } from '../../api/organization-for.ts'
import {
  addedProject,
  hostCredential,
  notedProject,
  oneProject,
  projectBody,
  type ProjectPorts,
} from './present-project.ts'
import { usageSum } from '../usage/answers.ts'
import { enrichmentEstimate, hostKind } from './answers.ts'

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
      .describe(`Its name in addresses: ${domainHint}. The name of the repository when absent.`),
    ref: z.string().optional().describe('The default branch when absent.'),
    root: z.string().optional(),
    site: z.string().optional(),
    organization: z
      .string()
      .optional()
      .describe('The shown one of the session, or the default one, when absent.'),
    visibility: projectSettings.shape.visibility,
    host: hostKind.optional(),
    credential: hostCredential.optional(),
    fork: z.string().min(1).optional().describe('The fork that branches are pushed to.'),
  })
  .openapi('AddProject', { description: 'A repository to add.' })

const checkBody = z
  .object({
    location: z.string({ error: 'must be an https URL' }).min(1, 'must be an https URL'),
    ref: z.string().optional().describe('The default branch when absent.'),
    host: hostKind.optional(),
    credential: hostCredential
      .optional()
      .describe('The server’s own when absent, for the first organization alone.'),
    fork: z.string().min(1).optional(),
    organization: z
      .string()
      .optional()
      .describe('The shown one of the session, or the default one, when absent.'),
  })
  .openapi('CheckRepository', { description: 'A repository to look at before it is added.' })

const checkedRepository = z
  .object({
    kind: hostKind,
    host: z.string(),
    site: z.string(),
    path: z.string(),
    login: z.string().nullable().describe('The account of the credential, where the host tells.'),
    branch: z.string(),
    defaultBranch: z.string().nullable(),
    rights: z.array(
      z.object({
        name: z.enum(['read', 'push', 'pull_request', 'webhook']),
        state: z.enum(['yes', 'no', 'unknown']),
        why: z.string(),
      }),
    ),
    notes: z.array(z.string()).describe('Notes for people.'),
  })
  .openapi('CheckedRepository', { description: 'What the server found at an address.' })

const usageQuery = z.object({
  days: typedWholeNumber(1, 366).default(30).describe('How many days (UTC), including today.'),
})

const enrichmentQuery = z.object({
  questions: z.string().min(1).max(200).optional().describe('The model that would write questions.'),
  vectors: z.string().min(1).max(200).optional().describe('The model that would make vectors.'),
})

export function projectEndpoints(ports: ProjectPorts): Endpoint[] {
  const { access, store, queue, hosts } = ports
  const { onProject, onServer } = operations(access, 'Projects')
  const path = '/admin/projects/{domain}'
  const answer = ['The project', oneProject] as const
  const body = (project: Project) => projectBody(ports, project)
  return [
    onServer('listProjects', 'get /admin/projects', 'List projects', {
      description: 'Oldest first. People see those of their organizations.',
      answer: [200, 'The projects', z.array(oneProject)],
      handle: async ({ caller }) => (await listVisibleProjects(store.db, caller)).map(body),
    }),
    onServer('addProject', 'post /admin/projects', 'Add a project', {
      description:
        'Asks the repository for its branch and its host for permissions, then registers it and begins to index it.',
      body: addBody,
      errors: [404, 409],
      answer: [201, 'The project, with notes for people', addedProject],
      async handle({ context, caller, body: { organization, ...input } }) {
        const owner = await organizationFor(ports, context, { caller, verb: 'addProject', organization })
        const added = await hosts.add({ ...input, organizationId: owner.id }, caller)
        return { ...body(added.project), notes: added.notes, hasCredential: added.hasCredential }
      },
    }),
    onServer('checkRepository', 'post /admin/check-repository', 'Check a repository', {
      description:
        'Asks a repository and its host what a credential may do, before a project is made of them. Nothing is kept.',
      body: checkBody,
      errors: [404],
      answer: [200, 'What they are good for', checkedRepository],
      async handle({ context, caller, body: { organization, ...input } }) {
        const act = { caller, verb: 'checkRepository', organization } as const
        const { id: organizationId } = await organizationFor(ports, context, act)
        const tried = await hosts.tryRepository({ ...input, organizationId }, caller)
        const { login = null, defaultBranch = null, ...checked } = tried
        return { ...checked, login, defaultBranch }
      },
    }),
    onProject('getProject', `get ${path}`, 'Get a project', {
      description: 'The project with its settings, and how far its repository was read.',
      answer: [200, ...answer],
      handle: async ({ project }) => body(project),
    }),
    onProject('changeSettings', `patch ${path}/settings`, 'Change settings', {
      description: 'Null removes a setting, an absent field leaves it unchanged.',
      body: settingsChange,
      answer: [200, ...answer],
      async handle({ caller, project, body: change }) {
        const settings = await hosts.changeSettings(project, change, caller)
        return body((await findProject(store.db, project.id)) ?? { ...project, settings })
      },
    }),
    onProject('addContextRepository', `post ${path}/context`, 'Add a context repository', {
      description:
        'Adds a repository that the agent may read besides the project’s own, after asking it for its branch.',
      body: namedRepository,
      errors: [409],
      answer: [200, ...answer],
      handle: async ({ caller, project, body: named }) =>
        body({ ...project, settings: await hosts.addContext(project, named, caller) }),
    }),
    onProject('removeContextRepository', `delete ${path}/context/{name}`, 'Remove a context repository', {
      description: 'The agent does not read it any more. Jobs that run keep what they have read.',
      answer: [200, ...answer],
      async handle({ context, project }) {
        const name = context.req.param('name') ?? ''
        if (!project.settings.contextRepositories?.some((one) => one.name === name))
          throw notFound('context repository', name)
        return body({ ...project, settings: await removeContextRepository(store, project.id, name) })
      },
    }),
    onProject('getUsage', `get ${path}/usage`, 'Get usage', {
      description: 'Tokens and cost by model, the most expensive first.',
      query: usageQuery,
      answer: [200, 'The usage of each model', z.array(usageSum)],
      handle: async ({ project, query: { days } }) =>
        (await projectUsage(store.db, project.id, days)).map((sum) => ({ ...sum, cost: sum.cost ?? null })),
    }),
    onProject('syncProject', `post ${path}/sync`, 'Fetch and index now', {
      description:
        'Queues a fetch and a new index, and does not wait for them. `sync` of the project says how far they are.',
      answer: [202, ...answer],
      async handle({ project }) {
        await store.transaction((tx) => requestSync(tx, queue, project.id))
        return body((await findProject(store.db, project.id)) ?? project)
      },
    }),
    onProject('estimateEnrichment', `get ${path}/enrichment`, 'Estimate what enrichment costs', {
      description:
        'What the models would have to read, and about what that costs. No model is called. Without models, those of the settings.',
      query: enrichmentQuery,
      answer: [200, 'The estimate', enrichmentEstimate],
      async handle({ project, query: { questions, vectors } }) {
        const { enrichment } = project.settings
        const named = questions ?? vectors
        const models = named === undefined ? enrichment : { questions, vectors }
        if (models?.questions === undefined && models?.vectors === undefined)
          throw new AppError('invalid', 'Name a model: `questions`, `vectors` or both')
        const ceiling = enrichment?.ceiling
        const { work, ...sums } = await ports.estimateEnrichment(project, { ...models, ceiling })
        return { ...sums, work: work.map((one) => ({ ...one, cost: one.cost ?? null })) }
      },
    }),
    onProject('enrichProject', `post ${path}/enrichment`, 'Go on with enrichment now', {
      description: 'It goes on by itself after each sync; this does not wait for the time of the next try.',
      answer: [202, ...answer],
      async handle({ project }) {
        if (project.enrichment === undefined)
          throw new AppError('invalid', 'No model is set that reads the sections: set `enrichment` first')
        await ports.enrich(project)
        return body((await findProject(store.db, project.id)) ?? project)
      },
    }),
    onProject('removeProject', `delete ${path}`, 'Remove a project', {
      description:
        'Removes the project with its jobs, threads and keys. The repository itself is not changed.',
      answer: [200, 'The removed project, with notes for people', notedProject],
      handle: async ({ project }) => ({ ...body(project), notes: await removeProject(ports, project) }),
    }),
  ]
}
