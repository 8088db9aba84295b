import { z } from '@hono/zod-openapi'
import { defineVerb } from '../../verbs/verb.ts'
import { modelVariables } from '../../lib/model-variables.ts'
import { commitIdentity, foundPlace, modelCheck, secretCounts, serverState } from './answers.ts'

const tag = 'Server'
const nothing = { input: z.object({}), fields: {} }
const secrets = { output: secretCounts, answer: [200, 'How many secrets each key holds'] } as const

export const find = defineVerb({
  name: 'find',
  address: 'get /admin/find',
  tag,
  summary: 'Find anything',
  description:
    'Pages of the dashboard, projects, documentation pages, jobs and actions, by words of their titles.',
  input: z.object({
    query: z.string().max(200).default('').describe('Words of titles; empty: what is done most.'),
    project: z.string().max(100).optional().describe('The project that comes first, by its domain.'),
  }),
  output: z.array(foundPlace),
  answer: [200, 'What fits, best first'],
  fields: { query: { label: 'Words' }, project: { label: 'Project' } },
})

export const getServer = defineVerb({
  name: 'getServer',
  address: 'get /admin/server',
  tag,
  summary: 'Get server status',
  description:
    'Queue, processes, disk, database, memory, mirrors, hosts and models, without secrets. For operators.',
  ...nothing,
  output: serverState,
  answer: [200, 'The state of the server'],
})

export const checkModel = defineVerb({
  name: 'checkModel',
  address: 'post /admin/models/check',
  tag,
  summary: 'Test a configured model',
  description:
    'Sends what answers and jobs send to a model that the server’s environment names, with the patience that the server has for it. This can take minutes.',
  errors: [503],
  input: z
    .object({ variable: z.enum(modelVariables).describe('The variable that names the model.') })
    .openapi('CheckModel', { description: 'A configured model to test.' }),
  output: modelCheck,
  answer: [200, 'It works'],
  fields: { variable: { label: 'Variable' } },
})

export const checkSecrets = defineVerb({
  name: 'checkSecrets',
  address: 'get /admin/secrets',
  tag,
  summary: 'Check secrets',
  description: 'Counts the secrets by the key that they are encrypted with.',
  ...nothing,
  ...secrets,
})

export const getCommitIdentity = defineVerb({
  name: 'getCommitIdentity',
  address: 'get /admin/commits',
  tag,
  summary: 'Get the commit identity',
  description: 'Who makes the commits of jobs, and the public part of the key that signs them.',
  ...nothing,
  output: commitIdentity,
  answer: [200, 'The identity'],
})

export const resealSecrets = defineVerb({
  name: 'resealSecrets',
  address: 'post /admin/secrets/reseal',
  tag,
  summary: 'Re-encrypt secrets',
  description: 'Encrypts them with the current key, after it was changed. Can be repeated.',
  ...nothing,
  ...secrets,
})
