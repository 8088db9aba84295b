import { z } from 'zod'
import type { Webhooks } from '../http/ensure-webhook.ts'
import { isAnswer } from '../http/host-failure.ts'
import type { GitLabProject } from './gitlab-project.ts'
import { signingToken } from './verify-webhook.ts'

const answer = z.object({ id: z.int(), url: z.string() })

export function webhooksOf(project: GitLabProject): Webhooks {
  return {
    client: project.client,
    of: project.path,
    place: async (api) => `/projects/${await project.target(api)}/hooks`,
    answer,
    list: (api, place) => api.list(place, answer, { query: { per_page: 100 }, max: 500 }),
    settings: (url, secret) => ({
      url,
      name: 'Docwright',
      push_events: true,
      merge_requests_events: true,
      note_events: true,
      enable_ssl_verification: true,
      token: secret,
      // Newer ones sign with it; others do not know it and leave it out.
      signing_token: signingToken(secret),
    }),
    change: 'PUT',
    // The credential has to be of a Maintainer.
    isRefusal: (error) => isAnswer(error, 403, 404, 422),
  }
}
