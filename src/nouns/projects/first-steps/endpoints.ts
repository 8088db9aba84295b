import { z } from '@hono/zod-openapi'
import { listVisibleProjects, type Caller } from '../../../features/projects/allow.ts'
import { hideFirstSteps, readFirstSteps } from './table.ts'
import type { Models } from '../../../integrations/models/model.ts'
import type { Store } from '../../../store/database.ts'
import type { Access } from '../../../api/access.ts'
import { operations } from '../../../api/description/operation.ts'
import type { Endpoint } from '../../../api/endpoint.ts'

interface Ports {
  access: Access
  store: Store
  models: Pick<Models, 'defaultModel'>
}

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

/** The first steps on a new server, and which of them are done. */
export function firstStepsEndpoints({ access, store, models }: Ports): Endpoint[] {
  const { onServer } = operations(access, 'Server')
  const read = async (caller: Caller): Promise<z.output<typeof steps>> => {
    const projects = await listVisibleProjects(store.db, caller)
    const progress = await readFirstSteps(store.db, caller, projects, models)
    return {
      hidden: progress.isHidden,
      job: progress.hasJob,
      reviewed: progress.hasReviewed,
      ownProject: progress.hasOwnProject,
      model: progress.hasModel,
      assistant: progress.hasAssistant,
    }
  }
  return [
    onServer('getFirstSteps', 'get /admin/first-steps', 'Get the first steps', {
      description: 'What to do first on a new server, and which of it is done.',
      answer: [200, 'The steps', steps],
      handle: async ({ caller }) => read(caller),
    }),
    onServer('changeFirstSteps', 'patch /admin/first-steps', 'Hide or show the first steps', {
      description: 'Everyone hides them for themselves; the operator has one setting for all who sign in so.',
      body: change,
      answer: [200, 'The steps', steps],
      async handle({ caller, body: { hidden } }) {
        await store.transaction((tx) => hideFirstSteps(tx, caller, hidden))
        return read(caller)
      },
    }),
  ]
}
