import { z } from '@hono/zod-openapi'
import type { LimitUseNow } from './limit-uses.ts'
import type { Project } from '../../features/projects/projects.ts'
import type { OfferedModels, TestModel } from '../../integrations/models/offered-model.ts'
import type { Access } from '../../api/access.ts'
import { operations } from '../../api/description/operation.ts'
import type { Endpoint } from '../../api/endpoint.ts'

interface Ports {
  access: Access
  offeredModels: OfferedModels
  testModel: TestModel
  limitUses(project: Project): Promise<LimitUseNow[]>
}

const offer = z
  .object({
    models: z.array(
      z.object({
        name: z.string(),
        price: z
          .object({ input: z.number(), output: z.number() })
          .nullable()
          .describe('USD per million tokens; null when it is not known.'),
        context: z.int().nullable().describe('Tokens that it can read at once; null when that is not known.'),
      }),
    ),
    problems: z.array(z.string()).describe('Why the list of a provider may be incomplete.'),
  })
  .openapi('OfferedModels', { description: 'The models that this server knows.' })

const testBody = z
  .object({ model: z.string({ error: 'must be the name of a model' }).min(1).max(200) })
  .openapi('TestModel', { description: 'A model to try.' })

const limitUse = z
  .object({
    name: z.string(),
    label: z.string(),
    used: z.number(),
    most: z.number().nullable().describe('Null when nothing limits it.'),
    unit: z.enum(['requests', 'tokens', 'dollars']),
    window: z.enum(['hour', 'day', 'month']).describe('The last hour; today and this month by UTC.'),
  })
  .openapi('LimitUse', { description: 'How much of a limit is used.' })

/** The models that people may choose, and how much of the limits is used. */
export function modelEndpoints({ access, offeredModels, testModel, limitUses }: Ports): Endpoint[] {
  const server = operations(access, 'Server')
  const projects = operations(access, 'Projects')
  return [
    server.onServer('listModels', 'get /admin/models', 'List models', {
      description:
        'The models of each provider that is set up, by its own list, or else those with a known price.',
      answer: [200, 'The models', offer],
      async handle() {
        const { models, problems } = await offeredModels()
        return {
          models: models.map(({ name, price = null, context = null }) => ({ name, price, context })),
          problems,
        }
      },
    }),
    server.onServer('testModel', 'post /admin/models/test', 'Try a model', {
      description: 'Sends what answers and jobs send, and says what the model is good for.',
      body: testBody,
      errors: [400],
      answer: [200, 'It works', z.object({ outcome: z.string().describe('A sentence for people.') })],
      handle: async ({ body: { model } }) => ({ outcome: await testModel(model) }),
    }),
    projects.onProject('getLimits', 'get /admin/projects/{domain}/limits', 'Get limits', {
      description: 'How much of each limit is used now.',
      answer: [200, 'The limits', z.array(limitUse)],
      handle: async ({ project }) =>
        (await limitUses(project)).map(({ most = null, ...use }) => ({ ...use, most })),
    }),
  ]
}
