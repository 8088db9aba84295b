import { z } from '@hono/zod-openapi'
import { defineVerb } from '../../../verbs/verb.ts'

const steps = z
  .object({
    hidden: z.boolean().describe('Whether the dashboard does not show them to the person who asks.'),
    job: z.boolean().describe('Whether a job was started.'),
    reviewed: z.boolean().describe('Whether a pull request was merged or closed.'),
    ownProject: z.boolean().describe('Whether there is a project other than the demo.'),
    model: z.boolean().describe('Whether a model other than the built-in one is set.'),
    assistant: z.boolean().describe('Whether a page of another site asked the assistant with a key.'),
  })
  .openapi('FirstSteps', { description: 'What is left to do after a start.' })

const change = z
  .object({ hidden: z.boolean({ error: 'must be true or false' }) })
  .openapi('ChangeFirstSteps', { description: 'Which first steps are done with.' })

const address = '/admin/first-steps'
const answer = { output: steps, answer: [200, 'The steps'] } as const

export const getFirstSteps = defineVerb({
  name: 'getFirstSteps',
  address: `get ${address}`,
  tag: 'Server',
  summary: 'Get the first steps',
  description: 'What to do first on a new server, and which of it is done.',
  input: z.object({}),
  fields: {},
  ...answer,
})

export const changeFirstSteps = defineVerb({
  name: 'changeFirstSteps',
  address: `patch ${address}`,
  tag: 'Server',
  summary: 'Hide or show the first steps',
  description: 'Everyone hides them for themselves; the operator has one setting for all who sign in so.',
  input: change,
  fields: { hidden: { label: 'Hidden' } },
  ...answer,
})
