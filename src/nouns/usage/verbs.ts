import { z } from '@hono/zod-openapi'
import { defineVerb } from '../../verbs/verb.ts'
import { limitSize, limitUse, modelOffer, triedModel } from './answers.ts'

const tag = 'Server'
const limits = '/admin/limits'
const organization = z.string().optional().describe('The organization. The server as a whole when absent.')
const sizes = { output: z.array(limitSize), answer: [200, 'The limits'] } as const
const ofOrganization = {
  label: 'Organization',
  option: '--organization <id>',
  help: 'organization (default: the server as a whole)',
}

export const listModels = defineVerb({
  name: 'listModels',
  address: 'get /admin/models',
  tag,
  summary: 'List models',
  description:
    'The models of each provider that is set up, by its own list, or else those with a known price.',
  input: z.object({}),
  output: modelOffer,
  answer: [200, 'The models'],
  fields: {},
})

export const testModel = defineVerb({
  name: 'testModel',
  address: 'post /admin/models/test',
  tag,
  summary: 'Try a model',
  description: 'Sends what answers and jobs send, and says what the model is good for.',
  errors: [400],
  input: z
    .object({ model: z.string({ error: 'must be the name of a model' }).min(1).max(200) })
    .openapi('TestModel', { description: 'A model to try.' }),
  output: triedModel,
  answer: [200, 'It works'],
  fields: { model: { label: 'Model' } },
})

export const getLimits = defineVerb({
  name: 'getLimits',
  address: 'get /admin/projects/{domain}/limits',
  tag: 'Projects',
  summary: 'Get limits',
  description: 'How much of each limit is used now.',
  input: z.object({}),
  output: z.array(limitUse),
  answer: [200, 'The limits'],
  fields: {},
})

export const listLimitSizes = defineVerb({
  name: 'listLimitSizes',
  address: `get ${limits}`,
  tag,
  summary: 'List limit sizes',
  description: 'The sizes of limits in an organization, and what they are without a choice.',
  errors: [404],
  input: z.object({ organization }),
  fields: { organization: ofOrganization },
  ...sizes,
})

export const changeLimitSizes = defineVerb({
  name: 'changeLimitSizes',
  address: `patch ${limits}`,
  tag,
  summary: 'Change limit sizes',
  description:
    'Applies to the next request, also within a window: uses so far count. Searches, pages, and ratings follow within five seconds.',
  errors: [404],
  input: z
    .object({
      organization,
      limits: z
        .record(z.string(), z.number().nullable())
        .describe('Sizes by name. `null` takes the chosen size back.'),
    })
    .openapi('ChangeLimitSizes', { description: 'Sizes to choose.' }),
  fields: { organization: ofOrganization, limits: { label: 'Sizes' } },
  ...sizes,
})
