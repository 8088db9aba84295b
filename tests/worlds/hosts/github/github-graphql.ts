import type { IncomingMessage, ServerResponse } from 'node:http'
import { z } from 'zod'
import type { GitHubState } from './github-state.ts'

const question = z.object({ query: z.string(), variables: z.object({ id: z.string() }) })

/**
 * The one thing that is asked of GraphQL: taking a pull request out of its draft state. It stands in no description of
 * the API that is checked here; by GitHub's schema of GraphQL the input has a `pullRequestId` and the answer a
 * `pullRequest` with `isDraft`.
 */
export function serveGraphql(
  fake: GitHubState,
  others: (request: IncomingMessage, response: ServerResponse) => void,
) {
  return (request: IncomingMessage, response: ServerResponse): void => {
    if (request.url !== '/api/graphql' || request.method !== 'POST') return others(request, response)
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const send = (body: unknown): void =>
        void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
      const { query, variables } = question.parse(JSON.parse(Buffer.concat(chunks).toString('utf8')))
      const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? ''
      const pull = fake.pulls.find((one) => `PR_${one.number}` === variables.id)
      const granted = fake.tokens.get(token)
      const may = fake.tokens.has(token) && (granted === undefined || granted['contents'] === 'write')
      if (!may || !pull || !query.includes('markPullRequestReadyForReview(input: {pullRequestId: $id})')) {
        const message = 'Resource not accessible by personal access token'
        const path = ['markPullRequestReadyForReview']
        return send({
          data: { markPullRequestReadyForReview: null },
          errors: [{ type: 'FORBIDDEN', path, message }],
        })
      }
      pull.draft = false
      send({ data: { markPullRequestReadyForReview: { pullRequest: { isDraft: false } } } })
    })
  }
}
