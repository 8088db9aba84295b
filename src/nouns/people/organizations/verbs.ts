import { z } from '@hono/zod-openapi'
import { defineVerb } from '../../../verbs/verb.ts'

const oneOrganization = z
  .object({
    id: z.string(),
    name: z.string(),
    default: z.boolean().describe('Used when no organization is given.'),
    createdAt: z.iso.datetime(),
  })
  .openapi('Organization', { description: 'An organization, which has projects and members.' })

const nameRule = 'must be 1 to 200 characters'
const input = z
  .object({ name: z.string({ error: nameRule }).trim().min(1, nameRule).max(200, nameRule) })
  .openapi('AddOrganization', { description: 'An organization to add.' })

const tag = 'People'

export const listOrganizations = defineVerb({
  name: 'listOrganizations',
  address: 'get /admin/organizations',
  tag,
  summary: 'List organizations',
  description: 'Oldest first. People see those that they belong to.',
  input: z.object({}),
  output: z.array(oneOrganization),
  answer: [200, 'The organizations'],
  fields: {},
})

export const addOrganization = defineVerb({
  name: 'addOrganization',
  address: 'post /admin/organizations',
  tag,
  summary: 'Add an organization',
  description:
    'An organization owns projects and admin keys. A person who makes one becomes its owner; the operator says who may.',
  input,
  output: oneOrganization,
  answer: [201, 'The organization'],
  fields: {
    name: { label: 'Name', below: 'Each organization has its own projects, keys, and members.' },
  },
})

export const changeOrganization = defineVerb({
  name: 'changeOrganization',
  address: 'patch /admin/organizations/{organization}',
  tag,
  summary: 'Rename an organization',
  description: 'Changes the name that people see.',
  input,
  output: oneOrganization,
  answer: [200, 'The organization'],
  fields: { name: { label: 'Name' } },
})
