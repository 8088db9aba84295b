import { z } from '@hono/zod-openapi'
import { defineVerb } from '../../verbs/verb.ts'
import { hostKind } from '../projects/answers.ts'
import { credential, hostCredential, notedProject } from '../projects/verbs.ts'
import { hostBody } from './answers.ts'

const connectBody = z
  .object({
    location: z.string().min(1).optional().describe('Another URL of the repository.'),
    ref: z.string().min(1).optional().describe('Branch; `HEAD` is the default one.'),
    root: z.string().optional().describe('Docs folder; empty: the whole repository.'),
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

const [tag, path] = ['Git hosts', '/admin/projects/{domain}/host'] as const
const none = z.object({})
const output = hostBody.nullable()
const answer = [200, 'The host; null for a folder on the server'] as const

export const getHost = defineVerb({
  name: 'getHost',
  address: `get ${path}`,
  tag,
  summary: 'Get the git host',
  description: 'Asks the host what the credential may do.',
  input: none,
  output,
  answer,
  fields: {},
})

export const connectProject = defineVerb({
  name: 'connectProject',
  address: `patch ${path}`,
  tag,
  summary: 'Change the connection',
  description: 'Tries the connection before saving it. An absent field stays unchanged.',
  input: connectBody,
  output: notedProject,
  answer: [200, 'The project, with notes for people'],
  fields: {
    location: { label: 'New repository URL' },
    ref: { label: 'Branch' },
    root: { label: 'Docs folder' },
    host: { label: 'Kind of host' },
    credential,
    fork: { label: 'Fork URL' },
  },
})

export const checkHost = defineVerb({
  name: 'checkHost',
  address: `post ${path}/check`,
  tag,
  summary: 'Check the git host',
  description: 'Asks the host again, and sets up its webhook if there is none.',
  input: none,
  output,
  answer,
  fields: {},
})

export const forgetCredential = defineVerb({
  name: 'forgetCredential',
  address: `delete ${path}/credential`,
  tag,
  summary: 'Remove the credential',
  description:
    'Deletes the project’s own credential without trying the connection. Then the server’s is used, if it has one for the site.',
  input: none,
  output,
  answer,
  fields: {},
})
