import { z } from 'zod'
import type { HostApi } from '../http/host-client.ts'
import { HostFailure } from '../http/host-failure.ts'
import { graphqlPath } from './github-api.ts'
import type { GitHubRepository } from './github-repository.ts'

const mutation =
  'mutation ($id: ID!) { markPullRequestReadyForReview(input: {pullRequestId: $id}) { pullRequest { isDraft } } }'

const answer = z.object({
  data: z
    .object({
      markPullRequestReadyForReview: z
        .object({ pullRequest: z.object({ isDraft: z.boolean() }).nullish() })
        .nullish(),
    })
    .nullish(),
  errors: z.array(z.object({ type: z.string().nullish() })).nullish(),
})

/**
 * Takes a pull request out of its draft state, which GitHub offers by GraphQL alone. False where it does not let us.
 * @param id as GraphQL has it
 * @throws HostFailure `unavailable`
 */
export async function markReady({ base }: GitHubRepository, api: HostApi, id: string): Promise<boolean> {
  try {
    const { data, errors } = await api.replace(
      'POST',
      graphqlPath(base),
      { query: mutation, variables: { id } },
      answer,
    )
    if (errors?.some(({ type }) => type === 'RATE_LIMITED'))
      throw new HostFailure('unavailable', 'GitHub takes no more requests for now', {
        refused: true,
        passing: true,
        retryAt: new Date(Date.now() + 60_000),
      })
    return data?.markPullRequestReadyForReview?.pullRequest?.isDraft === false
  } catch (error) {
    // The work is out: a missing permission leaves a draft and no more.
    if (error instanceof HostFailure && error.code !== 'unavailable' && error.code !== 'unauthorized')
      return false
    throw error
  }
}
