import { z } from '@hono/zod-openapi'
import { namedRepository } from '../../features/projects/settings/context-repositories.ts'
import { settingWords } from '../../features/projects/settings/fields.ts'
import { projectSettings, settingsChange } from '../../features/projects/settings/schemas.ts'
import { withoutControls, withoutControlsAndSpaces } from '../../lib/text/portable-patterns.ts'
import { typedWholeNumber } from '../../lib/whole-number.ts'
import { defineVerb, type FieldWords } from '../../verbs/verb.ts'
import { usageSum } from '../usage/answers.ts'
import { enrichmentEstimate, hostKind, noteOfAdded, notes, projectAnswer } from './answers.ts'

const project = projectAnswer.extend({ settings: projectSettings })
export const oneProject = project.openapi('Project', { description: 'A repository with documentation.' })
export const notedProject = project
  .extend(notes)
  .openapi('NotedProject', { description: 'A project, with notes for people.' })
const addedProject = project
  .extend(noteOfAdded)
  .openapi('AddedProject', { description: 'A project that was added, with notes for people.' })

const secret = z.string().trim().min(1, 'must not be empty').max(20_000)
const plain = (most: number, rule: string): z.ZodString =>
  z.string(rule).min(1, rule).max(most, rule).regex(withoutControls, rule)
export const hostCredential = z
  .discriminatedUnion('kind', [
    z
      .object({
        kind: z.literal('token'),
        token: secret
          .regex(withoutControlsAndSpaces, 'has a space or a line break in it: copy it again, alone')
          .openapi({ example: 'an-access-token' }),
        username: plain(200, 'contains invalid characters').openapi({ example: 'docs-bot' }).optional(),
      })
      .openapi('TokenCredential', { description: 'An access token of a git host.' }),
    z
      .object({
        kind: z.literal('github_app'),
        appId: plain(100, 'is a number, or the client id').openapi({ example: '123456' }),
        privateKey: secret,
      })
      .openapi('GithubAppCredential', { description: 'A GitHub App.' }),
  ])
  .openapi('Credential', { description: 'What the server shows a git host.' })

/** The form of a domain in words: that of a host name in lower case. */
export const domainHint = 'letters, digits, hyphens and dots, as in docs.example.com'

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
    site: projectSettings.shape.site,
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
  vectors: z.string().min(1).max(200).optional().describe('The embedding model.'),
})

const [tag, path] = ['Projects', '/admin/projects/{domain}'] as const
const none = z.object({})
const organization = { label: 'Organization' }

export const credential: FieldWords = {
  label: 'Credential',
  parts: {
    token: { label: 'Access token', secret: true },
    username: { label: 'Git username' },
    appId: { label: 'App id' },
    privateKey: { label: 'Private key', secret: true },
  },
}

export const listProjects = defineVerb({
  name: 'listProjects',
  address: 'get /admin/projects',
  tag,
  summary: 'List projects',
  description: 'Oldest first. People see those of their organizations.',
  input: none,
  output: z.array(oneProject),
  answer: [200, 'The projects'],
  fields: {},
})

export const addProject = defineVerb({
  name: 'addProject',
  address: 'post /admin/projects',
  tag,
  summary: 'Add a project',
  description:
    'Asks the repository for its branch and its host for permissions, then registers it and begins to index it.',
  input: addBody,
  output: addedProject,
  answer: [201, 'The project, with notes for people'],
  errors: [404, 409],
  fields: {
    location: { label: 'Repository URL' },
    domain: {
      label: 'Domain',
      option: '--domain <name>',
      help: 'name used in URLs (default: repository name)',
    },
    ref: {
      label: 'Branch',
      option: '--ref <branch>',
      help: 'branch to index and branch from (default: the default branch)',
    },
    root: {
      label: 'Docs folder',
      option: '--root <folder>',
      help: 'docs folder, for example docs/',
    },
    site: {
      ...settingWords.site,
      option: '--site <url>',
      help: 'published site URL, used for links in answers',
    },
    visibility: {
      ...settingWords.visibility,
      help: 'who can read the docs on this server: public, key, or signed-in (default: signed-in)',
    },
    organization: {
      ...organization,
      option: '--organization <id>',
      help: 'owner (default: the default organization)',
    },
    host: { label: 'Kind of host' },
    credential,
    fork: { label: 'Fork URL' },
  },
})

