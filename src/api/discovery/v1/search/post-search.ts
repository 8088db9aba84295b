import { z } from '@hono/zod-openapi'
import type { SearchLog } from '../../../../features/assistant/insights/searches.ts'
import type { AssistantPorts, AssistantProject } from '../../../../features/assistant/ports.ts'
import { wholeNumber } from '../../../../lib/whole-number.ts'
import { searchResult } from '../../../../nouns/assistant/answers.ts'
import { describe, jsonContent } from '../../../description/operation.ts'
import type { Endpoint } from '../../../endpoint.ts'
import { searches } from '../../../rate.ts'
import { assistantBodyLimit, readBody } from '../../../read-body.ts'
import type { AssistantGate } from '../../ask-assistant.ts'
import { callerOf } from '../../caller.ts'
import { checkField } from '../../check-field.ts'
import { searchFilter } from '../../../../nouns/assistant/inputs.ts'

interface Ports<Project extends AssistantProject> extends Pick<AssistantGate<Project>, 'access'> {
  assistant: Pick<AssistantPorts<Project>, 'search' | 'linkOf' | 'slugOf'>
  searchLog: Pick<SearchLog, 'record'>
}

const fpRule = 'must be text of at most 200 characters'
const scoreRule = 'must be a number from 0 to 1'
const queryRule = 'must be text of 1 to 2,000 characters'

const searchBody = z
  .object(
    {
      query: z.string({ error: queryRule }).trim().min(1, queryRule).max(2000, queryRule),
      pageSize: wholeNumber(1, 50).default(10).describe('Sections to return.'),
      scoreThreshold: z
        .number({ error: scoreRule })
        .min(0, scoreRule)
        .max(1, scoreRule)
        .nullish()
        .describe('Results with a lower `score` are left out.'),
      filter: searchFilter,
      check: checkField,
      fp: z
        .string({ error: fpRule })
        .max(200, fpRule)
        .nullish()
        .describe('Who searches, so that it can be deleted with the rest of what they asked.'),
    },
    { error: 'send a JSON object with a `query`' },
  )
  .openapi('SearchQuery', { description: 'What to search for.' })

export function postSearchEndpoint<Project extends AssistantProject>({
  access,
  assistant: { search, linkOf, slugOf },
  searchLog,
}: Ports<Project>): Endpoint {
  return {
    route: describe('search', 'post /discovery/v1/search/{domain}', {
      tag: 'Assistant',
      summary: 'Search the documentation',
      body: searchBody,
      responses: { 200: { description: 'Results, best first', content: jsonContent(z.array(searchResult)) } },
      errors: [429],
    }),
    async handle(context) {
      const { project } = await access.project(context, 'search')
      searches.take(context)
      const { query, pageSize, scoreThreshold, filter, fp, check } = await readBody(
        context,
        searchBody,
        assistantBodyLimit,
      )
      if (check) await access.project(context, 'check')
      const { without } = check ?? {}
      const request = { query, limit: pageSize, filter, currentPath: undefined, context: [], without }
      const began = performance.now()
      const { hits, confidence } = await search(project, request)
      const results: z.output<typeof searchResult>[] = hits
        .slice(0, pageSize)
        .filter(({ score }) => score >= (scoreThreshold ?? Number.NEGATIVE_INFINITY))
        .map((hit) => ({
          content: hit.content,
          path: slugOf(project, hit.url),
          metadata: {
            title: hit.title,
            description: hit.description ?? '',
            file: hit.path,
            url: linkOf(project, hit.url, hit.anchor),
            heading: hit.heading ?? null,
            language: hit.language ?? null,
            version: hit.version ?? null,
            score: hit.score,
            ...(hit.alsoIn && {
              alsoIn: hit.alsoIn.map(({ url, title, language, version }) => ({
                title,
                url: linkOf(project, url, undefined),
                language: language ?? null,
                version: version ?? null,
              })),
            }),
          },
        }))
      if (check) return context.json(results)
      searchLog.record({
        projectId: project.id,
        query,
        results: results.length,
        confidence,
        caller: callerOf(context),
        fp: fp ?? undefined,
        milliseconds: Math.round(performance.now() - began),
      })
      return context.json(results)
    },
  }
}
