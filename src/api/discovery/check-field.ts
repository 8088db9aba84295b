import { z } from '@hono/zod-openapi'
import { checkParts } from '../../features/assistant/check.ts'

const partRule = `must be a list of ${checkParts.join(', ')}`

/** Marks a question or a search as a check. Only the operator may send it. */
export const checkField = z
  .object(
    {
      model: z
        .string({ error: 'must be the name of a model' })
        .max(200, 'must be the name of a model')
        .optional()
        .describe('The model that answers, in place of the project’s own.'),
      without: z
        .array(z.enum(checkParts, partRule), { error: partRule })
        .optional()
        .describe(
          'What is left out: the `questions` and `vectors` that models made of sections, the `queries` that a model writes.',
        ),
    },
    { error: 'must be an object' },
  )
  .openapi('AssistantCheck', {
    description: 'Marks a question or a search as a check, which is not recorded.',
  })
  .optional()
  .describe(
    'Tries the assistant or the search, as `docwright eval` does: nothing is recorded or counted. Only for the operator.',
  )
