import { z } from '@hono/zod-openapi'
import type { AssistantPorts, AssistantProject } from '../../../../features/assistant/ports.ts'
import { starterQuestions } from '../../../../features/assistant/suggestions/starters.ts'
import { hasUnstorable } from '../../../../lib/text/plain-text.ts'
import { textUpTo } from '../../../../lib/text/text-up-to.ts'
import { describe, jsonContent } from '../../../description/operation.ts'
import type { Endpoint } from '../../../endpoint.ts'
import { searches } from '../../../rate.ts'
import { readQuery } from '../../../read-body.ts'
import type { AssistantGate } from '../../ask-assistant.ts'

interface Ports<Project extends AssistantProject> extends Pick<AssistantGate<Project>, 'access'> {
  assistant: Pick<
    AssistantPorts<Project>,
    'search' | 'findPage' | 'guidanceOf' | 'starterSections' | 'askedQuestions' | 'findPinned'
  >
}

const query = z.object({
  path: textUpTo(200, 'must be the path of a page, of at most 200 characters')
    .optional()
    .describe('The reader’s page: its slug, address or path.'),
})
const starters = z
  .object({ questions: z.array(z.string()).describe('Up to five; the documentation answers each of them.') })
  .openapi('Starters', { description: 'Starter questions.' })

export function getStartersEndpoint<Project extends AssistantProject>({
  access,
  assistant,
}: Ports<Project>): Endpoint {
  return {
    route: describe('getStarters', 'get /discovery/v2/assistant/{domain}/starters', {
      tag: 'Assistant',
      summary: 'Get starter questions',
      description:
        'Those that the project sets, then those that the reader’s page answers, then those that other readers asked, then those of the site’s first pages. Empty where there are none.',
      query,
      responses: { 200: { description: 'The questions', content: jsonContent(starters) } },
      errors: [429],
    }),
    async handle(context) {
      const { project } = await access.project(context, 'getStarters')
      searches.take(context)
      const { path } = readQuery(context, query)
      const isName = path !== undefined && path !== '' && !hasUnstorable(path)
      const questions = await starterQuestions(assistant, project, isName ? path : undefined)
      return context.json({ questions })
    },
  }
}
