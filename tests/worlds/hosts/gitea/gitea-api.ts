import forgejo from './forgejo-swagger.json' with { type: 'json' }
import gitea from './gitea-swagger.json' with { type: 'json' }
import { describedApi, type DescribedApi } from '../described-api.ts'

const teams = ['paths', '/repos/{owner}/{repo}/teams', 'get', 'responses', '405']
const apis = [
  describedApi(gitea, {
    amendments: [
      { why: 'what belongs to a person has no teams', at: teams, value: { $ref: '#/responses/error' } },
    ],
  }),
  describedApi(forgejo),
]

/** What is sent and answered is right by the descriptions of both. */
export const giteaApi: DescribedApi = {
  checkRequest: (request) => apis.flatMap((api) => api.checkRequest(request)),
  checkAnswer: (request, answer) => apis.flatMap((api) => api.checkAnswer(request, answer)),
}