export const checkRepository = defineVerb({
  name: 'checkRepository',
  address: 'post /admin/check-repository',
  tag,
  summary: 'Check a repository',
  description:
    'Asks a repository and its host what a credential may do, before a project is made of them. Nothing is kept.',
  input: checkBody,
  output: checkedRepository,
  answer: [200, 'What they are good for'],
  errors: [404],
  fields: {
    location: { label: 'Repository URL' },
    ref: { label: 'Branch' },
    host: { label: 'Kind of host' },
    credential,
    fork: { label: 'Fork URL' },
    organization,
  },
})

export const getProject = defineVerb({
  name: 'getProject',
  address: `get ${path}`,
  tag,
  summary: 'Get a project',
  description: 'The project with its settings, and how far its repository was read.',
  input: none,
  output: oneProject,
  answer: [200, 'The project'],
  fields: {},
})

/** Changes all settings: what they are is a table, from which its input and its words come. */
export const changeSettings = defineVerb({
  name: 'changeSettings',
  address: `patch ${path}/settings`,
  tag,
  summary: 'Change settings',
  description: 'Null removes a setting, an absent field leaves it unchanged.',
  input: settingsChange,
  output: oneProject,
  answer: [200, 'The project'],
  fields: settingWords,
})

export const addContextRepository = defineVerb({
  name: 'addContextRepository',
  address: `post ${path}/context`,
  tag,
  summary: 'Add a context repository',
  description:
    'Adds a repository that the agent may read in addition to the project’s own, after asking it for its branch.',
  input: namedRepository,
  output: oneProject,
  answer: [200, 'The project'],
  errors: [409],
  fields: {
    name: { label: 'Name', hint: 'how the agent calls it', placeholder: 'product' },
    location: { label: 'Repository URL', placeholder: 'https://github.com/example/product' },
    ref: { label: 'Branch', hint: 'empty: the default one', placeholder: 'main' },
  },
})

export const removeContextRepository = defineVerb({
  name: 'removeContextRepository',
  address: `delete ${path}/context/{name}`,
  tag,
  summary: 'Remove a context repository',
  description: 'The agent no longer reads it. Jobs that run keep what they have read.',
  input: none,
  output: oneProject,
  answer: [200, 'The project'],
  fields: {},
})

export const getUsage = defineVerb({
  name: 'getUsage',
  address: `get ${path}/usage`,
  tag,
  summary: 'Get usage',
  description: 'Tokens and cost by model, most expensive first.',
  input: usageQuery,
  output: z.array(usageSum),
  answer: [200, 'The usage of each model'],
  fields: {
    days: { label: 'Days', option: '--days <number>', help: 'how many days back, today included' },
  },
})

export const syncProject = defineVerb({
  name: 'syncProject',
  address: `post ${path}/sync`,
  tag,
  summary: 'Sync a project',
  description:
    'Queues a fetch and a new index, and does not wait for them. `sync` of the project says how far they are.',
  input: none,
  output: oneProject,
  answer: [202, 'The project'],
  fields: {},
})

export const estimateEnrichment = defineVerb({
  name: 'estimateEnrichment',
  address: `get ${path}/enrichment`,
  tag,
  summary: 'Estimate enrichment cost',
  description:
    'What the models would have to read, and about what that costs. No model is called. Without models, those of the settings.',
  input: enrichmentQuery,
  output: enrichmentEstimate,
  answer: [200, 'The estimate'],
  fields: {
    questions: {
      label: 'Question model',
      option: '--questions <model>',
      help: 'estimate for this question generation model',
    },
    vectors: {
      label: 'Embedding model',
      option: '--vectors <model>',
      help: 'estimate for this embedding model',
    },
  },
})

export const enrichProject = defineVerb({
  name: 'enrichProject',
  address: `post ${path}/enrichment`,
  tag,
  summary: 'Run enrichment now',
  description: 'It continues automatically after each sync; this does not wait for the time of the next try.',
  input: none,
  output: oneProject,
  answer: [202, 'The project'],
  fields: {},
})

export const removeProject = defineVerb({
  name: 'removeProject',
  address: `delete ${path}`,
  tag,
  summary: 'Remove a project',
  description: 'Removes the project with its jobs, threads and keys. The repository itself is not changed.',
  input: none,
  output: notedProject,
  answer: [200, 'The removed project, with notes for people'],
  fields: {},
})
