import { z } from '@hono/zod-openapi'
import type { AssistantPorts, AssistantProject } from '../../../../features/assistant/ports.ts'
import { AppError } from '../../../../lib/errors.ts'
import { pageResult } from '../../../../nouns/assistant/answers.ts'
import { describe, jsonContent } from '../../../description/operation.ts'
import type { Endpoint } from '../../../endpoint.ts'
import { searches } from '../../../rate.ts'
import { assistantBodyLimit, readBody } from '../../../read-body.ts'
import type { AssistantGate } from '../../ask-assistant.ts'

interface Ports<Project extends AssistantProject> extends Pick<AssistantGate<Project>, 'access'> {
  assistant: Pick<AssistantPorts<Project>, 'findPage' | 'slugOf'>
}

const pathRule = 'must be the path of a page, of 1 to 1,000 characters'
const pageBody = z
  .object(
    {
      path: z.string({ error: pathRule }).min(1, pathRule).max(1000, pathRule).openapi({
        description:
          'The page’s slug, its file, or its address as a whole or from the path on; with or without slashes, extension or fragment.',
        example: 'quickstart',
      }),
    },
    { error: 'send a JSON object with a `path`' },
  )
  .openapi('PageRequest', { description: 'The page to read.' })

export function postPageEndpoint<Project extends AssistantProject>({
  access,
  assistant,
}: Ports<Project>): Endpoint {
  return {
    route: describe('readPage', 'post /discovery/v1/page/{domain}', {
      tag: 'Assistant',
      summary: 'Read a page',
      body: pageBody,
      responses: { 200: { description: 'The page', content: jsonContent(pageResult) } },
      errors: [429],
    }),
    async handle(context) {
      const { project } = await access.project(context, 'readPage')
      searches.take(context)
      const { path } = await readBody(context, pageBody, assistantBodyLimit)
      const page = await assistant.findPage(project, path)
      if (!page)
        throw new AppError('not_found', `Page ${JSON.stringify(path)} not found. Use search to find it`)
      return context.json({ path: assistant.slugOf(project, page.url), content: page.content })
    },
  }
}
